"""Takes a recorded update to what handles it."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import structlog

from bot.service.incoming import Asked, Me
from bot.telegram.inbound.inbox import Queue, turn, update_id_of
from bot.telegram.inbound.lanes import Lanes
from bot.telegram.inbound.parsing import meaning
from bot.telegram.outbound.retries import ChatGoneError
from bot.telegram.reception import Reception
from bot.telegram.stopping import Stopping
from rag.loop.run import RunStep

_log = structlog.get_logger(__name__)

Handler = Callable[[Any, RunStep], Awaitable[None]]
"""Handles one kind of value: ``await handler(incoming, run_step)``."""


class Dispatch:
    """Carries out the jobs of kind `UPDATE`.

    Args:
        me: The bot.
        handlers: What handles each kind of value.
    """

    def __init__(self, me: Me, handlers: Mapping[type, Handler]) -> None:
        self._me = me
        self._handlers = handlers

    async def __call__(self, payload: str, run_step: RunStep) -> None:
        """Handle an update; `payload` is it as JSON."""
        incoming = meaning(json.loads(payload), self._me)
        handler = self._handlers.get(type(incoming))
        if handler is None:
            _log.info("nothing handles this", update=update_id_of(incoming), kind=type(incoming).__name__)
            return
        try:
            await handler(incoming, run_step)
        except ChatGoneError:
            _log.info("the chat is gone", update=update_id_of(incoming))


class Edits:
    """Carries out the jobs of kind `EDIT`: the new text of a question is answered instead of the former one.

    Args:
        me: The bot.
        queue: Takes the job that answers the new text.
        lanes: Where questions wait for those before them.
        reception: Tells whoever has to wait.
        stopping: Ends the work for the former text.
    """

    def __init__(self, me: Me, queue: Queue, lanes: Lanes, reception: Reception, stopping: Stopping) -> None:
        self._me = me
        self._queue = queue
        self._lanes = lanes
        self._reception = reception
        self._stopping = stopping

    async def __call__(self, payload: str, run_step: RunStep) -> None:
        """Handle an edit; `payload` is it as JSON."""
        asked = meaning(json.loads(payload), self._me)
        if not isinstance(asked, Asked) or not await self._stopping.withdraw(asked, run_step):
            return
        lane = await self._lanes.of(asked.message.place)
        if await self._queue.submit(turn(self._me, asked, payload, lane)):
            self._reception.expect(asked)
