"""A place in a table is put into the row and the column that the question names."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.quoting import put_into_cell
from rag.values import Passage, PassageId, Place

TABLE = """Prices of the bar.

| Item | Category | Price | Supplier |
| --- | --- | ---: | --- |
| House white | Wine | 5.80 | Harcourt |
| Pale ale \\| local | Beer | 5.20 | Old Tannery |
| Lager | Beer | | Bidwell |

All prices with tax."""


def put(question: str, words: str, text: str = TABLE, covers: float = 0.9) -> tuple[str, float]:
    start = text.index(words)
    passage = Passage(PassageId("p"), "bar.md", "", text)
    place = put_into_cell(Place(passage.id, start, start + len(words), covers), passage, question, "en")
    return text[place.start : place.end], place.covers


@pytest.mark.parametrize(
    ("question", "words", "expected"),
    [
        pytest.param("who is the supplier of the pale ale", "Harcourt", "Old Tannery", id="another row"),
        pytest.param("what is the price of the house white", "Harcourt", "5.80", id="another column"),
        pytest.param("supplier of the pale ale", "5.80", "Old Tannery", id="both"),
    ],
)
def test_cell_of_a_neighbour_gives_way_to_the_one_that_is_named(
    question: str, words: str, expected: str
) -> None:
    assert put(question, words) == (expected, 0.69)


@pytest.mark.parametrize(
    ("question", "words"),
    [
        pytest.param("what does the house white cost", "5.80", id="the row that is named"),
        pytest.param("which beer do we have", "Pale ale", id="two rows that are named"),
        pytest.param("price of the lager", "Bidwell", id="an empty cell"),
        pytest.param("supplier of the pale ale", "All prices", id="outside of the table"),
        pytest.param("supplier of the pale ale", "Prices of", id="before the table"),
        pytest.param("supplier of the pale ale", "Item", id="the header"),
        pytest.param("supplier of the pale ale", "Harcourt |\n| Pale", id="two rows"),
    ],
)
def test_place_stays_as_it_is(question: str, words: str) -> None:
    assert put(question, words) == (words, 0.9)


def test_text_with_bars_and_no_rule_is_no_table() -> None:
    text = "| a | Harcourt |\n| pale ale | Old Tannery |\n| c | d |"
    assert put("supplier of the pale ale", "Harcourt", text) == ("Harcourt", 0.9)


@given(st.text(alphabet="|-ab \n\\:", max_size=200), st.integers(0, 200), st.integers(0, 20))
def test_place_of_any_text_stays_inside_it(text: str, start: int, length: int) -> None:
    start = min(start, len(text))
    passage = Passage(PassageId("p"), "x", "", text)
    place = Place(passage.id, start, min(start + length, len(text)), 0.9)
    found = put_into_cell(place, passage, "a b", "en")
    assert 0 <= found.start <= found.end <= len(text)


def test_huge_table_is_read_at_once() -> None:
    text = "| a | b |\n| --- | --- |\n" + "| pale ale | 5 |\n" * 50_000
    assert put("price", "pale ale", text) == ("pale ale", 0.9)
