"""Parses numbers from text: typed by people, or from payloads of buttons, which clients may forge."""

from __future__ import annotations

from typing import Final

from bot.service.keys import PeerId
from bot.telegram.ids import to_peer

LARGEST_ID: Final = 2**52
"""Largest id: Telegram's ids have at most 52 significant bits (Bot API reference)."""

_MOST_DIGITS: Final = 18


def read_number(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """Parse a whole number of at most `most_digits` ASCII digits; return None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None


def read_id(text: str) -> PeerId | None:
    """Parse Telegram's number of a person, or the negative one of a group; return None for anything else."""
    typed = text.strip()
    number = read_number(typed.removeprefix("-"))
    if number is None or not 0 < number <= LARGEST_ID:
        return None
    return to_peer(-number if typed.startswith("-") else number)
