"""What durable work records of its steps, light ones and failures among them, and what a replay makes of it.

A process that dies is played by `abandoned`: its tasks are cancelled without anything being noted.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.current_step import step_key, write_with_record
from bot.jobs import FAILED, Job, Work
from bot.jobs import stranded as stranded_module
from bot.service.errors import StorageError
from bot.storage.tables import bots, run_steps
from rag.errors import InputError
from rag.runs.run import RunStep
from tests.support.jobs import Script, abandoned, reached, running, until


async def test_error_of_a_step_is_recorded_like_any_outcome(tmp_path: Path) -> None:
    url = ""
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
        (kept,) = await jobs.journal.read_kept("ann")
    assert second.done == [*again, f"send 1: {again[-1].removeprefix('evaluate 2: ')}"]
    # Whoever asks what is kept is told of every step.
    assert list(kept.outcomes) == ["retrieve", "regenerate", "evaluate 2", "send 1"]
    assert kept.outcomes["evaluate 2"] == again[-1].removeprefix("evaluate 2: ")


@pytest.mark.parametrize(("ends", "wrong"), [("done", 0), ("cancelled", 0), ("failed", 2)])
async def test_light_steps_write_with_the_end(url: str, tmp_path: Path, ends: str, wrong: int) -> None:
    """What is wrong with one of them lets the work fail, and costs none of the others."""
    has_written, hold = asyncio.Event(), asyncio.Event()

    async def write(number: int) -> None:
        assert number != wrong
        await database.change(sa.insert(bots).values(id=number, username="a"))

    async def work(_payload: str, run_step: RunStep) -> None:
        for number in (1, 2, 3):
            keeping = partial(write_with_record, partial(write, number))
            await run_step(f"note {number}", keeping, is_light=True)
        has_written.set()
        await hold.wait()

    async with running(url, tmp_path, {"ask": work, FAILED: Script().failed}) as jobs:
        database = jobs.journal.database
        await jobs.submit(Job("1", "ask", "a"))
        await has_written.wait()
        assert await database.rows(sa.select(bots)) == []
        if ends == "cancelled":
            await jobs.cancel("1")
        hold.set()
        await reached(jobs, "1", ends)
        kept = await database.rows(sa.select(bots.c.id))
        assert {row.id for row in kept} == {1, 2, 3} - {wrong}


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


async def test_work_whose_records_cannot_be_read_begins_from_the_start(tmp_path: Path) -> None:
    """After an upgrade, a class may have other fields."""
    first = Script(held={"a2"})
    async with abandoned("", tmp_path, first.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await jobs.submit(Job("b", "ask", "b", lane="x", order=2))
        await until(lambda: "(a2" in first.done)
        async with jobs.journal.database.writing() as connection:
            await connection.execute(sa.update(run_steps).values(outcome='{"$":"rag.values:Gone","of":{}}'))
    second = Script()
    async with running("", tmp_path, second.works) as jobs:
        await reached(jobs, "b", "done")
        assert await jobs.state("a") == "done"
    assert second.done == ["a1", "a2", "b1", "b2"]


async def test_jobs_submitted_by_a_job_are_no_part_of_it(tmp_path: Path) -> None:
    script, states, begun_in = Script(held={"a2"}), [], []  # type: tuple[Script, list[Any], list[str]]

    async def child(payload: str, run_step: RunStep) -> None:
        begun_in.append(step_key())
        await script.work(payload, run_step)

    async def nosy(payload: str, run_step: RunStep) -> None:
        submit = partial(jobs.submit, Job("child", "child", "c"))
        await run_step("submit", submit)
        # As often as it happens to be: a replay with another number of calls still finds its records.
        for _ in range(1 if not states else 3):
            states.append(await jobs.state("a"))
            await submit()
        await script.work(payload, run_step)

    works: dict[str, Work] = {"ask": nosy, "child": child}
    async with abandoned("", tmp_path, works) as jobs:
        await jobs.submit(Job("a", "ask", "a"))
        await until(lambda: "(a2" in script.done)
        await reached(jobs, "child", "done")
    script.hold.set()
    async with running("", tmp_path, works) as jobs:
        await reached(jobs, "a", "done")
    assert (begun_in, len(states)) == ([""], 4)
    assert (script.done.count("a1"), script.done.count("c1")) == (1, 1)
