from __future__ import annotations

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.quoting.pieces import leans, pieces

HANDBOOK = """The office in Berlin has two doors. It opens at nine.

Bring the following:

- a passport
- a photo. It must be new.

| City | Days |
| --- | --- |
| Berlin | 30 |
| Milan | 28 |

Run this:

```
make it
```

## Parking

The yard is closed.
"""


def _quotes(text: str) -> dict[str, str]:
    return {text[one.start : one.end]: text[one.quote_start : one.quote_end] for one in pieces(text)}


@pytest.mark.parametrize(
    ("piece", "quote"),
    [
        ("It opens at nine.", "The office in Berlin has two doors. It opens at nine."),
        ("- a passport", "Bring the following:\n\n- a passport"),
        ("Bring the following:", "Bring the following:\n\n- a passport\n- a photo. It must be new."),
        ("| Berlin | 30 |", "| City | Days |\n| --- | --- |\n| Berlin | 30 |"),
        ("Run this:", "Run this:\n\n```\nmake it\n```"),
        ("```\nmake it\n```", "Run this:\n\n```\nmake it\n```"),
        ("The yard is closed.", "The yard is closed."),
    ],
    ids=["pronoun", "list item", "introduction", "table row", "before code", "code", "plain sentence"],
)
def test_quote_can_be_read_alone(piece: str, quote: str) -> None:
    assert _quotes(HANDBOOK)[piece] == quote


@pytest.mark.parametrize(
    ("text", "quotes"),
    [
        ("How long is the leave? Twelve weeks.", ["How long is the leave? Twelve weeks."] * 2),
        ("**May I smoke?**\n\nYes, outside.", ["**May I smoke?**\n\nYes, outside."] * 2),
        ("Почему закрыто? Ремонт.", ["Почему закрыто? Ремонт."] * 2),
        ("为什么关门？因为装修。", ["为什么关门？因为装修。"] * 2),
        ("The bank is closed. By which issue was it hit?", ["The bank is closed."]),
        ("Why? How?", []),
        ("Is it heated?\n\n## Parking\n\nYes.", ["Yes."]),
        ("May I smoke?\n\n---\n\nThe fee is 4 euros.", ["The fee is 4 euros."]),
        ("May I smoke? May I vape? Yes.", ["May I vape? Yes."] * 2),
        ("May I smoke?! No.", ["May I smoke?! No."] * 2),
        ("Which are open?\n\n- Rome\n- Paris", ["Which are open?\n\n- Rome\n- Paris", "- Rome", "- Paris"]),
        ('The film is "Who is afraid?"', ['The film is "Who is afraid?"']),
    ],
    ids=[
        "one line",
        "two paragraphs",
        "ru",
        "zh",
        "without an answer",
        "questions alone",
        "heading between",
        "rule between",
        "two in a row",
        "two marks",
        "list",
        "name",
    ],
)
def test_question_is_quoted_with_its_answer_or_not_at_all(text: str, quotes: list[str]) -> None:
    assert [text[one.quote_start : one.quote_end] for one in pieces(text)] == quotes


def test_headings_and_table_heads_are_no_pieces() -> None:
    found = _quotes(HANDBOOK)
    assert "## Parking" not in found
    assert "| City | Days |" not in found
    assert "| --- | --- |" not in found


def test_heading_is_known_to_what_stands_under_it() -> None:
    assert pieces(HANDBOOK)[-1].heading == "Parking"


def test_table_row_behind_others_is_quoted_without_them_and_keeps_the_head_as_its_lead() -> None:
    rows = "\n".join(f"| City {number} | {number} days off |" for number in range(30))
    first, *others = pieces(f"| City | Days |\n| --- | --- |\n{rows}")
    assert first.lead == ""
    assert first.quote_start == 0
    assert {one.lead for one in others} == {"| City | Days |"}
    assert all((one.quote_start, one.quote_end) == (one.start, one.end) for one in others)


def test_nested_item_is_introduced_by_the_item_above_it() -> None:
    text = "Leave:\n\n- in Milan\n  - two days\n- in Berlin\n  - three days"
    assert [one.before for one in pieces(text)][2::2] == ["- in Milan", "- in Berlin"]


def test_long_sentence_before_a_pronoun_stays_out_of_the_quote() -> None:
    text = f"The {'very ' * 80}old yard is closed. It opens in May."
    assert _quotes(text)["It opens in May."] == "It opens in May."


@pytest.mark.parametrize(
    "sentence",
    [
        "It is closed.",
        "Это запрещено.",
        "Estos no se pagan.",
        "Ini dilarang.",
        "이는 금지됩니다.",
        "这是禁止的。",
    ],
)
def test_sentence_that_points_back_leans_in_every_language(sentence: str) -> None:
    assert leans(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Itemised bills are kept.",
        "Этажи закрыты.",
        "Estonia paga.",
        "Inisiatif dibayar.",
        "김민수가 승인합니다.",
        "北京关门。",
    ],
)
def test_sentence_that_names_its_subject_does_not_lean(sentence: str) -> None:
    assert not leans(sentence)


@given(st.text(alphabet="ab .:|-#>*`\n1)是。它It ", max_size=200))
def test_pieces_stand_in_order_inside_their_text_and_their_quotes(text: str) -> None:
    found = pieces(text)
    assert [one.start for one in found] == sorted(one.start for one in found)
    for one in found:
        assert 0 <= one.quote_start <= one.start < one.end <= len(text)
        assert one.quote_start < one.quote_end <= len(text)
        assert one.lead in text
        assert one.before in text


@pytest.mark.parametrize("unit", ["- a:\n", "| a |\n", "It. ", "x:", "它。", "> ", "```\n", "  - "])
def test_hostile_text_is_cut_in_a_moment(unit: str) -> None:
    started = time.perf_counter()
    pieces(unit * 20_000)
    assert time.perf_counter() - started < 10.0
