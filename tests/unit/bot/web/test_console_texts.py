"""What is put into a page or on the wire stays what it was, and does nothing."""

from __future__ import annotations

import hashlib
import json
import re
from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.runs import RunEvent
from bot.views import html
from bot.views.markdown import parse
from bot.web import events
from bot.web.context import STATIC
from bot.web.guard import _name
from tests.support.attacks import ReadPage

VENDORED = {
    # @picocss/pico 2.1.1 from npm, css/pico.min.css and LICENSE.md
    "pico.min.css": "fbc9a63fc9fc9f72d12fd7fc9806e11fa9f77ae4f9cad146b27003a1119ba3db",
    "pico.LICENSE.md": "afaff063e044233f917b7807dccab022f09dca474f92b642846bee4850655bbf",
}
OWN = {"console.css", "console.js", "icon.svg"}

TAGS = re.compile(r"p|br|strong|em|s|code|pre|blockquote|[uo]l|li|h[1-6]|div|table|thead|tbody|t[rhd]|a")

BITS = st.sampled_from(
    [
        "<script>", "</p>", "<img src=x onerror=alert(1)>", "![a](http://h/x.png)", "[a](javascript:alert(1))", "[1]", "[2]",
        "[a]: data:text/html,x", "[a]", "`", "**", "\n", "\n\n", "# ", "> ", "- ", "| a | b |\n|-|-|\n", "&lt;", "&#106;avascript:",
        "<a href='javascript:x'>", "http://h/?<x>", "漢", "😀", " ", "\x00", "\u2028", "<!--", "-->", "<svg/onload=x>", "](", ")",
    ]
)  # fmt: skip


def test_assets_are_those_that_were_looked_at() -> None:
    assert {path.name for path in STATIC.iterdir()} == OWN | VENDORED.keys()
    for name, digest in VENDORED.items():
        assert hashlib.sha256((STATIC / name).read_bytes()).hexdigest() == digest, name
    assert "MIT License" in (STATIC / "pico.LICENSE.md").read_text("utf-8")


def test_scripts_and_styles_load_nothing_from_elsewhere() -> None:
    for name in ("pico.min.css", "console.css", "console.js"):
        text = (STATIC / name).read_text("utf-8")
        assert set(re.findall(r"url\(\s*[\"']?(\w+:)", text)) <= {"data:"}
        assert not re.search(r"@import|import\s*\(|\beval\b|innerHTML", text), name


@given(st.lists(BITS | st.text(max_size=8), max_size=12).map("".join))
def test_markdown_of_anybody_does_nothing(text: str) -> None:
    page = str(html.draw(parse(text, {1})))
    read = ReadPage(page)
    assert read.active == [], page
    assert all(map(TAGS.fullmatch, re.findall(r"<\s*/?\s*([a-zA-Z0-9]+)", page))), page
    for target in re.findall(r'href="([^"]*)"', page):
        assert re.match(r"https?:|mailto:|#source-1$", target, re.IGNORECASE), page


def test_markers_lead_to_their_sources_but_not_in_code_nor_to_others() -> None:
    shown = html.draw(parse("It is [1], not [2] or `[1]`.", {1})).strip()
    assert shown == '<p dir="auto">It is <a href="#source-1">[1]</a>, not [2] or <code>[1]</code>.</p>'


@given(st.text(), st.integers(0, 10**9))
def test_event_is_one_frame_whatever_it_says(text: str, seq: int) -> None:
    event = RunEvent(seq, "web:1:k", "text", {"piece": text}, datetime(2026, 11, 22, tzinfo=UTC))
    frame = events.frame(event)
    assert frame.endswith(b"\n\n")
    *numbers, data = frame[:-2].decode("utf-8").split("\n")
    assert numbers == ([f"id: {seq}"] if seq else [])
    told = json.loads(data.removeprefix("data: "))
    assert told["piece"] == text.encode("utf-8", "replace").decode() or "\ud800" <= max(text) <= "\udfff"
    assert (told["type"], told["seq"]) == ("text", seq)


@pytest.mark.parametrize(
    ("host", "name"),
    [("127.0.0.1:8322", "127.0.0.1"), ("LOCALHOST", "localhost"), ("[::1]:8322", "::1"), ("", "")],
)
def test_name_of_a_host(host: str, name: str) -> None:
    assert _name(host) == name
