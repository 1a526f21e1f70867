"""Converts Telegram's numbers of people and chats into the ids that the service knows, and back."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from bot.service import keys
from bot.service.keys import PeerId
from bot.service.people import Person

_PREFIX: Final = "telegram:"


def to_peer(number: int) -> PeerId:
    """Return the id of Telegram's person or chat; Telegram gives groups and channels negative numbers."""
    return keys.group("telegram", str(-number)) if number < 0 else keys.peer("telegram", str(number))


def keep_those_of_telegram(people: Iterable[Person]) -> tuple[Person, ...]:
    """Return the people who can be written to in Telegram: those whose ids this channel made."""
    return tuple(person for person in people if person.id.startswith(_PREFIX))


def to_number(peer_id: PeerId) -> int:
    """Return the number by which Telegram knows a person or a chat; `ValueError` for another channel's id."""
    if not peer_id.startswith(_PREFIX):
        raise ValueError(f"{peer_id} is no id of Telegram")
    return int(peer_id.removeprefix(_PREFIX))


_MOST_DIGITS: Final = 18


def read_number(text: str, most_digits: int = _MOST_DIGITS) -> int | None:
    """Parse a whole number of at most `most_digits` ASCII digits; return None for anything else."""
    return int(text) if text.isascii() and text.isdigit() and len(text) <= most_digits else None
