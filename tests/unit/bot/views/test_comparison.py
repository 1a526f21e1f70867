"""Compared texts stay whole."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from bot.views.blocks import Section, Text, Words
from bot.views.comparison import compare


@given(st.text(max_size=60), st.text(max_size=60))
def test_compared_texts_are_whole(first: str, second: str) -> None:
    sides = compare(first, second, ("before", "after")).panels
    assert [said(side) for side in sides] == [first, second]
    if first == second:
        assert not any(words.styles for side in sides for words in words_of(side))


def said(side: Section) -> str:
    return "".join(words.text for words in words_of(side))


def words_of(side: Section) -> tuple[Words, ...]:
    (text,) = side.blocks
    assert isinstance(text, Text)
    return text.words
