"""Any interleaving of calls, cancellations and pauses keeps the promises of the queue in front of Telegram."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass, field

from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, invariant, rule, run_state_machine_as_test

from bot.telegram.outbound.rate_limits import Rate, Rates, Schedule, Urgency
from bot.telegram.outbound.send_queue import Ticket, Turns
from tests.support.faketime import FakeTime, settled

PRIVATE, GROUP, OVERALL = Rate(2, 2.0), Rate(3, 10.0, {Urgency.TYPING: 1}), Rate(4, 1.0)
CHATS = (1, 2, -1)
LONGEST_WAIT = 500.0
"""Seconds after which every call that was ever made has gone: 50 steps of at most 10 seconds."""


@dataclass
class Call:
    """One call to Telegram, as somebody who waits for it sees it."""

    chat_id: int
    ticket: Ticket
    seconds: float
    begun: float | None = None
    over: float | None = None
    is_cancelled: bool = False
    task: asyncio.Task[None] | None = field(default=None, repr=False)


class SendQueueMachine(RuleBasedStateMachine):
    """Puts calls into the queue, gives some up, and lets time pass."""

    calls = Bundle("calls")

    def __init__(self) -> None:
        super().__init__()
        self.runner = asyncio.Runner()
        self.time = FakeTime()
        self.turns = Turns(Schedule(Rates(PRIVATE, GROUP, OVERALL)), self.time, self.time.sleep)
        self.entered: list[Call] = []
        self.made: list[Call] = []
        self.paused: dict[int, float] = {}

    @rule(
        target=calls,
        chat_id=st.sampled_from(CHATS),
        urgency=st.sampled_from(Urgency),
        seconds=st.sampled_from([0.0, 0.5, 3.0]),
    )
    def enter(self, chat_id: int, urgency: Urgency, seconds: float) -> Call:
        call = Call(chat_id, self.turns.ticket(urgency), seconds)
        self.entered.append(call)
        self.runner.run(self._enter(call))
        return call

    async def _enter(self, call: Call) -> None:
        call.task = asyncio.create_task(self._make(call))
        await settled()

    async def _make(self, call: Call) -> None:
        async with self.turns.turn(call.chat_id, call.ticket):
            self._begin(call)
            try:
                await self.time.sleep(call.seconds)
            finally:
                call.over = self.time.now

    def _begin(self, call: Call) -> None:
        now = self.time.now
        assert now >= self.paused.get(call.chat_id, 0.0), "a chat that Telegram paused gets nothing"
        assert not call.is_cancelled, "what was given up never goes out"
        before = [other for other in self.made if other.chat_id == call.chat_id]
        assert all(other.over is not None for other in before), "one call at a time for each chat"
        assert all(
            other.ticket < call.ticket for other in before if other.ticket.urgency == call.ticket.urgency
        ), "calls of one urgency keep their order"
        rate = GROUP if call.chat_id < 0 else PRIVATE
        ends = [other.over for other in before if other.over is not None]
        assert sum(end > now - rate.seconds for end in ends) < rate.allowed(call.ticket.urgency)
        begun = [other.begun for other in self.made if other.begun is not None]
        assert sum(begin > now - OVERALL.seconds for begin in begun) < OVERALL.calls
        call.begun = now
        self.made.append(call)

    @rule(call=calls)
    def give_up(self, call: Call) -> None:
        """As an answer that was stopped does: before its turn, or in the middle of its call."""
        assert call.task is not None
        call.is_cancelled = call.begun is None
        call.task.cancel()
        self.runner.run(settled())

    @rule(chat_id=st.sampled_from(CHATS), seconds=st.sampled_from([0.5, 7.0]))
    def pause(self, chat_id: int, seconds: float) -> None:
        self.turns.pause(chat_id, seconds)
        self.paused[chat_id] = max(self.time.now + seconds, self.paused.get(chat_id, 0.0))

    # Seconds that sums hold exactly: a millionth too early is not what this is about.
    @rule(seconds=st.sampled_from([0.125, 1.0, 10.0]))
    def advance(self, seconds: float) -> None:
        self.runner.run(self.time.advance(seconds))

    @invariant()
    def nobody_failed(self) -> None:
        for call in self.entered:
            if call.task is not None and call.task.done() and not call.task.cancelled():
                call.task.result()

    def teardown(self) -> None:
        """In the end everything has gone that was not given up, and nothing is remembered of it."""
        try:
            self.runner.run(self.time.advance(LONGEST_WAIT))
            self.nobody_failed()
            assert all(call.is_cancelled or call.over is not None for call in self.entered), "nothing is lost"
            assert all(self.turns.is_free(chat_id, Urgency.TYPING) for chat_id in CHATS)
        finally:
            self.runner.close()


def test_calls_pauses_and_cancels_in_any_order_break_no_promise() -> None:
    run_state_machine_as_test(SendQueueMachine, settings=settings(stateful_step_count=30))
