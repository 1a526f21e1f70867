"""A connection to the SQLite file for SQLAlchemy, with as few changes of thread as there can be.

aiosqlite gives every single call to the connection's thread: a query is four of them (make a cursor,
execute, fetch, close), its transaction two more, and each costs more than the query itself. Here a statement
and its rows are one, what begins a transaction goes along with its first statement, and what does not touch
the disk is done where one stands.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final, Self

import aiosqlite

READ: Final = "BEGIN"
"""Begins a transaction that only reads."""

WRITE: Final = "BEGIN IMMEDIATE"
"""Begins a transaction that writes; it waits for other writers."""


class FileConnection(aiosqlite.Connection):
    """One connection, in autocommit mode: `READ` and `WRITE` begin transactions.

    Args:
        path: The file.
    """

    def __init__(self, path: Path) -> None:
        # Statements run in its thread, one at a time; what reading leaves behind is put away in the loop's.
        super().__init__(
            lambda: sqlite3.connect(path, isolation_level=None, check_same_thread=False), iter_chunk_size=64
        )
        self._thread.daemon = True
        self._beginning = ""
        # What began the transaction that may be open: a statement that nobody waits for any more still runs.
        self._begun = ""

    def cursor(self) -> Cursor:  # type: ignore[override]  # SQLAlchemy enters what it gets, and ours is at hand
        """Return a cursor."""
        return Cursor(self)

    async def run(self, sql: str, given: Iterable[Any], *, is_many: bool) -> tuple[sqlite3.Cursor, list[Any]]:
        """Carry out a statement; return its closed cursor and all of its rows."""
        if sql in {READ, WRITE}:
            self._beginning = sql
            return self._conn.cursor(), []
        if beginning := self._beginning:
            self._begun, self._beginning = beginning, ""

        def carried_out() -> tuple[sqlite3.Cursor, list[Any]]:
            if beginning:
                self._conn.execute(beginning)
            cursor = self._conn.cursor()
            (cursor.executemany if is_many else cursor.execute)(sql, given)  # type: ignore[arg-type]  # as the caller says
            rows = cursor.fetchall()
            cursor.close()
            return cursor, rows

        return await self._execute(carried_out)  # type: ignore[no-any-return,no-untyped-call]  # aiosqlite does not say

    async def commit(self) -> None:
        """Keep what the transaction has changed; waits for the disk."""
        if self._begun == READ:
            self._conn.commit()
        elif self._begun:
            await super().commit()
        self._beginning = self._begun = ""

    async def rollback(self) -> None:
        """Take back what the transaction has changed."""
        if self._begun:
            await super().rollback()
        self._beginning = self._begun = ""


class Cursor:
    """One statement at a time, and its rows.

    Args:
        connection: Carries the statements out.
    """

    def __init__(self, connection: FileConnection) -> None:
        self.arraysize = 1
        self._connection = connection
        self._cursor: sqlite3.Cursor | None = None
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    @property
    def description(self) -> Any:  # noqa: ANN401 - as the driver has it
        """The columns; None when there are none."""
        return None if self._cursor is None else self._cursor.description

    @property
    def rowcount(self) -> int:
        """Rows that were changed."""
        return -1 if self._cursor is None else self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        """The row that was added."""
        return None if self._cursor is None else self._cursor.lastrowid

    async def execute(self, sql: str, given: Sequence[Any] = ()) -> Self:
        """Carry out a statement."""
        self._cursor, self._rows = await self._connection.run(sql, given, is_many=False)
        return self

    async def executemany(self, sql: str, given: Iterable[Sequence[Any]]) -> Self:
        """Carry out a statement for each of several rows."""
        self._cursor, self._rows = await self._connection.run(sql, given, is_many=True)
        return self

    async def fetchall(self) -> list[Any]:
        """The rows that are left."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Nothing is left open."""
