"""Asks Telegram for updates, and confirms them only when they are recorded.

The library's own loop keeps updates in memory and confirms them with its next call: a kill then loses
what was not finished, and one update that it cannot parse stops all others. This one hands over what
Telegram sent as it is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, Final, Protocol

import structlog
from telegram import Bot
from telegram.error import Conflict, InvalidToken, RetryAfter, TelegramError

from bot.telegram.refusals import pause
from bot.telegram.startup import TokenError
from rag.errors import OperatorError

_log = structlog.get_logger(__name__)

_BATCH: Final = 100
_POLL_SECONDS: Final = 30
# Beyond Telegram's own time, for the answer to travel.
_PATIENCE_SECONDS: Final = 15.0
_LONGEST_PAUSE_SECONDS: Final = 30.0
# An older process of the same bot may just be ending.
_CONFLICTS: Final = 5


class SecondPollerError(OperatorError):
    """Another program asks Telegram for the updates of this bot: stop it, or give this one its own token."""


class Take(Protocol):
    """Records an update; raises `OperatorError` when it cannot."""

    async def __call__(self, raw: dict[str, Any], *, is_backlog: bool) -> None:
        """Record it."""
        ...


class Polling:
    """The loop.

    Args:
        bot: The client.
        take: Records an update.
        allowed: Kinds of updates to ask for.
        on_contact: Called whenever Telegram has answered.
        sleep: Waits for seconds.
    """

    def __init__(
        self,
        bot: Bot,
        take: Take,
        allowed: Sequence[str],
        on_contact: Callable[[], None] = lambda: None,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._bot = bot
        self._take = take
        self._allowed = list(allowed)
        self._on_contact = on_contact
        self._sleep = sleep
        self._offset = 0
        self._failures = 0
        self._conflicts = 0
        # What comes before Telegram has nothing more to hand out may have waited there.
        self._is_backlog = True

    async def run(self) -> None:
        """Poll until cancelled.

        Raises:
            SecondPollerError: somebody else polls as well.
            TokenError: the token does not work any more.
        """
        while True:
            try:
                await self._once()
            except Conflict as exc:
                self._conflicts += 1
                if self._conflicts >= _CONFLICTS:
                    raise SecondPollerError from exc
                await self._wait(exc)
            except InvalidToken as exc:
                raise TokenError from exc
            except (TelegramError, OperatorError) as exc:
                await self._wait(exc)

    async def _once(self) -> None:
        updates = await self._fetched()
        self._on_contact()
        for raw in updates:
            await self._take(raw, is_backlog=self._is_backlog)
            update_id = raw.get("update_id")
            if isinstance(update_id, int):
                # Ids may start again lower after a quiet week: the last one counts, not the highest.
                self._offset = update_id + 1
        if self._failures or self._conflicts:
            _log.warning("updates come in again")
        self._failures = self._conflicts = 0
        self._is_backlog = self._is_backlog and bool(updates)

    async def _fetched(self) -> list[dict[str, Any]]:
        # What is there already comes at once.
        seconds = 0 if self._is_backlog else _POLL_SECONDS
        asked: dict[str, Any] = {"timeout": seconds, "limit": _BATCH, "allowed_updates": self._allowed}
        if self._offset:
            asked["offset"] = self._offset
        updates = await self._bot.do_api_request(
            "getUpdates", api_kwargs=asked, read_timeout=seconds + _PATIENCE_SECONDS
        )
        return [raw for raw in updates if isinstance(raw, dict)]

    async def _wait(self, error: Exception) -> None:
        self._failures += 1
        self._is_backlog = True
        seconds = min(2.0 ** min(self._failures - 1, 10), _LONGEST_PAUSE_SECONDS)
        if isinstance(error, RetryAfter):
            seconds = max(seconds, pause(error, seconds))
        # Once, and not at every try of a night without network.
        if self._failures == 1:
            _log.warning("no updates come in", reason=str(error), retry_in_seconds=seconds)
        await self._sleep(seconds)
