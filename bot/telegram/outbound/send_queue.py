"""Decides which call goes next: one at a time in each chat, the most urgent first, within the rate limits.

A chat that has to wait (its budget is used up, Telegram asked for a pause, the network is down) does not
hold up other chats.
"""

from __future__ import annotations

import asyncio
import heapq
import itertools
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field

import structlog
from pydantic import ValidationError

from bot.service.fence import Fence, Report
from bot.telegram.outbound.rate_limits import CallReport, Effect, Rates, Schedule, Urgency

_log = structlog.get_logger(__name__)

_SWEEP = 1_000
"""Number of calls between two clean-ups of quiet chats."""


@dataclass(frozen=True, order=True, slots=True)
class Ticket:
    """A place in the queue of a chat; a repeated call keeps its ticket, so later calls cannot overtake it."""

    urgency: Urgency
    number: int
    effect: Effect = field(compare=False)


@dataclass
class _Lane:
    """Calls that go one after the other: of one chat, or those that wait for the budget of all chats."""

    waiting: list[Ticket] = field(default_factory=list)
    calls: dict[Ticket, asyncio.Event] = field(default_factory=dict)
    is_busy: bool = False

    def enter(self, ticket: Ticket) -> asyncio.Event:
        """Add a ticket to the lane; the returned event is set when it may be the ticket's turn."""
        heapq.heappush(self.waiting, ticket)
        called = self.calls[ticket] = asyncio.Event()
        return called

    def leave(self, ticket: Ticket) -> None:
        self.waiting.remove(ticket)
        heapq.heapify(self.waiting)
        del self.calls[ticket]
        if self.waiting:
            # Wake only the first: hundreds may wait, and the others would find that it is not their turn.
            self.calls[self.waiting[0]].set()


class SendQueue:
    """Lets calls to Telegram go one after the other; without a fence, this machine alone sends."""

    def __init__(
        self,
        rates: Rates | None,
        now: Callable[[], float],
        sleep: Callable[[float], Awaitable[None]],
        fence: Fence | None = None,
    ) -> None:
        self._fence = fence or Fence()
        self._schedule = Schedule(rates, lambda: self._fence.machines)
        self._fence.report = lambda: self._schedule.report(now()).model_dump_json(exclude_defaults=True)
        self._fence.hear = self._hear
        self._now = now
        self._sleep = sleep
        self._lanes: dict[int, _Lane] = {}
        self._overall = _Lane()
        self._numbers = itertools.count()
        self._calls = 0

    def ticket(self, urgency: Urgency, effect: Effect) -> Ticket:
        """Return a new ticket, behind all earlier ones of the same urgency."""
        return Ticket(urgency, next(self._numbers), effect)

    def is_free(self, chat_id: int, ticket: Ticket) -> bool:
        """Return whether a call could go at once."""
        now, urgency = self._now(), ticket.urgency
        return (
            chat_id not in self._lanes
            and not self._overall.waiting
            and self._schedule.wait(chat_id, urgency, ticket.effect, now) == 0
            and self._schedule.wait_overall(urgency, now) == 0
        )

    @property
    def is_tight(self) -> bool:
        """Return whether the budget of all chats is used up, so that a further call delays another chat."""
        return bool(self._overall.waiting) or self._schedule.wait_overall(Urgency.PROGRESS, self._now()) > 0

    def is_busy(self, chat_id: int) -> bool:
        """Return whether the budget of a chat allows no progress now."""
        return self._schedule.wait(chat_id, Urgency.PROGRESS, Effect.CHANGE, self._now()) > 0

    def is_fresh(self, chat_id: int) -> bool:
        """Return whether a call was made to the chat a moment ago; see `Schedule.is_fresh`."""
        return self._schedule.is_fresh(chat_id, self._now())

    def pause(self, chat_id: int, seconds: float) -> None:
        """Hold back all calls to a chat for some seconds."""
        self._schedule.pause(chat_id, self._now() + seconds)

    @asynccontextmanager
    async def turn(self, chat_id: int, ticket: Ticket) -> AsyncIterator[None]:
        """Wait for the turn of `ticket` and hold it: the caller makes one call to Telegram inside."""
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
                        # Telegram may have paused the chat while the call waited for the budget of all chats.
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

    def _hear(self, reports: Sequence[Report]) -> None:
        """Count what other machines have called in the limits of each chat."""
        now, readable = self._now(), []
        for report in reports:
            try:
                readable.append((now - report.age, CallReport.model_validate_json(report.text)))
            except ValidationError:
                # A machine of another version may tell it in another form.
                _log.debug("the calls of another machine cannot be read", report=report.text[:100])
        self._schedule.hear(readable)

    def _sweep(self) -> None:
        self._calls += 1
        if self._calls % _SWEEP == 0:
            self._schedule.forget(self._now())


@asynccontextmanager
async def _place(
    lane: _Lane, ticket: Ticket, wait: Callable[[], float], sleep: Callable[[float], Awaitable[None]]
) -> AsyncIterator[None]:
    """Wait until `ticket` is the first of a lane and `wait` returns 0 seconds; hold the lane inside."""
    called = lane.enter(ticket)
    is_held = False
    try:
        while True:
            called.clear()
            if lane.is_busy or lane.waiting[0] != ticket:
                await called.wait()
            elif (seconds := wait()) > 0:
                # A more urgent call may arrive meanwhile and goes first.
                await sleep(seconds)
            else:
                break
        lane.is_busy = is_held = True
        yield
    finally:
        if is_held:
            lane.is_busy = False
        lane.leave(ticket)
