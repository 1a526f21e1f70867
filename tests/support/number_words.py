"""The numbers that are read in a text, for tests of numbers in words."""

from __future__ import annotations

from rag.language.units import units


def numbers_in(text: str, language: str = "") -> list[set[str]]:
    """Return the values that each number of a text may have, without measures."""
    return [
        {reading.partition(" ")[0] for reading in unit.readings}
        for unit in units(text, language)
        if unit.kind == "number"
    ]
