"""The connection to the SQLite file: few changes of thread, and transactions that end as they should."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
import sqlalchemy as sa

from bot.storage.database import FILE_NAME, Database, open_database
from bot.storage.file_connection import READ, WRITE, FileConnection

INSERT = sa.text("INSERT INTO conversations (id, created_at) VALUES (:id, '2026-01-01')")
COUNT = sa.text("SELECT count(*) FROM conversations")


@pytest.fixture
async def database(tmp_path: Path) -> AsyncIterator[Database]:
    async with open_database(tmp_path) as opened:
        yield opened


@pytest.fixture
def hops(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What was given to the threads of connections."""
    seen: list[str] = []
    inherited = FileConnection._execute

    async def counted(self: FileConnection, fn: Callable[..., Any], *given: Any, **more: Any) -> Any:
        seen.append(fn.__name__)
        return await inherited(self, fn, *given, **more)  # type: ignore[no-untyped-call]  # aiosqlite does not say

    monkeypatch.setattr(FileConnection, "_execute", counted)
    return seen


async def count(database: Database) -> int:
    async with database.reading() as connection:
        return int(await connection.scalar(COUNT) or 0)


async def test_query_with_its_rows_and_its_transaction_changes_the_thread_once(
    database: Database, hops: list[str]
) -> None:
    await count(database)  # opens a connection
    hops.clear()
    assert await count(database) == 0
    assert len(hops) == 1


async def test_transaction_that_writes_changes_the_thread_once_more_than_it_has_statements(
    database: Database, hops: list[str]
) -> None:
    await count(database)
    hops.clear()
    async with database.writing() as connection:
        await connection.execute(INSERT, {"id": "a"})
        await connection.execute(INSERT, [{"id": "b"}, {"id": "c"}])
    assert len(hops) == 3
    assert await count(database) == 3


async def test_reader_sees_one_state_until_its_end(database: Database) -> None:
    async with database.reading() as reader:
        before = await reader.scalar(COUNT)
        async with database.writing() as writer:
            await writer.execute(INSERT, {"id": "a"})
        assert (before, await reader.scalar(COUNT)) == (0, 0)
    assert await count(database) == 1


async def test_write_that_nobody_waits_for_any_more_is_taken_back(tmp_path: Path) -> None:
    async with open_database(tmp_path) as database:
        with closing(sqlite3.connect(tmp_path / FILE_NAME)) as other:
            other.execute("BEGIN IMMEDIATE")

            async def write() -> None:
                async with database.writing() as connection:
                    await connection.execute(INSERT, {"id": "a"})

            writing = asyncio.create_task(write())
            for _ in range(100):
                await asyncio.sleep(0)
            writing.cancel()
            # It goes on in its thread, behind the other's transaction.
            other.rollback()
            with pytest.raises(asyncio.CancelledError):
                await writing
        async with database.writing() as connection:
            await connection.execute(INSERT, {"id": "b"})
            assert await connection.scalar(COUNT) == 1
    with closing(sqlite3.connect(tmp_path / FILE_NAME)) as reader:
        assert reader.execute("SELECT id FROM conversations").fetchall() == [("b",)]


async def test_transaction_without_a_statement_is_none(tmp_path: Path) -> None:
    connection = await FileConnection(tmp_path / "file")
    assert isinstance(connection, FileConnection)
    try:
        for begin in (READ, WRITE):
            await connection.cursor().execute(begin)
            await connection.commit()
            await connection.cursor().execute(begin)
            await connection.rollback()
        cursor = connection.cursor()
        await cursor.execute("SELECT 1 AS one")
        assert (await cursor.fetchall(), cursor.description[0][0]) == ([(1,)], "one")
        assert not connection.in_transaction
    finally:
        await connection.close()
