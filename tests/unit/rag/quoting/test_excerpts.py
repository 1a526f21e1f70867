from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.quoting.excerpts import excerpt

HANDBOOK = """# Office

The office in Berlin has two doors. It opens at nine.

Bring the following:

- a passport

- a photo. It must be new.

| City | Days |
| --- | --- |
| Berlin | 30 |
| Milan | 28 |

``random``

    Files come in random order.

May I smoke?

Yes, outside.

## Parking

The yard is closed.
"""


def cut(words: str, limit: int = 100, text: str = HANDBOOK) -> str:
    start = text.index(words)
    found = excerpt(text, start, start + len(words), limit)
    assert found is not None
    return text[found.start : found.end]


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("at nine", "The office in Berlin has two doors. It opens at nine."),
        ("passport", "Bring the following:\n\n- a passport\n\n- a photo. It must be new."),
        ("30", "| City | Days |\n| --- | --- |\n| Berlin | 30 |\n| Milan | 28 |"),
        ("in random order", "``random``\n\n    Files come in random order."),
        ("outside", "May I smoke?\n\nYes, outside."),
        ("Parking", "The yard is closed."),
        ("Office", "The office in Berlin has two doors. It opens at nine."),
        ("City", "| City | Days |\n| --- | --- |\n| Berlin | 30 |\n| Milan | 28 |"),
    ],
    ids=["paragraph", "list", "table", "term", "question", "heading", "title", "header"],
)
def test_block_in_which_the_words_stand_is_cut_out(words: str, expected: str) -> None:
    assert cut(words) == expected


NESTED = """- Hours
  - Full time is 37 hours.
- Holiday
  - 26 days a year.
    - Two more after five years.
  - None in December.
- Sickness
- Parking
"""


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (
            "26 days",
            "- Holiday\n  - 26 days a year.\n    - Two more after five years.\n  - None in December.",
        ),
        ("Two more", "- 26 days a year.\n    - Two more after five years."),
        (
            "Holiday",
            "- Holiday\n  - 26 days a year.\n    - Two more after five years.\n  - None in December.",
        ),
        ("Parking", NESTED.strip()),
    ],
)
def test_of_a_nested_list_the_branch_of_the_answer_is_cut_out(words: str, expected: str) -> None:
    start = NESTED.index(words)
    found = excerpt(NESTED, start, start + len(words), 300, begins_at_answer=True)
    assert found is not None
    assert NESTED[found.start : found.end] == expected


def test_sentence_is_told_apart_from_what_stands_around_it() -> None:
    start = HANDBOOK.index("28")
    found = excerpt(HANDBOOK, start, start + 2, 100)
    assert found is not None
    assert (found.lead, found.sentence) == ("| City | Days |", "| Milan | 28 |")


def test_of_a_long_block_the_neighbours_are_cut_out() -> None:
    text = " ".join(f"This is sentence {number} of many." for number in range(50))
    shown = cut("sentence 25", 120, text)
    assert "This is sentence 24 of many. This is sentence 25 of many." in shown
    assert len(shown) <= 120


def test_excerpt_does_not_end_with_what_introduces_something_else() -> None:
    assert (
        cut("closed", 1000, "The yard is closed.\nNow bring:\n- a bag " + "x" * 2000) == "The yard is closed."
    )


def test_sentence_that_is_too_long_is_cut_around_the_words() -> None:
    text = "word " * 500 + "ANSWER " + "word " * 500
    assert "ANSWER" in cut("ANSWER", 300, text)
    assert len(cut("ANSWER", 300, text)) <= 300


def test_heading_alone_has_no_excerpt() -> None:
    assert excerpt("## Parking", 3, 10, 300) is None


@given(
    st.text(alphabet="ab .:|-#>*`\n1)是。?It ", max_size=200),
    st.integers(0, 200),
    st.integers(0, 60),
    st.integers(1, 200),
    st.booleans(),
    st.booleans(),
)
def test_excerpt_holds_its_sentence_and_keeps_to_the_limit(
    text: str, start: int, length: int, limit: int, wide: bool, begins: bool
) -> None:
    found = excerpt(text, start, start + length, limit, with_blocks_around=wide, begins_at_answer=begins)
    if found is not None:
        shown = text[found.start : found.end]
        assert found.sentence in shown
        assert found.lead in text
        assert 0 < len(shown) <= limit


@pytest.mark.parametrize("unit", ["- a:\n", "| a |\n", "It. ", "x:", "它。", "> ", "```\n", "  - ", "a?\n\n"])
def test_hostile_text_is_cut_in_a_moment(unit: str) -> None:
    started = time.perf_counter()
    excerpt(unit * 20_000, 50_000, 50_010, 600, with_blocks_around=True)
    assert time.perf_counter() - started < 10.0
