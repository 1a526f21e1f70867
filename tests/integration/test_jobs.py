"""Durable work on a real database: recorded steps, lanes, crashes, cancelling, forgetting.

A process that dies is played by `abandoned`: its tasks are cancelled without anything being noted.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.jobs import FAILED, Job, Work, attempts, queries
from bot.jobs import stranded as stranded_module
from bot.jobs.attempts import from_attributes
from bot.jobs.durable import JobsError
from bot.jobs.runner import Jobs, opened
from bot.service.errors import StorageError
from rag.errors import InputError
from rag.reasons import Reason
from rag.runs.run import RunStep
from tests.support.jobs import SECONDS, abandoned, reached


async def until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.01)


@dataclass
class Script:
    """Work that notes what it does; `hold` keeps steps from ending until it is set."""

    done: list[str] = field(default_factory=list)
    told: list[dict[str, str]] = field(default_factory=list)
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    held: set[str] = field(default_factory=set)

    async def work(self, payload: str, run_step: RunStep) -> None:
        for number in (1, 2):
            await run_step(f"draft {number}", partial(self._step, f"{payload}{number}"))

    async def _step(self, name: str) -> str:
        if name in self.held:
            self.done.append(f"({name}")
            await self.hold.wait()
        self.done.append(name)
        return name

    async def failed(self, payload: str, run_step: RunStep) -> None:
        async def tell() -> None:
            self.told.append(json.loads(payload))

        await run_step("apologise", tell)

    @property
    def works(self) -> dict[str, Work]:
        return {"ask": self.work, FAILED: self.failed}


@asynccontextmanager
async def running(
    url: str, folder: Path, works: dict[str, Work], grace_seconds: float = 0.0, **more: Any
) -> AsyncIterator[Jobs]:
    jobs = Jobs(folder, **more)
    async with opened(jobs, works, url, "main", grace_seconds=grace_seconds):
        yield jobs


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
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
    for _ in range(5):
        script = Script(held={"a2"})
        async with running(url, tmp_path, script.works) as jobs:
            await jobs.submit(Job("a", "ask", "a", lane="x"))
            await until(lambda: "(a2" in script.done)  # noqa: B023 - awaited here
    last = Script()
    async with running(url, tmp_path, last.works) as jobs:
        await reached(jobs, "a", "done")
    assert last.told == []


async def test_crash_loop_gives_up_no_job_that_is_not_its_cause(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
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
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
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
    async with running(f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path, script.works) as jobs:
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


async def test_error_of_a_step_is_recorded_like_any_outcome(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
    tries = []

    def work_with(hold: asyncio.Event, caught: list[str]) -> Work:
        async def work(payload: str, run_step: RunStep) -> None:
            async def fails() -> None:
                tries.append(payload)
                raise KeyError("no such thing")

            try:
                await run_step("draft", fails)
            except KeyError as exc:
                caught.append(str(exc))
            await run_step("evaluate", hold.wait, is_light=True)

        return work

    hold, caught = asyncio.Event(), []  # type: tuple[asyncio.Event, list[str]]
    async with abandoned(url, tmp_path, {"ask": work_with(hold, caught)}) as jobs:
        await jobs.submit(Job("a", "ask", "a"))
        await until(lambda: caught)
    hold.set()
    async with running(url, tmp_path, {"ask": work_with(hold, caught)}) as jobs:
        await reached(jobs, "a", "done")
    assert tries == ["a"]
    assert caught == ["'no such thing'"] * 2


@dataclass
class Search:
    """Work with light steps: a search, what is written from it, a check, and what is sent."""

    found: str
    held: str = ""
    is_away: bool = False
    done: list[str] = field(default_factory=list)
    hold: asyncio.Event = field(default_factory=asyncio.Event)

    async def work(self, payload: str, run_step: RunStep) -> None:
        try:
            found = await run_step("retrieve", partial(self._step, "retrieve", self.found), is_light=True)
        except InputError:
            found = "nothing"
        written = await run_step("regenerate", partial(self._step, "regenerate", f"{found}, written"))
        checking = partial(self._step, "evaluate 2", f"{written}, checked")
        checked = await run_step("evaluate 2", checking, is_light=True)
        await run_step("send 1", partial(self._step, "send 1", checked))

    async def _step(self, name: str, outcome: str) -> str:
        if self.is_away and name == "retrieve":
            raise InputError("it is away")
        if self.held == name:
            self.done.append(f"({name}")
            await self.hold.wait()
        self.done.append(f"{name}: {outcome}")
        return outcome


@pytest.mark.parametrize(
    ("held", "is_away", "again"),
    [
        # Nothing was done because of what was found: it may come out anew.
        pytest.param(
            "regenerate",
            False,
            ["retrieve: new", "regenerate: new, written", "evaluate 2: new, written, checked"],
            id="before the next record",
        ),
        pytest.param("evaluate 2", False, ["evaluate 2: old, written, checked"], id="behind it"),
        pytest.param("send 1", False, ["evaluate 2: old, written, checked"], id="behind it, in a later step"),
        pytest.param("send 1", True, ["evaluate 2: nothing, written, checked"], id="an error"),
    ],
)
async def test_light_step_is_recorded_with_the_next_one_that_has_a_record(
    url: str, tmp_path: Path, held: str, is_away: bool, again: list[str]
) -> None:
    first = Search("old", held, is_away)
    async with abandoned(url, tmp_path, {"ask": first.work}) as jobs:
        await jobs.submit(Job("1", "ask", "a", lane="x", person="ann"))
        await until(lambda: f"({held}" in first.done)
    second = Search("new")
    async with running(url, tmp_path, {"ask": second.work}) as jobs:
        await reached(jobs, "1", "done")
        steps = await DBOS.list_workflow_steps_async("1", load_output=False)
        (kept,) = await queries.read_kept("ann")
    assert second.done == [*again, f"send 1: {again[-1].removeprefix('evaluate 2: ')}"]
    assert [step["function_name"] for step in steps] == ["regenerate", "send 1"]
    # Whoever asks what is kept is told of every step.
    assert list(kept.outcomes) == ["retrieve", "regenerate", "evaluate 2", "send 1"]
    assert kept.outcomes["evaluate 2"] == again[-1].removeprefix("evaluate 2: ")


async def test_light_step_is_told_from_its_record_when_the_process_ends_before_a_stranded_job_goes_on(
    url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranded_module, "_FIRST_WAIT_SECONDS", 0.01)
    first, before = Search("old", "regenerate"), Script(held={"b1"})

    async def stranded(payload: str, run_step: RunStep) -> None:
        async def full() -> None:
            raise StorageError("the disk is full", is_passing=True)

        def without_room(
            name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
        ) -> Awaitable[Any]:
            return run_step(name, full if name == "send 1" else work, is_light=is_light)

        await first.work(payload, without_room)

    async with abandoned(url, tmp_path, {"ask": stranded, "other": before.work}) as jobs:
        await jobs.submit(Job("1", "ask", "a", lane="x", order=2))
        await until(lambda: "(regenerate" in first.done)
        # Its turn comes as soon as the first one is put back into the lane.
        await jobs.submit(Job("2", "other", "b", lane="x", order=1))
        first.hold.set()
        await until(lambda: "(b1" in before.done)
        assert await jobs.state("1") == "waiting"
    second, after = Search("new"), Script()
    async with running(url, tmp_path, {"ask": second.work, "other": after.work}) as jobs:
        await reached(jobs, "1", "done")
    assert after.done == ["b1", "b2"]
    assert second.done == ["evaluate 2: old, written, checked", "send 1: old, written, checked"]


async def test_work_that_takes_other_steps_than_recorded_begins_anew(tmp_path: Path) -> None:
    """After an upgrade the same question may take another way."""
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
    first = Script(held={"a2"})
    async with abandoned(url, tmp_path, first.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await jobs.submit(Job("b", "ask", "b", lane="x", order=2))
        await until(lambda: "(a2" in first.done)
    done = []

    async def other(payload: str, run_step: RunStep) -> None:
        async def step() -> None:
            done.append(payload)

        await run_step("regenerate", step)

    async with running(url, tmp_path, {"ask": other}) as jobs:
        await reached(jobs, "b", "done")
        assert await jobs.state("a:anew") == "done"
    assert done == ["a", "b"]


@pytest.mark.parametrize("is_passing", [True, False], ids=["disk full", "damaged"])
async def test_storage_trouble_in_a_step_is_waited_out_only_when_it_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_passing: bool
) -> None:
    monkeypatch.setattr(stranded_module, "_FIRST_WAIT_SECONDS", 0.05)
    tries: list[str] = []
    told: list[str] = []
    troubles: list[Reason | None] = []

    async def work(payload: str, run_step: RunStep) -> None:
        async def remember() -> None:
            tries.append(payload)
            if len(tries) == 1:
                raise StorageError("the disk is full", is_passing=is_passing)

        await run_step("draft", remember)

    async def failed(payload: str, run_step: RunStep) -> None:
        told.append(payload)

    async with running(
        f"sqlite:///{tmp_path}/jobs.sqlite3",
        tmp_path,
        {"ask": work, FAILED: failed},
        on_trouble=troubles.append,
    ) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await reached(jobs, "a", "done" if is_passing else "failed")
        await until(lambda: not jobs.trouble)
        if not is_passing:
            await until(lambda: told)
    assert len(tries) == (2 if is_passing else 1)
    assert list(map(str, troubles)) == (
        ["nothing can be recorded: the disk is full", "None"] if is_passing else []
    )


async def test_nothing_is_accepted_while_it_cannot_be_recorded(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script, troubles = Script(), []  # type: tuple[Script, list[Reason | None]]
    full = OperationalError("INSERT", {}, Exception("database or disk is full"))

    async def no_room(*args: Any) -> None:
        raise full

    async with running(
        f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path, script.works, on_trouble=troubles.append
    ) as jobs:
        with monkeypatch.context() as broken:
            broken.setattr(DBOS, "enqueue_workflow_async", no_room)
            for _ in range(3):
                with pytest.raises(StorageError, match="database or disk is full"):
                    await jobs.submit(Job("a", "ask", "a", lane="x"))
        assert str(jobs.trouble) == "nothing can be recorded: database or disk is full"
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        assert jobs.trouble is None
        await reached(jobs, "a", "done")
    assert list(map(str, troubles)) == ["nothing can be recorded: database or disk is full", "None"]


async def test_job_whose_end_cannot_be_recorded_comes_back_and_frees_its_lane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranded_module, "_FIRST_WAIT_SECONDS", 0.05)
    script = Script()
    async with running(f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path, script.works) as jobs:
        from dbos._dbos import _get_dbos_instance

        database = _get_dbos_instance()._sys_db
        record = database.update_workflow_outcome
        refused: list[str] = []

        def once(workflow_id: str, *args: Any, **more: Any) -> bool:
            # dbos tries to record the failure as well.
            if len(refused) < 2:
                refused.append(workflow_id)
                raise OperationalError("UPDATE", {}, Exception("database or disk is full"))
            return record(workflow_id, *args, **more)

        monkeypatch.setattr(database, "update_workflow_outcome", once)
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await jobs.submit(Job("b", "ask", "b", lane="x", order=2))
        await reached(jobs, "b", "done")
        assert await jobs.state("a") == "done"
    assert refused == ["a", "a"]
    assert script.done == ["a1", "a2", "b1", "b2"]


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


@pytest.mark.parametrize(
    "call",
    [
        lambda jobs: jobs.state("a"),
        lambda jobs: jobs.cancel("a"),
        lambda jobs: jobs.dead_letters(),
        lambda jobs: jobs.prune(timedelta(days=-1)),
    ],
    ids=["state", "cancel", "dead letters", "prune"],
)
async def test_database_that_fails_is_a_storage_error_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, call: Callable[[Jobs], Awaitable[Any]]
) -> None:
    """The bot ends at an error that nobody knows; this one is waited out."""

    async def locked(**_given: Any) -> None:
        raise OperationalError("SELECT", {}, Exception("database is locked"))

    async with running(f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path, {}) as jobs:
        with monkeypatch.context() as broken:
            broken.setattr(DBOS, "list_workflows_async", locked)
            with pytest.raises(StorageError, match="database is locked") as caught:
                await call(jobs)
    assert caught.value.is_passing


async def test_database_that_fails_at_the_start_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def busy(**_: Any) -> None:
        raise PoolTimeoutError("QueuePool limit of size 20 overflow 0 reached")

    monkeypatch.setattr(DBOS, "list_workflows_async", busy)
    with pytest.raises(JobsError, match=r"QueuePool limit .*: check the database, or the folder"):
        async with running(f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path, Script().works):
            pass


async def test_note_that_cannot_be_kept_is_not_the_outcome_of_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranded_module, "_FIRST_WAIT_SECONDS", 0.05)
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
    first, second = Script(held={"a1"}), Script()
    async with abandoned(url, tmp_path, first.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await until(lambda: "(a1" in first.done)
    note, refused = DBOS.update_workflow_attributes_async, []  # type: tuple[Any, list[str]]

    async def once(job_id: str, attributes: dict[str, Any], **more: Any) -> None:
        if attributes["attempts"]["has_begun"] and not refused:
            refused.append(job_id)
            raise OperationalError("UPDATE", {}, Exception("database is locked"))
        await note(job_id, attributes, **more)

    monkeypatch.setattr(DBOS, "update_workflow_attributes_async", once)
    async with running(url, tmp_path, second.works) as jobs:
        await reached(jobs, "a", "done")
    assert refused == ["a"]
    assert second.done == ["a1", "a2"]


async def test_work_of_another_machine_has_not_crashed_when_this_one_starts(url: str, tmp_path: Path) -> None:
    script = Script(held={"a1"})
    async with abandoned(url, tmp_path, script.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await until(lambda: "(a1" in script.done)
    for _ in range(3):
        async with opened(Jobs(tmp_path), script.works, url, "another"):
            listed = await DBOS.list_workflows_async(workflow_ids=["a"])
            assert from_attributes(listed[0].attributes).crashes == 0


async def test_job_that_was_begun_anew_can_be_cancelled(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
    first = Script(held={"a1"})
    async with abandoned(url, tmp_path, {"ask": first.work}) as jobs:
        # As the runner submits it when the records of "b" do not fit.
        await jobs.submit(Job("b:anew", "ask", "a", lane="x"))
        await until(lambda: "(a1" in first.done)
        assert await jobs.cancel("b")
        assert await jobs.state("b:anew") == "cancelled"


async def test_calls_from_within_a_job_do_not_become_steps_of_it(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/jobs.sqlite3"
    script, states = Script(held={"a2"}), []  # type: tuple[Script, list[Any]]
    opened: list[Jobs] = []

    async def nosy(payload: str, run_step: RunStep) -> None:
        # As often as it happens to be: a replay with another number of calls still finds its records.
        for _ in range(1 if not states else 3):
            states.append(await opened[-1].state("a"))
            await opened[-1].submit(Job("child", "child", "c"))
        await script.work(payload, run_step)

    async with abandoned(url, tmp_path, {"ask": nosy, "child": script.work}) as jobs:
        opened.append(jobs)
        await jobs.submit(Job("a", "ask", "a"))
        await until(lambda: "(a2" in script.done)
    script.hold.set()
    async with running(url, tmp_path, {"ask": nosy, "child": script.work}) as jobs:
        opened.append(jobs)
        await reached(jobs, "a", "done")
        assert await jobs.state("a:anew") is None
    assert script.done.count("a1") == 1
    assert script.done.count("c1") == 1


async def test_database_that_cannot_be_opened_is_one_sentence_without_the_password(tmp_path: Path) -> None:
    with pytest.raises(
        JobsError, match=r"cannot be kept in sqlite:////.*nowhere/jobs.sqlite3 .unable to open"
    ):
        async with running(f"sqlite:///{tmp_path}/nowhere/jobs.sqlite3", tmp_path, {}):
            pass
    with pytest.raises(JobsError) as caught:
        async with running("postgresql://me:hush@127.0.0.1:1/none", tmp_path, {}):
            pass
    assert "hush" not in str(caught.value)
    # And the next one opens: nothing of the failed one is left in the process.
    async with running(f"sqlite:///{tmp_path}/jobs.sqlite3", tmp_path, {}):
        assert await asyncio.to_thread(lambda: 1) == 1
    assert await asyncio.to_thread(lambda: 2) == 2


async def test_no_more_jobs_than_allowed_are_at_work(url: str, tmp_path: Path) -> None:
    script, jobs = Script(held={"a1", "b1", "c1"}), Jobs(tmp_path)
    async with opened(jobs, {"work": script.work, FAILED: script.work}, url, "main", most_at_work=2):
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
