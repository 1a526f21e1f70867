"""Which call may go next: one at a time in each chat, the most urgent first, none before its time.

A chat that must wait (its budget is used up, Telegram asked for a pause, the network is away) makes no
other chat wait.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

from bot.telegram.outbound.rate_limits import Effect, Rates, Schedule, Urgency

_SWEEP = 1_000
"""Calls after which chats that are quiet are forgotten."""


@dataclass(frozen=True, order=True, slots=True)
class Ticket:
    """A place in the order of a chat: a call that is repeated keeps it, so nothing overtakes it."""

    urgency: Urgency
    number: int
    effect: Effect = field(compare=False)


@dataclass
class _Lane:
    """Calls that go one after the other: those of one chat, or all that wait for the budget of all chats."""

    waiting: list[Ticket] = field(default_factory=list)
    calls: dict[Ticket, asyncio.Event] = field(default_factory=dict)
    is_busy: bool = False

    def enter(self, ticket: Ticket) -> asyncio.Event:
        """Stand in the lane; what is returned is set when it may be one's turn."""
        heapq.heappush(self.waiting, ticket)
        called = self.calls[ticket] = asyncio.Event()
        return called

    def leave(self, ticket: Ticket) -> None:
        """Make room for the next."""
        self.waiting.remove(ticket)
        heapq.heapify(self.waiting)
        del self.calls[ticket]
        if self.waiting:
            # The first alone: hundreds may wait, and all others would only find that it is not their turn.
            self.calls[self.waiting[0]].set()


class SendQueue:
    """Lets calls to Telegram go one after the other.

    Args:
        rates: Telegram's limits.
        now: A clock that never jumps, in seconds.
        sleep: Waits for seconds of that clock.
    """

    def __init__(
        self, rates: Rates | None, now: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
    ) -> None:
        self._schedule = Schedule(rates)
        self._now = now
        self._sleep = sleep
        self._lanes: dict[int, _Lane] = {}
        self._overall = _Lane()
        self._numbers = itertools.count()
        self._calls = 0

    def ticket(self, urgency: Urgency, effect: Effect) -> Ticket:
        """Return the next place in the order, for a call of this kind."""
        return Ticket(urgency, next(self._numbers), effect)

    def is_free(self, chat_id: int, ticket: Ticket) -> bool:
        """Whether a call could go at once."""
        now, urgency = self._now(), ticket.urgency
        return (
            chat_id not in self._lanes
            and not self._overall.waiting
            and self._schedule.wait(chat_id, urgency, ticket.effect, now) == 0
            and self._schedule.wait_overall(urgency, now) == 0
        )

    @property
    def is_tight(self) -> bool:
        """Whether all chats together use up what Telegram allows: any further call makes somebody wait."""
        return bool(self._overall.waiting) or self._schedule.wait_overall(Urgency.PROGRESS, self._now()) > 0

    def is_fresh(self, chat_id: int) -> bool:
        """Whether the chat was shown something a moment ago."""
        return self._schedule.is_fresh(chat_id, self._now())

    def pause(self, chat_id: int, seconds: float) -> None:
        """Let nothing go to a chat for some seconds."""
        self._schedule.pause(chat_id, self._now() + seconds)

    @asynccontextmanager
    async def turn(self, chat_id: int, ticket: Ticket) -> AsyncIterator[None]:
        """Wait for the turn of `ticket` and hold it: one call to Telegram is made inside."""
        lane = self._lanes.setdefault(chat_id, _Lane())
        schedule, now, urgency, effect = self._schedule, self._now, ticket.urgency, ticket.effect
        try:
            async with _place(
                lane, ticket, lambda: schedule.wait(chat_id, urgency, effect, now()), self._sleep
            ):
                is_begun = False
                while not is_begun:
                    async with _place(
                        self._overall, ticket, lambda: schedule.wait_overall(urgency, now()), self._sleep
                    ):
                        # Telegram may have paused the chat while the call waited for all chats.
                        paused_seconds = schedule.wait(chat_id, urgency, effect, now())
                        if is_begun := paused_seconds == 0:
                            schedule.begin(now())
                    if not is_begun:
                        await self._sleep(paused_seconds)
                try:
                    yield
                finally:
                    schedule.end(chat_id, effect, now())
        finally:
            if not lane.waiting:
                self._lanes.pop(chat_id, None)
            self._sweep()

    def _sweep(self) -> None:
        self._calls += 1
        if self._calls % _SWEEP == 0:
            self._schedule.forget(self._now())


@asynccontextmanager
async def _place(
    lane: _Lane, ticket: Ticket, wait: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
) -> AsyncIterator[None]:
    """Wait until `ticket` is the first of a lane and `wait` says 0 seconds; hold the lane inside."""
    called = lane.enter(ticket)
    is_held = False
    try:
        while True:
            called.clear()
            if lane.is_busy or lane.waiting[0] != ticket:
                await called.wait()
            elif (seconds := wait()) > 0:
                # A call that is more urgent may come in meanwhile: then this one is called behind it.
                await sleep(seconds)
            else:
                break
        lane.is_busy = is_held = True
        yield
    finally:
        if is_held:
            lane.is_busy = False
        lane.leave(ticket)
