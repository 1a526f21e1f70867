"""Lanes, in which jobs run one at a time and in order, also when a group migrates to another id."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from bot.service.incoming import Place
from bot.service.keys import PeerId
from bot.storage.chats import Chats
from bot.telegram.ids import to_number

_FIRST_SUPERGROUP: Final = -1_000_000_000_000
"""Only chats with lower ids, which are supergroups, can have had another id before."""


class Lanes:
    """Names lanes by the first id of a chat.

    A question asked before a group became a supergroup may still be running when the next question arrives
    under the new id.
    """

    def __init__(self, chats: Chats) -> None:
        self._chats = chats
        self._first: dict[PeerId, PeerId] = {}

    async def of(self, place: Place) -> str:
        """Return the lane of a chat and topic."""
        if to_number(place.chat_id) > _FIRST_SUPERGROUP:
            return place.lane
        first = self._first.get(place.chat_id)
        if first is None:
            first = self._first[place.chat_id] = await self._chats.first_id(place.chat_id)
        return replace(place, chat_id=first).lane

    def note_move(self, old_id: PeerId, new_id: PeerId) -> None:
        """Note a migration at once: the next question may arrive before the migration is carried out."""
        self._first[new_id] = self._first.get(old_id, old_id)
