"""A refusal is read at once, and changes the next request or nothing; the rows are in `test_model_servers`."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.quirks import REASONING, Quirks, learn, with_room_for_thinking


def test_a_model_that_thinks_gets_room_once() -> None:
    roomy = with_room_for_thinking(Quirks())
    assert roomy is not None
    assert roomy.limit_for(200) >= 1000
    assert with_room_for_thinking(roomy) is None


@given(st.text(), st.integers(1, 10_000))
def test_any_refusal_gives_another_way_or_none(words: str, tokens: int) -> None:
    assert learn(REASONING, words, tokens) != REASONING


@pytest.mark.parametrize(
    "hostile", ["invalid " * 20_000, "context 1" * 20_000, "9" * 100_000, "stream " * 20_000]
)
def test_hostile_refusal_is_read_at_once(hostile: str) -> None:
    assert learn(Quirks(), hostile, 200) in {None, Quirks(limit="max_completion_tokens")}
