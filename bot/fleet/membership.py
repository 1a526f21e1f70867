"""This machine as a member of the fleet: its heartbeats, and taking over the work of dead machines.

A machine that cannot record a heartbeat (it was stopped, or cut off from the database) stops acting after
`FENCE_SECONDS`, before the others declare it dead after `DEAD_SECONDS`. So a machine that only slept sends
nothing for work that others have taken over, and what it would record is refused. A machine that was
declared dead ends; whoever runs it starts it again.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable, Collection
from typing import Final

import structlog

from bot.fleet.machines import Machines
from bot.service.errors import StorageError
from bot.service.fence import DEAD_SECONDS, Fence
from rag.errors import ThinkTwiceError

_log = structlog.get_logger(__name__)

_HEARTBEAT_SECONDS: Final = 2.0
_SWEEP_SECONDS: Final = 4.0


class DeclaredDeadError(ThinkTwiceError):
    """The other machines declared this one dead and took its work over; start it again."""


class Membership:
    """Records the heartbeats of this machine, and takes over the work of dead ones.

    Args:
        take_over: Brings the jobs of every machine that is not among the given ones back to the queue.
        now: A clock that never jumps and goes on while the process is stopped, in seconds.
        sleep: Waits for seconds of that clock.
    """

    def __init__(
        self,
        machines: Machines,
        machine: str,
        version: str,
        *,
        fence: Fence,
        at_work: Callable[[], int],
        take_over: Callable[[Collection[str]], Awaitable[int]],
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self.machine = machine
        self._machines = machines
        self._version = version
        self._fence = fence
        self._at_work = at_work
        self._take_over = take_over
        self._now = now
        self._sleep = sleep
        self._awake_since = 0.0

    async def join(self) -> None:
        """Record this machine as alive; raise `StorageError` when the database cannot be used."""
        await self._machines.join(self.machine, self._version)
        await self._record_heartbeat()
        self._awake_since = self._now()

    async def run(self) -> None:
        """Record heartbeats and look for dead machines until cancelled, or raise `DeclaredDeadError`."""
        swept_at = self._now()
        while True:
            await self._sleep(_HEARTBEAT_SECONDS)
            try:
                await self._record_heartbeat()
                if self._now() - swept_at >= _SWEEP_SECONDS:
                    swept_at = self._now()
                    await self._sweep()
            except StorageError as exc:
                _log.warning("no heartbeat could be recorded", reason=str(exc))

    async def leave(self) -> None:
        """Delete the record of this machine, so that nobody waits for it. Log a failure of the database."""
        try:
            await self._machines.leave(self.machine)
        except StorageError as exc:
            _log.warning("the record of the machine was not deleted", reason=str(exc))

    async def _record_heartbeat(self) -> None:
        began = self._now()
        was_asleep = not self._fence.is_open()
        reply = await self._machines.record_heartbeat(self.machine, self._at_work(), self._fence.report())
        if reply is None:
            raise DeclaredDeadError
        self._fence.renew(began, reply.machines)
        self._fence.hear(reply.reports)
        if was_asleep:
            self._awake_since = began

    async def _sweep(self) -> None:
        # After an outage of the database every machine is silent: each gets the time to record a
        # heartbeat before another one declares it dead.
        if self._now() - self._awake_since < DEAD_SECONDS:
            return
        alive = await self._machines.remove_dead()
        if brought_back := await self._take_over(alive):
            _log.warning("work of a machine that died goes on", jobs=brought_back)
