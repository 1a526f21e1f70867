from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.loaders.content import TextLimit
from rag.knowledge.loaders.tables import load_delimited


def text(content: str, limit: int = 100_000) -> str:
    sections = load_delimited(content, TextLimit(limit)).sections
    assert all(section.heading == "" for section in sections)
    return "\n".join(section.text for section in sections)


def test_rows_stand_below_the_names_of_their_columns() -> None:
    assert text("app,needs\nFxStore,Java 17\nКасса,Java 21\n") == (
        "| app | needs |\n| --- | --- |\n| FxStore | Java 17 |\n| Касса | Java 21 |"
    )


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_delimiter_is_seen_from_the_rows(delimiter: str) -> None:
    content = f"app{delimiter}price\nFxStore{delimiter}1.499\nCash desk{delimiter}2.000\n"
    assert "| FxStore | 1.499 |" in text(content)


def test_delimiter_may_be_named_in_the_first_line() -> None:
    assert text("sep=;\na;b,c\n1;2,5\n").startswith("| a | b,c |")


def test_quoted_values_hold_delimiters_and_line_ends() -> None:
    assert text('name,note\n"Smith, Ann","first\nsecond"\n').endswith("| Smith, Ann | first second |")


def test_blank_row_ends_a_table_and_a_single_value_is_a_line() -> None:
    assert text("Prices of May,\n\napp,price\nFxStore,5\n\nteam,lead\nCash,Ann\n") == (
        "Prices of May\n\n| app | price |\n| --- | --- |\n| FxStore | 5 |\n\n"
        "| team | lead |\n| --- | --- |\n| Cash | Ann |"
    )


def test_rows_without_names_of_columns_are_rows() -> None:
    assert text("1,2\n3,4\n") == "| 1 | 2 |\n| 3 | 4 |"


def test_names_of_many_columns_stand_beside_each_value() -> None:
    names = [f"property number {number}" for number in range(30)]
    values = [f"v{number}" if number % 2 else "" for number in range(30)]
    shown = text(",".join(names) + "\n" + ",".join(values) + "\nx" + "," * 29 + "\n")
    assert "- property number 0: x" in shown
    assert "property number 1: v1; property number 3: v3" in shown


def test_quote_that_never_ends_takes_the_rest_and_nothing_is_lost() -> None:
    assert "FxStore" in text('app,needs\n"FxStore,Java 17\nCash,Java 21\n')


@given(
    st.lists(
        st.lists(st.text(alphabet="abc XY12,\"'\nЖ漢", max_size=12), min_size=2, max_size=5), max_size=12
    )
)
def test_every_word_of_every_value_is_there(rows: list[list[str]]) -> None:
    file = io.StringIO()
    csv.writer(file).writerows(rows)
    shown = text(file.getvalue()).replace("\\|", "|")
    for row in rows:
        for cell in row:
            assert all(word in shown for word in cell.split())
