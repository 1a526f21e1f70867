"""Sentences of the catalogues."""

from __future__ import annotations

import pytest

from bot.texts import TEXTS
from rag.texts import LONGEST_VALUE


@pytest.mark.parametrize("length", [LONGEST_VALUE, LONGEST_VALUE + 1, 100_000])
def test_value_of_any_length_stands_in_its_sentence(length: int) -> None:
    told = TEXTS.text("remove-unknown", name="x" * length)

    assert told.startswith("There is no added document x")
    assert told.count("x") >= min(length, LONGEST_VALUE) - 1
    assert ("…" in told) == (length > LONGEST_VALUE)
