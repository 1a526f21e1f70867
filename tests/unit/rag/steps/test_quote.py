"""How quotations are put together: the words that answer are bold, and nothing else changes."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from rag.steps.quote import Quoted, emphasise, quote
from rag.values import Passage, PassageId

_MARKDOWN = MarkdownIt("commonmark").enable("table")
_TEXTS = st.text(st.sampled_from("ab 1%.*_`~|[]()<>\\\n-é年일“"), max_size=60)


@pytest.mark.parametrize(
    ("text", "words", "expected"),
    [
        ("Everyone has 27 days of leave.", "27 days", "Everyone has **27 days** of leave."),
        ("Room 127 is for 27 people.", "27 people.", "Room 127 is for **27 people**."),
        ("연차는 27일입니다.", "27일", "연차는 **27일**입니다."),
        ("그것은 30 %입니다.", "30 %", "그것은 30 %입니다."),
        ("每年有27天年假。", "27天", "每年有**27天**年假。"),
        ("Set `data_dir` first.", "data_dir", "Set `data_dir` first."),
        ("Anna.", "Anna", "Anna."),
        ("It is *the twelfth of May*, says Anna.", "twelfth", "It is *the twelfth of May*, says Anna."),
    ],
)
def test_words_that_answer_are_bold_where_that_can_be_seen(text: str, words: str, expected: str) -> None:
    start = text.rindex(words)
    assert emphasise(text, start, start + len(words)) == expected


@given(_TEXTS, st.integers(0, 60), st.integers(0, 60))
def test_bold_words_change_no_other_word_and_no_mark(text: str, start: int, end: int) -> None:
    bold = emphasise(text, min(start, end), max(start, end))
    assert bold.replace("**", "", 2) == text or bold == text
    plain, shown = _words(text), _words(bold)
    assert shown == plain


@pytest.mark.parametrize(
    ("text", "lead", "expected"),
    [
        ("It is open.", "", "Yes: “It is open.” [1]"),
        ("- one\n- two", "", "Yes:\n\n> - one\n> - two [1]"),
        ("1. one", "To start:", "Yes:\n\n> To start: …\n> 1. one [1]"),
        ("| a | b |", "| x | y |", "Yes: [1]\n\n> | x | y |\n> | --- | --- |\n> | a | b |"),
    ],
    ids=["sentence", "list", "step below its lead", "row below its header"],
)
def test_quotation_carries_its_citation_at_its_end(text: str, lead: str, expected: str) -> None:
    passage = Passage(PassageId("p"), "a.md", "", text)
    said, citations = quote("Yes:", [Quoted(passage, text, lead)])
    assert said == expected
    assert [one.quote for one in citations] == [text]


def _words(markdown: str) -> str:
    """Return what a reader of Markdown sees of it."""
    tokens = [child for token in _MARKDOWN.parse(markdown) for child in token.children or [token]]
    return "".join(token.content for token in tokens)
