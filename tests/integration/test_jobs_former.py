"""What the former version left unfinished is carried over; the files in `former` were written by that version.

Its process was killed twice: in the middle of "tg:1:3", behind the record of its answer, with "tg:1:9" and
"tg:1:10" waiting in the same lane, and in the middle of "told", which has no lane.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.jobs.former import FILE_NAME
from bot.jobs.runner import Jobs, opened
from bot.service.errors import StorageError
from bot.storage import database as database_module
from bot.storage.database import Database, open_database
from bot.storage.run_events import StoredRuns
from rag.runs.run import RunStep
from rag.runs.work import Outcome
from rag.values import Answer
from tests.support.former import restore, restore_last_release
from tests.support.jobs import reached
from tests.support.postgres import PostgresServer


def restore_unfinished_work(folder: Path) -> None:
    restore(folder / FILE_NAME, "jobs")
    restore_last_release(folder, "rows_of_unfinished_work")


class Works:
    """Goes through the steps of the former work, and notes those that are carried out."""

    def __init__(self) -> None:
        self.done: list[str] = []
        self.found: dict[str, Any] = {}

    async def ask(self, payload: str, run_step: RunStep) -> None:
        for name in ("recall", "draft", "probe", "answer", "send 1"):

            async def step(name: str = name) -> str:
                self.done.append(f"{payload}: {name}")
                return name

            self.found[f"{payload}: {name}"] = await run_step(
                name, step, is_light=name in {"recall", "probe"}
            )

    async def told(self, payload: str, run_step: RunStep) -> None:
        self.found[payload] = await run_step("say", self._never)

    async def _never(self) -> None:
        raise AssertionError


async def check(database: Database, folder: Path) -> None:
    works, jobs = Works(), Jobs(database, folder)
    async with opened(jobs, {"ask": works.ask, "told": works.told}, "main"):
        await reached(jobs, "tg:1:10", "done")
        await reached(jobs, "told", "done")
        assert await jobs.state("tg:1:3") == "done"
        (kept,) = await jobs.journal.read_kept("telegram:43")
    # Behind what was recorded, and in the order of the lane.
    assert works.done == [
        "begun: send 1",
        *(
            f"{name}: {step}"
            for name in ("second", "third")
            for step in ("recall", "draft", "probe", "answer", "send 1")
        ),
    ]
    assert isinstance(works.found["begun: answer"], Answer)
    assert isinstance(works.found["begun: draft"], Outcome)
    assert works.found["begun: draft"].calls[0].input_tokens == 120
    assert works.found["begun: probe"] == {"java.md"}
    assert kept.id == "told"


async def test_unfinished_work_of_the_former_file_goes_on(tmp_path: Path) -> None:
    restore_unfinished_work(tmp_path)
    async with open_database(tmp_path) as database:
        await check(database, tmp_path)
        runs = StoredRuns(database)
        begun, over = await runs.get("tg:1:3"), await runs.get("tg:1:2")
        assert begun is not None
        assert over is not None
        assert (begun.kind, begun.conversation_id) == ("answer", "telegram:41/0")
        assert over.state == "complete"
        assert [event.type for event in await runs.read("tg:1:3")] == ["step_started"]
    assert not (tmp_path / FILE_NAME).exists()


async def test_unfinished_work_of_the_former_schema_goes_on(tmp_path: Path, postgres: PostgresServer) -> None:
    url = postgres.new_database()
    restore(tmp_path / FILE_NAME, "jobs")
    copy_to_schema(tmp_path / FILE_NAME, url)
    async with open_database(tmp_path, url) as database:
        await check(database, tmp_path)


def copy_to_schema(file: Path, url: str) -> None:
    source = sa.create_engine(f"sqlite:///{file}")
    target = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    with source.connect() as reader, target.begin() as writer:
        writer.execute(sa.text("CREATE SCHEMA dbos"))
        for name in ("dbos_migrations", "workflow_status", "workflow_input", "operation_outputs"):
            table = sa.Table(name, sa.MetaData(), autoload_with=reader, resolve_fks=False)
            columns = [
                sa.Column(
                    column.name, sa.BigInteger() if isinstance(column.type, sa.Integer) else column.type
                )
                for column in table.columns
            ]
            copied = sa.Table(name, sa.MetaData(), *columns, schema="dbos")
            copied.create(writer)
            if rows := [dict(row) for row in reader.execute(sa.select(table)).mappings()]:
                writer.execute(sa.insert(copied), rows)
    source.dispose()
    target.dispose()


BEFORE_THE_LAST = {
    "another version": "UPDATE dbos_migrations SET version = 124",
    "an unreadable record": "UPDATE workflow_input SET inputs = 'gASVBQAAAAAAAAB9lC4='",
}


@pytest.mark.parametrize("change", BEFORE_THE_LAST.values(), ids=BEFORE_THE_LAST)
async def test_work_of_a_version_before_the_last_is_refused_and_nothing_changes(
    tmp_path: Path, change: str
) -> None:
    restore_unfinished_work(tmp_path)
    changed(tmp_path, change)
    before = dump(tmp_path)
    with pytest.raises(StorageError, match=r"jobs\.sqlite3 was written by a version before the last one"):
        async with open_database(tmp_path):
            pass
    # That version still starts, finishes its work, and then this one does, too.
    assert dump(tmp_path) == before
    changed(tmp_path, "UPDATE workflow_status SET status = 'SUCCESS'")
    async with open_database(tmp_path) as database:
        assert await Jobs(database, tmp_path).state("tg:1:3") == "done"


async def test_schema_of_a_version_before_the_last_is_refused_and_nothing_changes(
    tmp_path: Path, postgres: PostgresServer
) -> None:
    url = postgres.new_database()
    restore(tmp_path / FILE_NAME, "jobs")
    changed(tmp_path, BEFORE_THE_LAST["another version"])
    copy_to_schema(tmp_path / FILE_NAME, url)
    with pytest.raises(StorageError, match="the schema dbos of the database was written by a version before"):
        async with open_database(tmp_path, url):
            pass
    engine = sa.create_engine(url.replace("postgresql://", "postgresql+psycopg://"))
    assert sa.inspect(engine).get_table_names() == []
    assert sa.inspect(engine).has_table("workflow_status", "dbos")
    engine.dispose()


def changed(folder: Path, statement: str) -> None:
    with closing(sqlite3.connect(folder / FILE_NAME)) as connection, connection:
        connection.execute(statement)


def dump(folder: Path) -> list[list[str]]:
    found = []
    for name in (FILE_NAME, database_module.FILE_NAME):
        with closing(sqlite3.connect(folder / name)) as connection:
            found.append(list(connection.iterdump()))
    return found


async def test_work_that_cannot_be_carried_over_now_is_carried_over_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    restore_unfinished_work(tmp_path)
    monkeypatch.setattr(database_module, "_BUSY_MILLISECONDS", 50)
    with closing(sqlite3.connect(tmp_path / database_module.FILE_NAME)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError):
            async with open_database(tmp_path):
                pass
    async with open_database(tmp_path) as database:
        await check(database, tmp_path)
