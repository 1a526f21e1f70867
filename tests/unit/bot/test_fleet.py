"""The fence, the heartbeat and the lease of a machine, with clocks that the tests turn."""

from __future__ import annotations

import asyncio
from collections.abc import Collection
from typing import cast

import pytest

from bot.fleet.leading import Leading
from bot.fleet.machines import LEASE_SECONDS, HeartbeatReply, Machines
from bot.fleet.membership import DeclaredDeadError, Membership
from bot.service.errors import StorageError
from bot.service.fence import DEAD_SECONDS, FENCE_SECONDS, Fence, Report
from bot.telegram.outbound.rate_limits import Effect, Rates, Urgency
from bot.telegram.outbound.send_queue import SendQueue


class Clock:
    """A clock that goes on only while somebody sleeps."""

    def __init__(self) -> None:
        self.now = 100.0
        self.jump = 0.0

    def __call__(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(0)
        self.now += max(seconds, self.jump)
        self.jump = 0.0


class Records:
    """The record of machines, as far as these tests need one."""

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self.is_away = False
        self.is_declared_dead = False
        self.count = 1
        self.told: list[str] = []
        self.others: tuple[Report, ...] = ()
        self.holder = ""
        self.until = 0.0
        self.swept: list[float] = []

    def _use(self) -> None:
        if self.is_away:
            raise StorageError("away", is_passing=True)

    async def join(self, _machine: str, _version: str) -> None:
        self._use()

    async def record_heartbeat(self, _machine: str, _at_work: int, report: str) -> HeartbeatReply | None:
        self._use()
        self.told.append(report)
        return None if self.is_declared_dead else HeartbeatReply(self.count, self.others)

    async def remove_dead(self) -> tuple[str, ...]:
        self._use()
        self.swept.append(self._clock.now)
        return ("me",)

    async def hold(self, _lease: str, machine: str) -> bool:
        self._use()
        if self.holder in {"", machine} or self.until < self._clock.now:
            self.holder, self.until = machine, self._clock.now + LEASE_SECONDS
        return self.holder == machine

    async def release(self, _lease: str, machine: str) -> None:
        self._use()
        if self.holder == machine:
            self.holder = ""


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def records(clock: Clock) -> Records:
    return Records(clock)


def member(records: Records, clock: Clock, fence: Fence, taken: list[Collection[str]]) -> Membership:
    async def take_over(alive: Collection[str]) -> int:
        taken.append(alive)
        return 0

    return Membership(
        cast("Machines", records),
        "me",
        "1.0",
        fence=fence,
        at_work=lambda: 0,
        take_over=take_over,
        now=clock,
        sleep=clock.sleep,
    )


async def passed(clock: Clock, seconds: float) -> None:
    """Let a machine live until its clock has gone on so far."""
    end = clock.now + seconds
    while clock.now < end:  # noqa: ASYNC110 - the clock goes on when the others are let run
        await asyncio.sleep(0)


def test_machine_that_is_alone_always_may_act(clock: Clock) -> None:
    fence = Fence(clock)
    clock.now += 1e9
    assert fence.is_open()


async def test_machine_that_cannot_record_a_heartbeat_stops_before_it_is_declared_dead(
    records: Records, clock: Clock
) -> None:
    fence = Fence(clock)
    membership = member(records, clock, fence, [])
    await membership.join()
    living = asyncio.create_task(membership.run())
    await passed(clock, 20)
    assert fence.is_open()
    records.is_away = True
    await passed(clock, FENCE_SECONDS + 2.1)
    assert not fence.is_open()
    waiting = asyncio.create_task(fence.wait_until_open())
    records.is_away = False
    await passed(clock, 4)
    assert fence.is_open()
    await asyncio.wait_for(waiting, 5)
    living.cancel()
    assert FENCE_SECONDS < DEAD_SECONDS


async def test_no_machine_is_declared_dead_right_after_an_outage(records: Records, clock: Clock) -> None:
    taken: list[Collection[str]] = []
    membership = member(records, clock, Fence(clock), taken)
    await membership.join()
    began = clock.now
    living = asyncio.create_task(membership.run())
    await passed(clock, DEAD_SECONDS + 10)
    assert records.swept[0] >= began + DEAD_SECONDS
    records.is_away = True
    await passed(clock, DEAD_SECONDS)
    records.is_away = False
    back, before = clock.now, len(records.swept)
    await passed(clock, DEAD_SECONDS + 10)
    living.cancel()
    assert records.swept[before] >= back + DEAD_SECONDS - 2.0
    assert taken[-1] == ("me",)


async def test_machine_knows_how_many_share_the_limits_of_telegram(records: Records, clock: Clock) -> None:
    fence = Fence(clock)
    assert fence.machines == 1
    membership = member(records, clock, fence, [])
    records.count = 3
    await membership.join()
    assert fence.machines == 3
    living = asyncio.create_task(membership.run())
    records.count = 2
    await passed(clock, 5)
    living.cancel()
    assert fence.machines == 2


async def test_machines_tell_each_other_what_counts_in_the_limits_of_a_chat(
    records: Records, clock: Clock
) -> None:
    fence = Fence(clock)
    queue = SendQueue(Rates(), clock, clock.sleep, fence)
    ticket = queue.ticket(Urgency.FINAL, Effect.MESSAGE)
    async with queue.turn(-5, ticket):
        pass
    records.others = (Report(3.0, '{"pauses": {"7": 30000}, "new": 1}'), Report(3.0, "not what it should be"))
    membership = member(records, clock, fence, [])
    await membership.join()
    assert records.told == ['{"calls":{"-5":{"chat":[0],"group":[0]}}}']
    assert not queue.is_free(7, ticket)
    assert queue.is_free(8, ticket)
    clock.now += 28
    assert queue.is_free(7, ticket)


async def test_machine_that_was_declared_dead_ends(records: Records, clock: Clock) -> None:
    membership = member(records, clock, Fence(clock), [])
    await membership.join()
    records.is_declared_dead = True
    with pytest.raises(DeclaredDeadError, match="start it again"):
        await membership.run()


class Work:
    """Work that is led; it tells whether it is at it."""

    def __init__(self) -> None:
        self.begun = 0
        self.is_at_it = False
        self.failed = asyncio.Event()

    async def __call__(self) -> None:
        self.begun += 1
        self.is_at_it = True
        try:
            await self.failed.wait()
            raise StorageError("the token is gone")
        finally:
            self.is_at_it = False


async def test_one_machine_leads_and_the_next_one_begins_when_its_lease_is_over(
    records: Records, clock: Clock
) -> None:
    first, second = Work(), Work()
    leading = Leading(cast("Machines", records), "poll", "one", now=clock, sleep=clock.sleep)
    waiting = Leading(cast("Machines", records), "poll", "two", now=clock, sleep=clock.sleep)
    tasks = [asyncio.create_task(leading.run(first))]
    await passed(clock, 4)
    tasks.append(asyncio.create_task(waiting.run(second)))
    await passed(clock, 30)
    assert (first.is_at_it, second.begun) == (True, 0)
    tasks[0].cancel()
    await passed(clock, 6)
    assert (first.is_at_it, second.is_at_it) == (False, True)
    tasks[1].cancel()


async def test_leader_that_cannot_renew_its_lease_stops_before_another_one_may_begin(
    records: Records, clock: Clock
) -> None:
    work = Work()
    leading = Leading(cast("Machines", records), "poll", "one", now=clock, sleep=clock.sleep)
    task = asyncio.create_task(leading.run(work))
    await passed(clock, 4)
    assert work.is_at_it
    records.is_away = True
    await passed(clock, records.until - clock.now - 0.5)
    stopped_in_time = not work.is_at_it
    records.is_away = False
    await passed(clock, 6)
    assert (stopped_in_time, work.is_at_it, work.begun) == (True, True, 2)
    task.cancel()


async def test_error_of_the_work_ends_the_leading(records: Records, clock: Clock) -> None:
    work = Work()
    leading = Leading(cast("Machines", records), "poll", "one", now=clock, sleep=clock.sleep)
    task = asyncio.create_task(leading.run(work))
    await passed(clock, 4)
    work.failed.set()
    with pytest.raises(StorageError, match="the token is gone"):
        await asyncio.wait_for(task, 5)
    assert not records.holder
