"""Keeps a machine from acting while the other machines of its fleet may declare it dead."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

FENCE_SECONDS: Final = 10.0
"""A machine without a heartbeat for this long stops acting. The others declare it dead some seconds later, so
that a call that it began before can end."""

DEAD_SECONDS: Final = 16.0
"""A machine without a heartbeat for this long is declared dead: others take its work over."""


@dataclass(frozen=True, slots=True)
class Report:
    """What another machine's channel told with that machine's latest heartbeat, `age` seconds ago."""

    age: float
    text: str


class Fence:
    """Says whether this machine may act; one that is no member of a fleet always may.

    Args:
        now: A clock that never jumps and goes on while the process is stopped, in seconds.

    Attributes:
        machines: Number of machines that act, this one among them; those that died a moment ago count.
        report: Returns what this machine tells the others with its next heartbeat; its channel sets it.
        hear: Called with the reports of the others after each heartbeat; the channel sets it, too.
    """

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._closes_at = float("inf")
        self._renewed = asyncio.Event()
        self.machines = 1
        self.report: Callable[[], str] = str
        self.hear: Callable[[Sequence[Report]], None] = lambda _reports: None

    def is_open(self) -> bool:
        """Return whether no other machine can have declared this one dead."""
        return self._now() < self._closes_at

    def renew(self, began_at: float, machines: int = 1) -> None:
        """Keep the fence open for `FENCE_SECONDS` from the time at which a heartbeat began."""
        self._closes_at = began_at + FENCE_SECONDS
        self.machines = machines
        self._renewed.set()

    async def wait_until_open(self) -> None:
        """Wait until this machine may act."""
        while not self.is_open():
            self._renewed.clear()
            await self._renewed.wait()
