"""A database that is full, locked or away: what durable work waits out, refuses and tells."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from dbos import DBOS
from sqlalchemy.exc import OperationalError
from sqlalchemy.exc import TimeoutError as PoolTimeoutError

from bot.jobs import FAILED, Job
from bot.jobs import stranded as stranded_module
from bot.jobs.durable import JobsError
from bot.jobs.runner import Jobs
from bot.service.errors import StorageError
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
