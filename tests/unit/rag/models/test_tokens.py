"""Estimated tokens: never zero for a text, never absurd for a script."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.tokens import estimate_prompt_tokens, estimate_tokens


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        # Bounds: what the tokenizers of current models make of these, give or take a half.
        pytest.param("The quick brown fox jumps over the lazy dog.", 8, 15, id="english"),
        pytest.param("Съешь ещё этих мягких французских булок.", 10, 22, id="russian"),
        pytest.param("敏捷的棕色狐狸跳过了懒狗", 8, 14, id="chinese"),
        pytest.param("다람쥐 헌 쳇바퀴에 타고파", 8, 16, id="korean"),
        pytest.param("", 0, 0, id="empty"),
    ],
)
def test_estimate_is_near_what_tokenizers_count(text: str, least: int, most: int) -> None:
    assert least <= estimate_tokens(text) <= most


@given(st.text(min_size=1))
def test_every_text_costs_something_and_no_character_more_than_one_token(text: str) -> None:
    assert 1 <= estimate_tokens(text) <= len(text)


@given(st.text(), st.text())
def test_a_longer_text_never_costs_less(first: str, second: str) -> None:
    assert estimate_tokens(first + second) >= estimate_tokens(first)


def test_a_prompt_costs_more_than_its_texts() -> None:
    assert estimate_prompt_tokens(["hello", "there"]) > estimate_tokens("hello") + estimate_tokens("there")
