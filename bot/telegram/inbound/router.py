"""Passes recorded updates to their handlers."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from bot.service.apologies import Apologies
from bot.service.errors import ChatGoneError
from bot.service.incoming import Asked, Me, Overheard
from bot.service.stopping import Stopping
from bot.telegram.inbound.inbox import EDIT, PART, UPDATE, Intake, update_id_of
from bot.telegram.inbound.parsing import parse_raw_update
from bot.telegram.outbound.notes import Notes
from rag.reasons import from_json
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

Handler = Callable[[Any, RunStep], Awaitable[None]]
"""Handles one kind of parsed update: ``await handler(incoming, run_step)``."""


class Dispatch:
    """Carries out the jobs of kind `UPDATE`.

    Args:
        me: The bot's own account.
        handlers: The handlers, by type of the parsed update.
    """

    def __init__(self, me: Me, handlers: Mapping[type, Handler]) -> None:
        self._me = me
        self._handlers = handlers

    async def __call__(self, payload: str, run_step: RunStep) -> None:
        """Handle an update; `payload` is the update as JSON."""
        incoming = parse_raw_update(json.loads(payload), self._me)
        handler = self._handlers.get(type(incoming))
        if handler is None:
            _log.info("nothing handles this", update=update_id_of(incoming), kind=type(incoming).__name__)
            return
        try:
            await handler(incoming, run_step)
        except ChatGoneError:
            _log.info("the chat is gone", update=update_id_of(incoming))


class Edits:
    """Carries out the jobs of kind `EDIT`: answers the new text of a question instead of the former text.

    Args:
        me: The bot's own account.
        inbox: Records the job that answers the new text.
        stopping: Cancels the job for the former text.
    """

    def __init__(self, me: Me, inbox: Intake, stopping: Stopping) -> None:
        self._me = me
        self._inbox = inbox
        self._stopping = stopping

    async def __call__(self, payload: str, run_step: RunStep) -> None:
        """Handle an edit; `payload` is the update as JSON."""
        asked = parse_raw_update(json.loads(payload), self._me)
        if isinstance(asked, Asked) and await self._stopping.withdraw(asked, run_step):
            await self._inbox.admit(asked, payload)


class Failures:
    """Carries out the jobs of kind `FAILED`: apologises to the asker, and tells the admins.

    Args:
        me: The bot's own account.
        apologies: Ends questions whose job was given up.
        notes: Apologises for commands and presses, and tells the admins.
    """

    def __init__(self, me: Me, apologies: Apologies, notes: Notes) -> None:
        self._me = me
        self._apologies = apologies
        self._notes = notes

    async def __call__(self, payload: str, run_step: RunStep) -> None:
        """Handle a job that was given up; `payload` describes that job as JSON."""
        failed = json.loads(payload)
        if failed["kind"] in {UPDATE, EDIT, PART}:
            incoming = parse_raw_update(json.loads(failed["payload"]), self._me)
            # Failures recorded by an earlier version do not name the job.
            work_id = failed.get("id", "")
            match incoming:
                case Asked() as asked:
                    await self._apologies.apologise(asked, work_id, run_step)
                case Overheard(message=message):
                    # Nobody waits for an overheard question: its row is closed, its placeholder removed.
                    asked = Asked(message, message.text, "mention")
                    await self._apologies.apologise(asked, work_id, run_step, is_addressed=False)
                case _:
                    await self._notes.apologise(incoming, run_step)
        # The admins hear of a cause once, however many people met it; the log has every failure.
        await self._notes.tell_failure(
            from_json(failed["reason"]), hashlib.sha256(payload.encode()).hexdigest()[:16]
        )
