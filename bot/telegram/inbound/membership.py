"""Notes that the bot was added, removed or blocked, or that a group got another id."""

from __future__ import annotations

from functools import partial

import structlog

from bot.service.incoming import Migrated, Presence
from bot.telegram.services import Services
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


class Presences:
    """Keeps the stored chats up to date."""

    def __init__(self, services: Services) -> None:
        self._chats = services.parts.chats
        self._access = services.parts.access
        self._stopping = services.stopping

    async def note_change(self, presence: Presence, run_step: RunStep) -> None:
        """Store whether the bot can write to a chat; stop all answers to a chat that it cannot write to."""
        is_gone: bool = await run_step("presence", partial(self._note, presence))
        if is_gone:
            await run_step("abandon", partial(self._stopping.abandon, presence.place.chat_id))

    async def migrate(self, migrated: Migrated, run_step: RunStep) -> None:
        """Move a migrated group's data to its new id.

        Telegram announces a migration under the old and the new id; the second call changes nothing.
        """
        await run_step("migrate", partial(self._chats.migrate, migrated.old_chat_id, migrated.new_chat_id))
        _log.info("a group has another id", old=migrated.old_chat_id, new=migrated.new_chat_id)

    async def _note(self, presence: Presence) -> bool:
        """Store the change; return whether the chat can no longer be written to."""
        chat_id, is_active = presence.place.chat_id, presence.is_active
        if not is_active and await self._chats.current_id(chat_id) != chat_id:
            # The group has migrated: the bot left the old id only, and is still a member under the new one.
            return False
        await self._chats.seen(presence.place)
        await self._chats.set_active(chat_id, is_active=is_active)
        await self._access.admit_group(presence)
        return not is_active
