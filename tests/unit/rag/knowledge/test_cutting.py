"""Long texts are cut at the best places, and nothing is lost."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.knowledge.cutting import cut
from rag.knowledge.splitter import measure

ALPHABET = st.sampled_from(
    [*'ab1 \n\t.,;!?-*)"”»', "。", "，", "好", "한", "é", "e\u0301", "ก\u0e31", "👩\u200d🔧", "- ", "1. "]
)


@given(st.lists(ALPHABET, max_size=200).map("".join), st.integers(1, 30))
def test_parts_joined_are_the_text(text: str, size: int) -> None:
    parts = list(cut(text, size, measure))
    assert "".join(parts) == text
    assert all(parts)


@given(st.lists(st.sampled_from(["word", "good", "days"]), min_size=1, max_size=300), st.integers(2, 40))
def test_parts_are_no_larger_than_asked_where_words_can_be_cut(words: list[str], size: int) -> None:
    assert all(measure(part) <= size for part in cut(" ".join(words), size, measure))


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        pytest.param(
            "One two three. Four five six. Seven.",
            ["One two three. ", "Four five six. Seven."],
            id="sentences",
        ),
        pytest.param("a b:\n- c d e\n- f g h", ["a b:\n", "- c d e\n", "- f g h"], id="items of a list"),
        pytest.param("one two, three four five", ["one two, ", "three four five"], id="clauses"),
        pytest.param("one two three four five six", ["one two three four ", "five six"], id="words"),
        pytest.param(
            "我们周五发货。你们周一收到。", ["我们周五发货。", "你们周一收到。"], id="without spaces"
        ),
    ],
)
def test_best_place_comes_first(text: str, parts: list[str]) -> None:
    assert list(cut(text, 4, measure)) == parts


def test_no_letter_loses_its_accent() -> None:
    text = "x" * 39 + "e\u0301" * 60
    assert not any(part.startswith("\u0301") for part in cut(text, 1, lambda part: len(part)))
