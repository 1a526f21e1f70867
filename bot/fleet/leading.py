"""Work that one machine of the fleet does at a time, such as asking Telegram for updates."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final

import structlog

from bot.fleet.machines import LEASE_SECONDS, Machines
from bot.service.errors import StorageError

_log = structlog.get_logger(__name__)

_TRY_SECONDS: Final = 2.0
_SAFE_SECONDS: Final = LEASE_SECONDS - 2.0
"""A leader that could not renew its lease for so long stops, before another machine may begin."""


class Leading:
    """Does something while this machine holds a lease.

    Args:
        now: A clock that never jumps and goes on while the process is stopped, in seconds.
        sleep: Waits for seconds of that clock.
    """

    def __init__(
        self,
        machines: Machines,
        lease: str,
        machine: str,
        *,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._machines = machines
        self._lease = lease
        self._machine = machine
        self._now = now
        self._sleep = sleep
        self._renewed_at = float("-inf")

    def is_leading(self) -> bool:
        """Return whether no other machine can hold the lease now."""
        return self._now() - self._renewed_at < _SAFE_SECONDS

    async def run(self, work: Callable[[], Awaitable[None]]) -> None:
        """Do `work` whenever this machine holds the lease, until cancelled; an error of the work ends it.

        The work goes on until it is cancelled, and is begun anew each time when the lease comes back.
        """
        task: asyncio.Future[None] | None = None
        try:
            while True:
                await self._renew()
                if self.is_leading() and task is None:
                    _log.info("this machine leads", lease=self._lease)
                    task = asyncio.ensure_future(work())
                elif not self.is_leading() and task is not None:
                    _log.warning("this machine leads no longer", lease=self._lease)
                    await _cancel(task)
                    task = None
                await self._pause(task)
        finally:
            if task is not None:
                await _cancel(task)
            with suppress(StorageError):
                await self._machines.release(self._lease, self._machine)

    async def _renew(self) -> None:
        began = self._now()
        try:
            if await self._machines.hold(self._lease, self._machine):
                self._renewed_at = began
            else:
                self._renewed_at = float("-inf")
        except StorageError as exc:
            _log.warning("a lease could not be renewed", lease=self._lease, reason=str(exc))

    async def _pause(self, task: asyncio.Future[None] | None) -> None:
        """Wait until the next try, or until the work has ended, which only an error does."""
        pause = asyncio.ensure_future(self._sleep(_TRY_SECONDS))
        try:
            await asyncio.wait({pause, *([task] if task else [])}, return_when=asyncio.FIRST_COMPLETED)
            if task is not None and task.done():
                task.result()
        finally:
            pause.cancel()


async def _cancel(task: asyncio.Future[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
