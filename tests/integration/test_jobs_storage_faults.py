"""A database that is full, locked or away: what durable work waits out, refuses and tells."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from bot.jobs import FAILED, Job
from bot.jobs import stranded as stranded_module
from bot.jobs.attempts import Attempts
from bot.jobs.journal import Journal
from bot.service.errors import StorageError
from bot.storage import database as database_module
from bot.storage.database import FILE_NAME
from rag.reasons import Reason
from rag.runs.run import RunStep
from tests.support.jobs import Script, abandoned, reached, running, until


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

    async with running("", tmp_path, {"ask": work, FAILED: failed}, on_trouble=troubles.append) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await reached(jobs, "a", "done" if is_passing else "failed")
        await until(lambda: not jobs.trouble)
        if not is_passing:
            await until(lambda: told)
    assert len(tries) == (2 if is_passing else 1)
    assert list(map(str, troubles)) == (
        ["nothing can be recorded: the disk is full", "None"] if is_passing else []
    )


@pytest.mark.parametrize("what", ["end", "record"])
async def test_job_whose_record_cannot_be_written_comes_back_and_frees_its_lane(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    monkeypatch.setattr(stranded_module, "_FIRST_WAIT_SECONDS", 0.05)
    script = Script()
    async with running("", tmp_path, script.works) as jobs:
        write, refused = getattr(jobs.journal, what), []  # type: tuple[Any, list[str]]

        async def once(run_id: str, *given: Any) -> Any:
            if not refused:
                refused.append(run_id)
                await full()
            return await write(run_id, *given)

        monkeypatch.setattr(jobs.journal, what, once)
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await jobs.submit(Job("b", "ask", "b", lane="x", order=2))
        await reached(jobs, "b", "done")
        assert await jobs.state("a") == "done"
    assert refused == ["a"]
    # What has a record is not done again.
    assert script.done == (["a1", "a2"] if what == "end" else ["a1", "a1", "a2"]) + ["b1", "b2"]


async def test_database_that_is_locked_is_a_storage_error_that_passes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The bot ends at an error that nobody knows; this one is waited out."""
    monkeypatch.setattr(database_module, "_BUSY_MILLISECONDS", 50)
    async with running("", tmp_path, {}) as jobs:
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
            other.execute("BEGIN IMMEDIATE")
            for call in (jobs.cancel("a"), jobs.prune(timedelta(days=-1)), jobs.submit(Job("a", "ask", "a"))):
                with pytest.raises(StorageError, match=r"busy|locked") as caught:
                    await call
                assert caught.value.is_passing


async def test_note_that_cannot_be_kept_is_not_the_outcome_of_a_step(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stranded_module, "_FIRST_WAIT_SECONDS", 0.05)
    first, second = Script(held={"a1"}), Script()
    async with abandoned("", tmp_path, first.works) as jobs:
        await jobs.submit(Job("a", "ask", "a", lane="x"))
        await until(lambda: "(a1" in first.done)
    note, refused = Journal.note, []  # type: tuple[Any, list[str]]

    async def once(self: Journal, job_id: str, process: str, known: Attempts) -> None:
        if known.has_begun and not refused:
            refused.append(job_id)
            await full()
        await note(self, job_id, process, known)

    monkeypatch.setattr(Journal, "note", once)
    async with running("", tmp_path, second.works) as jobs:
        await reached(jobs, "a", "done")
    assert refused == ["a"]
    assert second.done == ["a1", "a2"]


async def full(*_given: Any) -> None:
    raise StorageError("the disk is full", is_passing=True)
