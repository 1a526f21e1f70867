"""Passes each recorded update to the handler of its kind, and ends what was given up."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import structlog

from bot.service.apologies import Apologies
from bot.service.errors import ChatGoneError
from bot.service.incoming import Asked, Migrated, Overheard, Presence
from bot.telegram.inbound.inbox import EDIT, PART, UPDATE, Intake, update_id_of
from bot.telegram.inbound.parsing import parse_raw_update
from bot.telegram.services import Services
from rag.reasons import from_json
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

Handler = Callable[[Any, RunStep], Awaitable[None]]
"""Handles one kind of parsed update: ``await handler(incoming, run_step)``."""


@dataclass(frozen=True, slots=True)
class Router:
    """Carries out jobs whose payload is an update, or a failed job, as JSON."""

    services: Services
    intake: Intake
    apologies: Apologies
    handlers: Mapping[type, Handler]

    async def handle(self, payload: str, run_step: RunStep) -> None:
        """Handle an update; carries out `UPDATE`."""
        incoming = parse_raw_update(json.loads(payload), self.services.me)
        handler = self.handlers.get(type(incoming))
        if handler is None:
            _log.info("nothing handles this", update=update_id_of(incoming), kind=type(incoming).__name__)
            return
        try:
            await handler(incoming, run_step)
        except ChatGoneError:
            _log.info("the chat is gone", update=update_id_of(incoming))

    async def edit(self, payload: str, run_step: RunStep) -> None:
        """Answer the new text of a question instead of the former text; carries out `EDIT`."""
        asked = parse_raw_update(json.loads(payload), self.services.me)
        if isinstance(asked, Asked) and await self.services.stopping.withdraw(asked, run_step):
            await self.intake.admit(asked, payload)

    async def give_up(self, payload: str, run_step: RunStep) -> None:
        """Apologise for a job that was given up, and tell the admins; carries out `FAILED`."""
        failed = json.loads(payload)
        if failed["kind"] in {UPDATE, EDIT, PART}:
            incoming = parse_raw_update(json.loads(failed["payload"]), self.services.me)
            # Failures recorded by an earlier version do not name the job.
            work_id = failed.get("id", "")
            match incoming:
                case Asked() as asked:
                    await self.apologies.apologise(asked, work_id, run_step)
                case Overheard(message=message):
                    # Nobody waits for an overheard question: its row is closed, its placeholder removed.
                    asked = Asked(message, message.text, "mention")
                    await self.apologies.apologise(asked, work_id, run_step, is_addressed=False)
                case _:
                    await self.services.notes.apologise(incoming, run_step)
        # The admins hear of a cause once, however many people met it; the log has every failure.
        await self.services.notes.tell_failure(
            from_json(failed["reason"]), hashlib.sha256(payload.encode()).hexdigest()[:16]
        )


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
        """Move a migrated group's data to its new id; Telegram announces it twice, and twice does no harm."""
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
