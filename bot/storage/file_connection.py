"""A connection to the SQLite file for SQLAlchemy, with as few thread switches as possible.

aiosqlite hands every call to the connection's thread: a query takes four calls (make a cursor, execute,
fetch, close), its transaction two more, and each call costs more than the query itself. Here a statement and
its rows are one call, ``BEGIN`` goes along with the first statement, and calls that do not touch the disk
stay in the caller's thread.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Thread
from typing import Any, Final, Self, TypeAlias, cast

import aiosqlite

READ: Final = "BEGIN"
"""Begins a transaction that only reads."""

WRITE: Final = "BEGIN IMMEDIATE"
"""Begins a transaction that writes; waits for other writers."""

Fetched: TypeAlias = tuple[sqlite3.Cursor | aiosqlite.Cursor | None, list[Any]]
"""A statement's cursor, which is not read any more, and all of its rows."""


class _Cursor(sqlite3.Cursor):
    def fetchall(self) -> Fetched:  # type: ignore[override]  # aiosqlite returns what this returns
        rows = super().fetchall()
        self.close()
        return self, rows


class _File(sqlite3.Connection):
    """A SQLite connection that carries out `beginning`, if it is set, before the next statement."""

    beginning = ""

    def execute(self, sql: str, given: Any = ()) -> sqlite3.Cursor:  # noqa: ANN401 - as the driver takes it
        return self._begun().execute(sql, given)

    def executemany(self, sql: str, given: Iterable[Any]) -> sqlite3.Cursor:
        return self._begun().executemany(sql, given)

    def _begun(self) -> _Cursor:
        cursor, beginning = self.cursor(_Cursor), self.beginning
        self.beginning = ""
        return cursor.execute(beginning) if beginning else cursor


class FileConnection(aiosqlite.Connection):
    """One connection, in autocommit mode: `READ` and `WRITE` begin transactions."""

    _file: _File

    def __init__(self, path: Path) -> None:
        def connected() -> _File:
            # Statements run one at a time in the connection's thread; their objects are freed in the loop's
            # thread.
            self._file = sqlite3.connect(path, isolation_level=None, check_same_thread=False, factory=_File)
            return self._file

        # The thread of a connection that nobody closes must not keep the process from ending. It is a daemon
        # if the thread that makes it is one.
        maker = Thread(target=super().__init__, args=(connected, 64), daemon=True)
        maker.start()
        maker.join()
        self._beginning = ""
        # The statement that began a transaction which may be open: a cancelled statement still runs.
        self._begun = ""

    def cursor(self) -> Cursor:  # type: ignore[override]  # SQLAlchemy enters what it gets, and ours is at hand
        """Return a cursor."""
        return Cursor(self)

    async def run(self, sql: str, given: Iterable[Any], *, is_many: bool) -> Fetched:
        """Execute a statement; return its cursor and all of its rows."""
        if sql in {READ, WRITE}:
            self._beginning = sql
            return None, []
        if beginning := self._beginning:
            self._begun, self._beginning = beginning, ""
            self._file.beginning = beginning
        if is_many:
            return await self.executemany(sql, given), []
        return cast("Fetched", await self.execute_fetchall(sql, given))

    async def commit(self) -> None:
        """Commit the transaction; waits for the disk."""
        if self._begun == READ:
            self._file.commit()
        elif self._begun:
            await super().commit()
        self._beginning = self._begun = ""

    async def rollback(self) -> None:
        """Roll the transaction back."""
        if self._begun:
            await super().rollback()
        self._beginning = self._begun = ""


class Cursor:
    """Executes one statement at a time and holds its rows."""

    def __init__(self, connection: FileConnection) -> None:
        self.arraysize = 1
        self._connection = connection
        self._cursor: sqlite3.Cursor | aiosqlite.Cursor | None = None
        self._rows: list[Any] = []

    async def __aenter__(self) -> Self:
        return self

    @property
    def description(self) -> Any:  # noqa: ANN401 - as the driver has it
        """Return the columns of the result; None when the statement has no result."""
        return None if self._cursor is None else self._cursor.description

    @property
    def rowcount(self) -> int:
        """Return the number of changed rows."""
        return -1 if self._cursor is None else self._cursor.rowcount

    @property
    def lastrowid(self) -> int | None:
        """Return the id of the last inserted row."""
        return None if self._cursor is None else self._cursor.lastrowid

    async def execute(self, sql: str, given: Sequence[Any] = ()) -> Self:
        """Execute a statement."""
        self._cursor, self._rows = await self._connection.run(sql, given, is_many=False)
        return self

    async def executemany(self, sql: str, given: Iterable[Sequence[Any]]) -> Self:
        """Execute a statement for each of several rows of values."""
        self._cursor, self._rows = await self._connection.run(sql, given, is_many=True)
        return self

    async def fetchall(self) -> list[Any]:
        """Return the remaining rows."""
        rows, self._rows = self._rows, []
        return rows

    async def close(self) -> None:
        """Do nothing, because the underlying cursor is closed already."""
