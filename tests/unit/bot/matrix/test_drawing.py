"""Blocks as the HTML and the plain text of a message of Matrix."""

from __future__ import annotations

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.matrix.drawing import draw
from bot.views import markdown
from bot.views.blocks import Blocks, Note, Section, Source, Sources, Step, Steps, line, paragraph

TAGS = {
    *(
        "a",
        "blockquote",
        "br",
        "caption",
        "code",
        "del",
        "details",
        "em",
        "li",
        "ol",
        "p",
        "pre",
        "s",
        "strong",
    ),
    *("summary", "table", "tbody", "td", "th", "thead", "tr", "ul", "h1", "h2", "h3", "h4", "h5", "h6"),
}


@pytest.mark.parametrize(
    ("text", "plain"),
    [
        ("One **bold** word, `code` & <b>", "One bold word, code & <b>"),
        ("- one\n- two\n  - three", "- one\n- two\n\n- three"),
        ("3. one\n4. two", "3. one\n4. two"),
        ("> said\n> twice", "> said\n> twice"),
        ("|a|b|\n|-|-|\n|1|2|", "a | b\n1 | 2"),
        ("```\nx  = 1\n\n\n\n  y\n```", "x  = 1\n\n  y"),
    ],
    ids=["words", "list", "numbers", "quote", "table", "code"],
)
def test_plain_text_can_be_read_without_html(text: str, plain: str) -> None:
    body = draw(markdown.parse(text))["body"]
    assert re.sub(r"\n\n+", "\n", body) == re.sub(r"\n\n+", "\n", plain)


def test_message_that_is_too_long_for_an_event_keeps_its_label() -> None:
    content = draw((paragraph("文" * 30_000), Note(line("not verified"), "warning")))
    assert len(content["body"].encode()) <= 15_100
    assert content["body"].startswith("文")
    assert content["body"].endswith("not verified")
    assert "[...]" in content["body"]
    assert "formatted_body" not in content


@given(st.text())
def test_html_holds_no_tag_and_no_attribute_that_clients_do_not_show(text: str) -> None:
    steps = Steps((Step(text, text, (text,)),), ("a", "b", "c", "d"))
    blocks: Blocks = (*markdown.parse(text), Note(line(text), "verified"), steps)
    blocks += (Sources((Source(text, 1, quote=text or "q"),)), Section(text, (paragraph(text),), "x"))
    drawn = draw(blocks).get("formatted_body", "")
    found = re.findall(r"<(\w+)([^>]*)>", drawn)
    assert {tag for tag, _ in found} <= TAGS
    assert all(re.fullmatch(r'| (?:href|start)="[^"]*"', more) for _, more in found)
