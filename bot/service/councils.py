"""Whether a question may go to the council: who may, where, and how often."""

from __future__ import annotations

from bot.clock import time_of_day
from bot.service.access import Access
from bot.service.incoming import Place, Sender
from bot.service.limits import Arrivals
from bot.service.people import Chat, Refusal, Role
from bot.service.rights import ADMINS
from bot.service.stores import Chats
from bot.settings.sections import ChatCouncil


def reason_not_to_hold(has: Role, chat: Chat, settings: ChatCouncil) -> Refusal | None:
    """Return why the council is not asked, whatever was asked before, or None. Pure."""
    if not settings.members:
        return Refusal("council-no-members")
    if settings.audience == "admins" and has not in ADMINS:
        return Refusal("council-admins")
    if not chat.has_council:
        return Refusal("council-off")
    return None


class Councils:
    """Decides on questions to the council."""

    def __init__(self, settings: ChatCouncil, arrivals: Arrivals, chats: Chats, roles: Access) -> None:
        self._settings = settings
        self._arrivals = arrivals
        self._chats = chats
        self._roles = roles

    async def check(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why a question does not go to the council, or None; for the same work it counts once.

        It was counted as a question before. Raises `OperatorError` when the store cannot be used.
        """
        has = await self._roles.role(sender, place)
        chat = await self._chats.get(place.chat_id)
        if (refusal := reason_not_to_hold(has, chat, self._settings)) is not None:
            return refusal
        limit = self._settings.chat_per_day
        until = await self._arrivals.settle_council(by, place.chat_id, limit)
        if until is None:
            return None
        told: dict[str, str | int] = {"limit": limit, "until": time_of_day(until)}
        return Refusal("limit-council", told, until=until)
