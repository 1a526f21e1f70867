"""HTML and MarkdownV2 as "Formatting options" of the reference page describes them."""

from __future__ import annotations

from html import escape

import pytest
from hypothesis import given
from hypothesis import strategies as st
from telegram.helpers import escape_markdown

from tests.telegram.entities import Formatted, units
from tests.telegram.parse_modes import parsed
from tests.telegram.refusals import Refusal

TEXTS = st.text(
    st.one_of(st.characters(exclude_categories=["Cs"]), st.sampled_from("_*[]()~`>#+-=|{}.!\\<>&;\"'😀\n")),
    max_size=40,
)
MARKUP = st.lists(
    st.sampled_from(
        [
            "<b>",
            "</b>",
            "<a href='x'>",
            "</a>",
            "<",
            "&lt",
            ";",
            "*",
            "_",
            "`",
            "[",
            "](x)",
            "",
            "",
            "\n>",
            "\n",
            "a",
            "😀",
            "\\",
            "~",
            "!",
            "```",
        ]
    ),
    max_size=20,
).map("".join)


def parts(formatted: Formatted) -> list[tuple[str, str]]:
    return [(entity["type"], formatted.part(entity)) for entity in formatted.entities]


@given(TEXTS)
def test_escaped_html_is_the_text_itself(text: str) -> None:
    assert parsed(escape(text, quote=False), "HTML") == Formatted(text)


@given(TEXTS)
def test_escaped_markdown_is_the_text_itself(text: str) -> None:
    assert parsed(escape_markdown(text, version=2), "MarkdownV2") == Formatted(text)


@given(TEXTS.filter(bool))
def test_text_in_a_bold_tag_is_bold_to_its_end(text: str) -> None:
    formatted = parsed(f"<b>{escape(text, quote=False)}</b>!", "HTML")
    assert formatted.text == f"{text}!"
    assert formatted.entities == ({"type": "bold", "offset": 0, "length": units(text)},)


@given(MARKUP, st.sampled_from(["HTML", "MarkdownV2"]))
def test_any_markup_is_parsed_or_refused_and_entities_stay_within(source: str, mode: str) -> None:
    try:
        formatted = parsed(source, mode)
    except Refusal:
        return
    for entity in formatted.entities:
        assert entity["offset"] >= 0
        assert entity["offset"] + entity["length"] <= units(formatted.text)


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("<b>bold</b> and <i>it</i>", "bold and it", [("bold", "bold"), ("italic", "it")]),
        ("<b>a <i>b</i></b>", "a b", [("italic", "b"), ("bold", "a b")]),
        ("<a href='https://e.org/?a=1&amp;b=2'>link</a>", "link", [("text_link", "link")]),
        ("<a>no address</a>", "no address", []),
        ("<pre><code class='language-py'>x=1</code></pre>", "x=1", [("pre", "x=1")]),
        ("<span class='tg-spoiler'>s</span>", "s", [("spoiler", "s")]),
        ("<blockquote expandable>q</blockquote>", "q", [("expandable_blockquote", "q")]),
        ("AT&T &lt;b&gt; &#128512; &copy;", "AT&T <b> 😀 &copy;", []),
        ("😀<B>x</B>", "😀x", [("bold", "x")]),
    ],
    ids=["two", "nested", "link", "no-link", "code", "spoiler", "quote", "references", "capital-tag"],
)
def test_html_becomes_text_and_entities(source: str, text: str, entities: list[tuple[str, str]]) -> None:
    formatted = parsed(source, "html")
    assert (formatted.text, parts(formatted)) == (text, entities)


@pytest.mark.parametrize(
    ("source", "text", "entities"),
    [
        ("*bold _both_*", "bold both", [("italic", "both"), ("bold", "bold both")]),
        ("__under__ ~gone~ ||hidden||", "under gone hidden", [("underline", "under"), ("strikethrough", "gone"), ("spoiler", "hidden")]),
        ("[link](https://e.org/a\\)b)", "link", [("text_link", "link")]),
        ("`a*b`", "a*b", [("code", "a*b")]),
        ("```python\nx\\`\n```", "x`\n", [("pre", "x`\n")]),
        (">one\n>*two*\nthree", "one\ntwo\nthree", [("blockquote", "one\ntwo\n"), ("bold", "two")]),
        ("**>more\n>hidden||", "more\nhidden", [("expandable_blockquote", "more\nhidden")]),
        ("1\\. done\\!", "1. done!", []),
    ],
    ids=["nested", "marks", "link", "code", "block", "quote", "expandable", "escapes"],
)  # fmt: skip
def test_markdown_becomes_text_and_entities(source: str, text: str, entities: list[tuple[str, str]]) -> None:
    formatted = parsed(source, "MarkdownV2")
    assert formatted.text == text
    assert [(kind, part.strip()) for kind, part in parts(formatted)] == [
        (kind, part.strip()) for kind, part in entities
    ]


def test_language_of_a_code_block_is_kept() -> None:
    for source, mode in (
        ("```python\nx\n```", "MarkdownV2"),
        ("<pre><code class='language-python'>x</code></pre>", "HTML"),
    ):
        assert parsed(source, mode).entities[0]["language"] == "python"


@pytest.mark.parametrize(
    ("source", "mode", "reason"),
    [
        ("<b>open", "HTML", 'Can\'t find end tag corresponding to start tag "b"'),
        ("<b><i>x</b></i>", "HTML", "Unmatched end tag"),
        ("x</b>", "HTML", "Unexpected end tag"),
        ("<h1>x</h1>", "HTML", 'Unsupported start tag "h1"'),
        ("1 < 2", "HTML", "Unsupported start tag"),
        ("<span>x</span>", "HTML", 'must have class "tg-spoiler"'),
        ("*open", "MarkdownV2", "Can't find end of Bold entity at byte offset 0"),
        ("я _open", "MarkdownV2", "Can't find end of Italic entity at byte offset 3"),
        ("`open", "MarkdownV2", "Can't find end of Code entity"),
        ("*a _b* c_", "MarkdownV2", "Can't find end of Italic entity"),
        ("The end.", "MarkdownV2", "Character '.' is reserved and must be escaped"),
        ("[a](b", "MarkdownV2", "Can't find end of a URL"),
    ],
)
def test_broken_markup_is_refused_in_telegrams_words(source: str, mode: str, reason: str) -> None:
    with pytest.raises(Refusal) as refused:
        parsed(source, mode)
    assert refused.value.description.startswith("Bad Request: can't parse entities: ")
    assert reason in refused.value.description


def test_unknown_mode_is_refused() -> None:
    with pytest.raises(Refusal, match="unsupported parse_mode"):
        parsed("x", "Wiki")


def test_markup_of_more_than_32_kilobytes_is_refused_however_short_its_text() -> None:
    with pytest.raises(Refusal, match="message is too long"):
        parsed("<b>x</b>" * 4097, "HTML")
