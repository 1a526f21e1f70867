"""The bot is added, removed or blocked, or a group gets another id."""

from __future__ import annotations

from functools import partial
from typing import Final

import structlog

from bot.service.access import Access
from bot.service.incoming import Migrated, Presence
from bot.service.stopping import Stopping
from bot.storage.chats import Chats
from rag.loop.run import RunStep

_log = structlog.get_logger(__name__)

STEPS: Final = ("presence", "migrate", "abandon")


class Presences:
    """Keeps chats as they are.

    Args:
        chats: Where they are kept.
        access: Allows a group that an admin has added the bot to.
        stopping: Ends the work for a chat that is gone.
    """

    def __init__(self, chats: Chats, access: Access, stopping: Stopping) -> None:
        self._chats = chats
        self._access = access
        self._stopping = stopping

    async def changed(self, presence: Presence, run_step: RunStep) -> None:
        """Note whether the bot can write to a chat; for one that it cannot, all work ends."""
        is_gone: bool = await run_step("presence", partial(self._note, presence))
        if is_gone:
            await run_step("abandon", partial(self._stopping.abandon, presence.place.chat_id))

    async def migrated(self, migrated: Migrated, run_step: RunStep) -> None:
        """Move everything that belongs to a group along; both ids announce it, the second finds it done."""
        await run_step("migrate", partial(self._chats.migrate, migrated.old_chat_id, migrated.new_chat_id))
        _log.info("a group has another id", old=migrated.old_chat_id, new=migrated.new_chat_id)

    async def _note(self, presence: Presence) -> bool:
        """Keep what has changed; return whether nothing can be written to the chat any more."""
        chat_id, is_active = presence.place.chat_id, presence.is_active
        if not is_active and await self._chats.current_id(chat_id) != chat_id:
            # It has another id now, and nobody has removed the bot from there.
            return False
        await self._chats.seen(presence.place)
        await self._chats.set_active(chat_id, is_active=is_active)
        await self._access.admit_group(presence)
        return not is_active
