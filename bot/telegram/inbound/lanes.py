"""Lanes: what is worked on one at a time and in order, also across the move of a group to another id."""

from __future__ import annotations

from dataclasses import replace
from typing import Final, Protocol

from bot.service.incoming import Place

_FIRST_SUPERGROUP: Final = -1_000_000_000_000
"""Only chats with ids below it were once another chat."""


class Chats(Protocol):
    """What is kept of chats; see `bot.storage.chats.Chats`."""

    async def first_id(self, chat_id: int) -> int:
        """Return the id that the chat had at first."""
        ...


class Lanes:
    """Names lanes by the id that a chat had at first.

    What was asked before a group became a supergroup may still be at work when the next question comes in
    under the new id.

    Args:
        chats: Where it is kept which chat has moved.
    """

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._first: dict[int, int] = {}

    async def of(self, place: Place) -> str:
        """Return the lane of a chat and topic.

        Raises:
            StorageError: the database cannot be used.
        """
        if place.chat_id > _FIRST_SUPERGROUP:
            return place.lane
        first = self._first.get(place.chat_id)
        if first is None:
            first = self._first[place.chat_id] = await self._chats.first_id(place.chat_id)
        return replace(place, chat_id=first).lane

    def moved(self, old_id: int, new_id: int) -> None:
        """Note a move as soon as it is known: the next question comes before the move is carried out."""
        self._first[new_id] = self._first.get(old_id, old_id)
