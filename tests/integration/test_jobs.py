"""Durable work on a real database: lanes, cancelling, failing, orderly stops, forgetting."""

from __future__ import annotations

import asyncio
from datetime import timedelta
from pathlib import Path

import pytest

from bot.jobs import FAILED, Job
from bot.jobs.runner import Jobs, opened
from bot.service.runs import Runs
from bot.storage.database import open_database
from bot.storage.run_events import StoredRuns
from rag.runs.run import RunStep
from tests.support.jobs import SECONDS, Script, reached, running, until


async def test_job_submitted_twice_is_carried_out_once(url: str, tmp_path: Path) -> None:
    script = Script()
    async with running(url, tmp_path, script.works) as jobs:
        assert await jobs.submit(Job("1", "ask", "a"))
        assert not await jobs.submit(Job("1", "ask", "a"))
        await reached(jobs, "1", "done")
        assert not await jobs.submit(Job("1", "ask", "a"))
        both = await asyncio.gather(*(jobs.submit(Job("2", "ask", "b", lane="x")) for _ in range(4)))
        await reached(jobs, "2", "done")
    assert sorted(both) == [False, False, False, True]
    assert script.done == ["a1", "a2", "b1", "b2"]


async def test_lane_is_in_order_and_others_do_not_wait_for_it(url: str, tmp_path: Path) -> None:
    script = Script(held={"a1"})
    async with running(url, tmp_path, script.works) as jobs:
        # Submitted in another order than they are meant: 10 sorts before 9 as text.
        for order, name in ((8, "a"), (10, "c"), (9, "b")):
            await jobs.submit(Job(f"tg:{order}", "ask", name, lane="x", order=order))
            if name == "a":
                await until(lambda: "(a1" in script.done)
        await jobs.submit(Job("tg:11", "ask", "other", lane="y", order=11))
        await jobs.submit(Job("tg:12", "ask", "button"))
        await reached(jobs, "tg:11", "done")
        await reached(jobs, "tg:12", "done")
        assert not {"b1", "c1"} & set(script.done)
        script.hold.set()
        await reached(jobs, "tg:10", "done")
    assert [name for name in script.done if name[0] in "abc" and "button" not in name] == [
        "a1", "a2", "b1", "b2", "c1", "c2",
    ]  # fmt: skip


async def test_orderly_stop_lets_work_finish_within_the_grace_time(url: str, tmp_path: Path) -> None:
    script = Script(held={"a2"})
    async with running(url, tmp_path, script.works, grace_seconds=SECONDS) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await jobs.submit(Job("b", "ask", "b", lane="x", order=2))
        await until(lambda: "(a2" in script.done)
        asyncio.get_running_loop().call_later(0.2, script.hold.set)
    assert script.done == ["a1", "(a2", "a2"]
    second = Script()
    async with running(url, tmp_path, second.works) as jobs:
        await reached(jobs, "b", "done")
        assert await jobs.state("a") == "done"
    assert second.done == ["b1", "b2"]


async def test_many_orderly_stops_in_the_middle_of_a_step_never_give_a_job_up(tmp_path: Path) -> None:
    url = ""
    for _ in range(5):
        script = Script(held={"a2"})
        async with running(url, tmp_path, script.works) as jobs:
            await jobs.submit(Job("a", "ask", "a", lane="x"))
            await until(lambda: "(a2" in script.done)  # noqa: B023 - awaited here
    last = Script()
    async with running(url, tmp_path, last.works) as jobs:
        await reached(jobs, "a", "done")
    assert last.told == []


@pytest.mark.parametrize("lane", ["", "x"], ids=["at once", "in a lane"])
async def test_cancelled_job_stops_at_once_and_does_not_come_back(
    url: str, tmp_path: Path, lane: str
) -> None:
    script = Script(held={"a1"})
    async with running(url, tmp_path, script.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane=lane))
        await jobs.submit(Job("b", "ask", "b", lane="x", order=2))
        await until(lambda: "(a1" in script.done)
        assert await jobs.cancel("a")
        assert not await jobs.cancel("a")
        await reached(jobs, "b", "done")
    async with running(url, tmp_path, script.works) as jobs:
        assert await jobs.state("a") == "cancelled"
        assert not await jobs.submit(Job("a", "ask", "a", lane=lane))
    assert script.done == ["(a1", "b1", "b2"]
    assert script.told == []


async def test_job_that_waits_can_be_cancelled(tmp_path: Path) -> None:
    script = Script(held={"a1"})
    async with running("", tmp_path, script.works) as jobs:
        for order, name in enumerate("abc", 1):
            await jobs.submit(Job(name, "ask", name, lane="x", order=order))
        await until(lambda: "(a1" in script.done)
        assert await jobs.cancel("b")
        script.hold.set()
        await reached(jobs, "c", "done")
    assert not {"b1", "b2"} & set(script.done)


async def test_job_that_fails_ends_and_tells_so_once(url: str, tmp_path: Path) -> None:
    async def fails(payload: str, run_step: RunStep) -> None:
        raise ZeroDivisionError(f"secret of {payload}")

    script = Script()
    async with running(url, tmp_path, {**script.works, "ask": fails}) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await jobs.submit(Job("b", "other", "b", lane="x", order=2))
        await until(lambda: len(script.told) == 2)
        await reached(jobs, "b", "failed")
        reasons = {letter.id: str(letter.reason) for letter in await jobs.dead_letters()}
    assert [told["payload"] for told in script.told] == ["a", "b"]
    assert reasons == {"a": "ZeroDivisionError", "b": "no work of the kind other is known"}


