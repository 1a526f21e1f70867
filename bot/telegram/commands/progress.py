"""Shows the progress of a sync in one message, as often as Telegram's limits allow."""

from __future__ import annotations

import asyncio
from contextlib import suppress
from types import TracebackType
from typing import Final, Self

import structlog

from bot.telegram.commands.context import Context
from bot.telegram.outbound.messages import Posted
from bot.telegram.rendering import text_parts
from rag.knowledge.sync import Progress

_log = structlog.get_logger(__name__)

_EVERY_SECONDS: Final = 2.0
_WIDTH: Final = 12


def bar(done: int, total: int) -> str:
    """Return a progress bar with its numbers, such as ``▓▓░░ 3/7``."""
    filled = _WIDTH * min(done, total) // total if total else _WIDTH
    return f"{'▓' * filled}{'░' * (_WIDTH - filled)} {done}/{total}"


class Watch:
    """Shows the progress of a sync in a message; called from the thread that syncs.

    Args:
        context: The command.
        shown: The message.
        heading: Catalogue id of the message's first line.
    """

    def __init__(self, context: Context, shown: Posted, heading: str) -> None:
        self._context = context
        self._shown = shown
        self._heading = heading
        self._newest: Progress | None = None
        self._is_over = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    def __call__(self, progress: Progress) -> None:
        """Note the latest progress."""
        self._newest = progress

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._follow())
        return self

    async def __aexit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        assert self._task is not None  # entered
        # A running call is awaited, not cancelled: it could arrive after the result, which is shown in the
        # same message, and overwrite it.
        self._is_over.set()
        await asyncio.wait({self._task})
        if not self._task.cancelled() and (failure := self._task.exception()) is not None:
            _log.error("progress could not be shown", exc_info=failure)

    async def _follow(self) -> None:
        told: Progress | None = None
        delivery = self._context.services.delivery
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(_EVERY_SECONDS):
                    await self._is_over.wait()
            if self._is_over.is_set():
                return
            newest = self._newest
            if newest is None or newest == told:
                continue
            part = text_parts(self._text(newest))[0]
            place = self._shown.of(self._context.place)
            if await delivery.show(place, self._shown.message_id, part):
                told = newest

    def _text(self, progress: Progress) -> str:
        context = self._context
        phase = context.text(f"phase-{progress.phase}")
        return f"{context.text(self._heading)}\n{phase} {bar(progress.done, progress.total)}"
