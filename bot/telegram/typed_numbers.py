"""Parses numbers from text: typed by people, or from payloads of buttons, which clients may forge."""

from __future__ import annotations

from typing import Final

_MOST_DIGITS: Final = 18


def read_number(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """Parse a whole number of at most `most_digits` ASCII digits; return None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None
