"""Numbers that come as text: typed by people, or carried by buttons, which clients may change."""

from __future__ import annotations

from typing import Final

LARGEST_ID: Final = 2**52
"""Ids of Telegram have at most 52 significant bits, says the Bot API."""

_MOST_DIGITS: Final = 18


def read_number(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """Return a whole number of ASCII digits, at most so many; None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None


def read_id(text: str) -> int | None:
    """Return the id of a person, or the negative one of a group; None for anything else."""
    typed = text.strip()
    number = read_number(typed.removeprefix("-"))
    if number is None or not 0 < number <= LARGEST_ID:
        return None
    return -number if typed.startswith("-") else number
