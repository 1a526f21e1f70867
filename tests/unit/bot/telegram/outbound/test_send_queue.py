from __future__ import annotations

import asyncio

from bot.telegram.outbound.rate_limits import Effect, Rate, Rates, Urgency
from bot.telegram.outbound.send_queue import SendQueue, Ticket
from tests.support.faketime import FakeTime, settled

CHAT, OTHER = 1, 2


class Caller:
    """Makes calls that are over at once and writes down their order."""

    def __init__(self, rates: Rates | None = None) -> None:
        self.time = FakeTime()
        self.queue = SendQueue(rates, self.time, self.time.sleep)
        self.made: list[tuple[str, float]] = []
        self.tasks: list[asyncio.Task[None]] = []

    def call(
        self, name: str, urgency: Urgency = Urgency.FINAL, chat_id: int = CHAT, ticket: Ticket | None = None
    ) -> asyncio.Task[None]:
        task = asyncio.create_task(
            self._call(name, ticket or self.queue.ticket(urgency, Effect.MESSAGE), chat_id)
        )
        self.tasks.append(task)
        return task

    async def _call(self, name: str, ticket: Ticket, chat_id: int) -> None:
        async with self.queue.turn(chat_id, ticket):
            self.made.append((name, self.time.now))

    def is_free(self, urgency: Urgency) -> bool:
        return self.queue.is_free(CHAT, self.queue.ticket(urgency, Effect.MESSAGE))

    @property
    def names(self) -> list[str]:
        return [name for name, _ in self.made]


ONE_A_SECOND = Rates(chat=Rate(1, 1.0))


async def test_most_urgent_call_goes_first_whenever_it_came() -> None:
    caller = Caller(ONE_A_SECOND)
    caller.queue.pause(CHAT, 1.0)
    caller.call("typing", Urgency.TYPING)
    caller.call("progress", Urgency.PROGRESS)
    caller.call("first answer")
    caller.call("second answer")
    caller.call("placeholder", Urgency.PLACEHOLDER)
    await caller.time.advance(10)
    assert caller.names == ["first answer", "second answer", "placeholder", "progress", "typing"]


async def test_chat_that_must_wait_holds_up_no_other() -> None:
    caller = Caller()
    caller.queue.pause(CHAT, 17.0)
    caller.call("late")
    caller.call("at once", chat_id=OTHER)
    await caller.time.advance(16.9)
    assert caller.made == [("at once", 0.0)]
    await caller.time.advance(0.2)
    assert caller.made == [("at once", 0.0), ("late", 17.0)]


async def test_repeated_call_keeps_its_place_before_those_that_came_later() -> None:
    caller = Caller()
    ticket = caller.queue.ticket(Urgency.FINAL, Effect.MESSAGE)
    await caller.call("first try", ticket=ticket)
    caller.queue.pause(CHAT, 5.0)
    caller.call("next answer")
    await settled()
    caller.call("second try", ticket=ticket)
    await caller.time.advance(6)
    assert caller.names == ["first try", "second try", "next answer"]


async def test_one_chat_has_one_call_at_a_time() -> None:
    caller = Caller()
    async with caller.queue.turn(CHAT, caller.queue.ticket(Urgency.FINAL, Effect.MESSAGE)):
        caller.call("waits")
        caller.call("elsewhere", chat_id=OTHER)
        await settled()
        assert caller.names == ["elsewhere"]
        assert not caller.is_free(Urgency.FINAL)
    await settled()
    assert caller.names == ["elsewhere", "waits"]


async def test_cancelled_call_leaves_the_way_free() -> None:
    caller = Caller()
    caller.queue.pause(CHAT, 5.0)
    cancelled = caller.call("cancelled")
    caller.call("goes on")
    await settled()
    cancelled.cancel()
    await caller.time.advance(6)
    assert caller.names == ["goes on"]
    assert caller.is_free(Urgency.FINAL)


async def test_no_more_calls_a_second_than_the_overall_rate_and_answers_before_progress() -> None:
    caller = Caller(Rates(overall=Rate(3, 1.0)))
    for number in range(4):
        caller.call(f"progress {number}", Urgency.PROGRESS, chat_id=10 + number)
    await settled()
    caller.call("answer", chat_id=50)
    await caller.time.advance(2)
    assert caller.names[:3] == ["progress 0", "progress 1", "progress 2"]
    assert caller.made[3:] == [("answer", 1.0), ("progress 3", 1.0)]


async def test_progress_is_not_free_to_go_when_it_would_have_to_wait() -> None:
    caller = Caller(Rates(chat=Rate(2, 10.0, {Urgency.PROGRESS: 1})))
    assert caller.is_free(Urgency.PROGRESS)
    await caller.call("one")
    assert not caller.is_free(Urgency.PROGRESS)
    assert caller.is_free(Urgency.FINAL)
