"""Durable work whose process dies goes on where it was, and is given up only when it is the cause.

A process that dies is played by `abandoned`: its tasks are cancelled without anything being noted.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from bot.jobs import Job, attempts
from bot.jobs.runner import Jobs, opened
from bot.storage.database import open_database
from tests.support.jobs import Script, abandoned, reached, running, until
from tests.support.postgres import PostgresServer


async def test_steps_that_were_recorded_are_not_done_again_after_a_crash(url: str, tmp_path: Path) -> None:
    first = Script(held={"a2"})
    async with abandoned(url, tmp_path, first.works) as jobs:
        assert await jobs.submit(Job("1", "ask", "a", lane="x"))
        await until(lambda: "(a2" in first.done)
    second = Script()
    async with running(url, tmp_path, second.works) as jobs:
        await reached(jobs, "1", "done")
    assert first.done == ["a1", "(a2"]
    assert second.done == ["a2"]


async def test_recovered_job_keeps_its_place_before_later_ones_of_its_lane(url: str, tmp_path: Path) -> None:
    first = Script(held={"a2"})
    async with abandoned(url, tmp_path, first.works) as jobs:
        for order, name in enumerate("abc", 1):
            await jobs.submit(Job(name, "ask", name, lane="x", order=order))
        await until(lambda: "(a2" in first.done)
    second = Script()
    async with running(url, tmp_path, second.works) as jobs:
        await jobs.submit(Job("d", "ask", "d", lane="x", order=4))
        await reached(jobs, "d", "done")
    assert second.done == ["a2", "b1", "b2", "c1", "c2", "d1", "d2"]


async def test_crash_loop_gives_up_no_job_that_is_not_its_cause(tmp_path: Path) -> None:
    url = ""
    for crashes in range(5):
        script = Script(held={"innocent1"})
        async with abandoned(url, tmp_path, script.works) as jobs:
            await jobs.submit(Job("innocent", "ask", "innocent", lane="x"))
            # Something else ends the process: twice in the middle of the job, then soon after each start.
            if crashes < 2:
                await until(lambda: script.done)  # noqa: B023 - awaited here
            else:
                await reached(jobs, "innocent", "running")
                await asyncio.sleep(0.3)
                assert script.done == [], "its last try is left for better times"
        assert script.told == []


async def test_job_that_crashes_three_times_is_a_dead_letter_and_another_in_flight_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(attempts, "SETTLED_SECONDS", 0.2)
    url = ""
    for _ in range(6):
        script = Script(held={"poison1", "slow1"})
        async with abandoned(url, tmp_path, script.works) as jobs:
            await jobs.submit(Job("poison", "ask", "poison", lane="x"))
            await jobs.submit(Job("slow", "ask", "slow", lane="y"))
            # The process dies as soon as the poisonous job is begun; the slow one gets to its end alone.
            await until(lambda: "(poison1" in script.done or "(slow1" in script.done or script.told)  # noqa: B023
            if "(slow1" in script.done and "(poison1" not in script.done:
                script.hold.set()
                # For the slow job alone.
                script.hold = asyncio.Event()
                await reached(jobs, "slow", "done")
                await until(lambda: "(poison1" in script.done or script.told)  # noqa: B023
            if script.told:
                await reached(jobs, "poison", "failed")
                letters = await jobs.dead_letters()
                assert await jobs.state("slow") not in {None, "failed", "cancelled"}
                break
    else:
        pytest.fail("it was never given up")
    crashed = {"code": "job-crashes", "values": {"crashes": 3}}
    assert script.told == [{"id": "poison", "kind": "ask", "payload": "poison", "reason": crashed}]
    assert [(letter.id, letter.kind, letter.payload) for letter in letters] == [("poison", "ask", "poison")]


async def test_work_of_another_machine_goes_on_only_when_that_one_is_dead(
    postgres: PostgresServer, tmp_path: Path
) -> None:
    url, script = postgres.new_database(), Script(held={"a1"})
    async with abandoned(url, tmp_path, script.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await until(lambda: "(a1" in script.done)
    after = Script()
    async with open_database(tmp_path, url) as database:
        jobs = Jobs(database, tmp_path)
        async with opened(jobs, after.works, "another"):
            assert await jobs.take_over({"main", "another"}) == 0
            assert await jobs.take_over({"another"}) == 1
            await reached(jobs, "a", "done")
    assert after.done == ["a1", "a2"]