async def test_what_a_step_returned_can_be_read_when_its_job_has_failed(url: str, tmp_path: Path) -> None:
    async def fails(payload: str, run_step: RunStep) -> None:
        async def find() -> str:
            return f"answer to {payload}"

        await run_step("answer", find)
        raise ZeroDivisionError

    async with running(url, tmp_path, {**Script().works, "ask": fails}) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await reached(jobs, "a", "failed")
        assert await jobs.recorded("a", "answer") == "answer to a"
        assert await jobs.recorded("a", "draft") is None
        assert await jobs.recorded("b", "answer") is None


async def test_finished_jobs_are_forgotten_after_their_time_and_no_others(url: str, tmp_path: Path) -> None:
    script = Script(held={"c1"})
    async with running(url, tmp_path, script.works) as jobs:
        for name in "abc":
            await jobs.submit(Job(name, "ask", name))
        await reached(jobs, "a", "done")
        await reached(jobs, "b", "done")
        assert await jobs.prune(timedelta(days=1)) == 0
        assert await jobs.prune(timedelta(days=-1)) == 2
        assert [await jobs.state(name) for name in "abc"] == [None, None, "running"]


async def test_no_more_jobs_than_allowed_are_at_work(url: str, tmp_path: Path) -> None:
    script = Script(held={"a1", "b1", "c1"})
    async with open_database(tmp_path, url) as database:
        jobs = Jobs(database, tmp_path)
        async with opened(jobs, {"work": script.work, FAILED: script.work}, "main", most_at_work=2):
            for name in "abc":
                await jobs.submit(Job(name, "work", name, f"lane {name}"))
            await until(lambda: len(script.done) == 2)
            # A third one would have begun by now: the queue is looked at several times meanwhile.
            await asyncio.sleep(1)
            # Which of the lanes are first is nobody's promise.
            assert len(script.done) == 2
            script.hold.set()
            for name in "abc":
                await reached(jobs, name, "done")


async def test_who_watches_a_run_that_is_cancelled_is_told_its_end(url: str, tmp_path: Path) -> None:
    script = Script(held={"a1"})
    async with open_database(tmp_path, url) as database:
        runs, jobs = Runs(StoredRuns(database)), Jobs(database, tmp_path)
        async with runs.opened(), opened(jobs, script.works, "main", events=runs):
            await jobs.submit(Job("a", "ask", "a"))
            await until(lambda: "(a1" in script.done)
            runs.recorder("a", "answer", "telegram:1", "telegram:1:0").record("accepted", "accepted", {})
            await runs.flush()
            await jobs.cancel("a")
            await runs.end("a", "cancelled")
            async with asyncio.timeout(SECONDS):
                told = [event.type async for event in runs.follow("a")]
    assert told == ["accepted", "cancelled"]


async def test_events_of_a_run_are_recorded_with_its_steps_and_its_end(url: str, tmp_path: Path) -> None:
    async def work(_payload: str, run_step: RunStep) -> None:
        run = runs.recorder("a", "answer", "telegram:1", "telegram:1:0")
        run.record("accepted", "accepted", {})
        await run_step("draft", _nothing)
        seen.extend(event.type for event in await stored.read("a"))
        run.end("complete", {})

    seen: list[str] = []
    async with open_database(tmp_path, url) as database:
        stored = StoredRuns(database)
        # Not opened: nothing is recorded by the way.
        runs, jobs = Runs(stored), Jobs(database, tmp_path)
        async with opened(jobs, {"ask": work}, "main", events=runs):
            await jobs.submit(Job("a", "ask", "a"))
            await reached(jobs, "a", "done")
        assert seen == ["accepted"]
        assert [event.type for event in await stored.read("a")] == ["accepted", "complete"]


async def test_two_lanes_that_wait_for_room_both_begin_when_two_jobs_end_at_once(
    url: str, tmp_path: Path
) -> None:
    gates = {name: asyncio.Event() for name in "abcd"}

    async def work(payload: str, _run_step: RunStep) -> None:
        await gates[payload].wait()

    async with open_database(tmp_path, url) as database:
        jobs = Jobs(database, tmp_path)
        async with opened(jobs, {"ask": work}, "main", most_at_work=2):
            for name in "abcd":
                await jobs.submit(Job(name, "ask", name, lane=name))
            for name in "ab":
                await reached(jobs, name, "running")
            await asyncio.sleep(0.1)  # nothing is looked for any more
            for names, state in (("ab", "done"), ("cd", "running"), ("cd", "done")):
                for name in names:
                    if state == "done":
                        gates[name].set()
                for name in names:
                    await reached(jobs, name, state)


@pytest.mark.parametrize(
    ("key", "data"), [("bad", {"of": object()}), ("k" * 300, {})], ids=["no JSON", "too long for PostgreSQL"]
)
async def test_event_that_can_never_be_recorded_stops_no_run(
    url: str, tmp_path: Path, key: str, data: dict[str, object]
) -> None:
    async def work(payload: str, run_step: RunStep) -> None:
        run = runs.recorder(payload, "answer", "telegram:1", "telegram:1:0")
        run.record("accepted", "accepted", {})
        run.record("note", key, data)
        await run_step("draft", _nothing)
        run.record("note", key, data)
        run.end("complete", data)

    async with open_database(tmp_path, url) as database:
        runs, jobs = Runs(StoredRuns(database)), Jobs(database, tmp_path)
        async with runs.opened(), opened(jobs, {"ask": work}, "main", events=runs):
            for job_id in "ab":
                await jobs.submit(Job(job_id, "ask", job_id, lane="x"))
            for job_id in "ab":
                await reached(jobs, job_id, "done")
                async with asyncio.timeout(SECONDS):
                    told = [event.type async for event in runs.follow(job_id)]
                assert [told[0], told[-1]] == ["accepted", "complete"]


async def _nothing() -> None:
    pass
