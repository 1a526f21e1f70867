"""Fetches updates by long polling, and confirms them only when they are recorded.

The polling loop of python-telegram-bot keeps updates in memory and confirms them with its next call: a kill
then loses unfinished updates, and one update that it cannot parse blocks all others. This loop passes on the
raw updates.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, TypeAlias

import structlog
from telegram.error import Conflict, RetryAfter, TelegramError

from bot import kill_points
from bot.telegram.outbound.telegram_errors import Refused, pause, reason
from bot.telegram.startup import TokenError
from rag.errors import OperatorError

_log = structlog.get_logger(__name__)

_POLL_SECONDS: Final = 30
_LONGEST_PAUSE_SECONDS: Final = 30.0
# The previous process of the same bot may still be ending.
_CONFLICTS: Final = 5
_TOLD_FROM: Final = 3
_SAME_CONFLICT_SECONDS: Final = 300.0
"""Seconds within which conflicts count as one, even if polls in between succeeded: two pollers alternate."""


class SecondPollerError(OperatorError):
    """Another program asks Telegram for the updates of this bot: stop it, or give this one its own token."""


Fetch: TypeAlias = Callable[[int | None, int, Sequence[str]], Awaitable[list[dict[str, Any]]]]
"""Returns the next updates, and confirms those before an offset; see `Client.raw_updates`."""

Take: TypeAlias = Callable[..., Awaitable[None]]
"""Records an update, as `Intake.take` does; raises `OperatorError` when it cannot."""


class Polling:
    """The polling loop; `on_second_poller` tells the owner that another program polls as well."""

    def __init__(
        self,
        fetch: Fetch,
        take: Take,
        allowed: Sequence[str],
        on_contact: Callable[[], None] = lambda: None,
        on_second_poller: Callable[[], Awaitable[None]] | None = None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._fetch = fetch
        self._take = take
        self._allowed = allowed
        self._on_contact = on_contact
        self._on_second_poller = on_second_poller
        self._sleep = sleep
        self._now = now
        self._offset: int | None = None
        self._failures = 0
        self._conflicts = 0
        self._conflict_times: list[float] = []
        # Updates count as backlog until a poll returns none.
        self._is_backlog = True

    async def run(self) -> None:
        """Poll until cancelled; raises `SecondPollerError`, or `TokenError` when the token is rejected."""
        while True:
            try:
                await self._once()
            except Conflict as exc:
                self._conflicts += 1
                await self._note_conflict()
                if self._conflicts >= _CONFLICTS:
                    raise SecondPollerError from exc
                await self._wait(exc)
            except TelegramError as exc:
                if reason(exc) in {Refused.UNAUTHORIZED, Refused.UNKNOWN_METHOD}:
                    raise TokenError from exc
                await self._wait(exc)
            except OperatorError as exc:
                await self._wait(exc)

    async def _once(self) -> None:
        # Waiting updates arrive at once, so this poll need not wait.
        updates = await self._fetch(self._offset, 0 if self._is_backlog else _POLL_SECONDS, self._allowed)
        self._on_contact()
        for raw in updates:
            await self._take(raw, is_backlog=self._is_backlog)
            kill_points.point("taken")
            update_id = raw.get("update_id")
            if isinstance(update_id, int):
                # Ids may restart lower after a week without updates, so the last id counts, not the highest.
                self._offset = update_id + 1
        if self._failures > self._conflicts:
            _log.warning("updates come in again")
        self._failures = self._conflicts = 0
        self._is_backlog = self._is_backlog and bool(updates)

    async def _note_conflict(self) -> None:
        """Log the first conflict of a period, and tell the owner when conflicts continue."""
        now = self._now()
        self._conflict_times = [at for at in self._conflict_times if now - at < _SAME_CONFLICT_SECONDS]
        # The latest conflicts are enough to see that they continue.
        self._conflict_times = [*self._conflict_times[-_TOLD_FROM:], now]
        if len(self._conflict_times) == 1:
            _log.warning("another program asks Telegram for the updates of this bot")
        if len(self._conflict_times) == _TOLD_FROM and self._on_second_poller is not None:
            try:
                await self._on_second_poller()
            except OperatorError as exc:
                _log.warning("the owner was not told of the other program", reason=str(exc))

    async def _wait(self, error: Exception) -> None:
        self._failures += 1
        self._is_backlog = True
        seconds = min(2.0 ** min(self._failures - 1, 10), _LONGEST_PAUSE_SECONDS)
        if isinstance(error, RetryAfter):
            seconds = max(seconds, pause(error, seconds))
        # Logged once, not at every try of a night without network.
        if self._failures - self._conflicts == 1 and not isinstance(error, Conflict):
            _log.warning("no updates come in", reason=str(error), retry_in_seconds=seconds)
        await self._sleep(seconds)
