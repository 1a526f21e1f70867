"""Our SQLite file: opened, brought to the newest form, and every failure said in one sentence."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, closing, contextmanager
from pathlib import Path

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.storage import migrations
from rag.errors import OperatorError

FILE_NAME = "thinktwice.sqlite3"

_BUSY_MILLISECONDS = 5_000

_SENTENCES = {
    sqlite3.SQLITE_BUSY: "is in use by another program; close that program or try again",
    sqlite3.SQLITE_LOCKED: "is in use by another program; close that program or try again",
    sqlite3.SQLITE_CORRUPT: "is damaged; restore a backup, or move it away to start with an empty one",
    sqlite3.SQLITE_NOTADB: "is not a database; restore a backup, or move it away to start with an empty one",
    sqlite3.SQLITE_FULL: "cannot grow because the disk is full; free some space",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened; check that its folder exists and may be written",
    sqlite3.SQLITE_READONLY: "cannot be written; check the permissions of the file and its folder",
    sqlite3.SQLITE_IOERR: "cannot be read or written; check the disk",
}


class StorageError(OperatorError):
    """The database cannot be read or written."""


class Database:
    """The open database.

    Args:
        engine: Its connections.
        path: The file, for messages.
    """

    def __init__(self, engine: AsyncEngine, path: Path) -> None:
        self._engine = engine
        self._path = path

    @asynccontextmanager
    async def reading(self) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one state of the database.

        Raises:
            StorageError: the database cannot be read.
        """
        with _translated(self._path):
            async with self._engine.begin() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self) -> AsyncIterator[AsyncConnection]:
        """A connection whose changes are kept all together, or not at all.

        Raises:
            StorageError: the database cannot be written.
        """
        with _translated(self._path):
            writer = self._engine.execution_options(is_writer=True)
            async with writer.begin() as connection:
                yield connection

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


@asynccontextmanager
async def open_database(data_dir: Path) -> AsyncIterator[Database]:
    """Open the database of a data folder, make or upgrade it when needed, and close it in the end.

    Args:
        data_dir: An existing folder.

    Raises:
        StorageError: it cannot be opened, is damaged, or was made by a newer version.
    """
    path = data_dir / FILE_NAME
    with _translated(path):
        revision = await asyncio.to_thread(_prepare, path)
    if revision > migrations.HEAD:
        raise StorageError(
            f"the database {path} was made by a newer version of Think Twice; install that version"
        )
    engine = create_async_engine(sa.URL.create("sqlite+aiosqlite", database=str(path)))
    event.listen(engine.sync_engine, "connect", _set_up_connection)
    event.listen(engine.sync_engine, "begin", _begin)
    database = Database(engine, path)
    try:
        if revision != migrations.HEAD:
            await _upgrade(database)
        yield database
    finally:
        await database.close()


def _prepare(path: Path) -> str:
    """Open the file once without the pool, and read the revision that it carries.

    aiosqlite leaves a thread behind when it cannot open a file, and that thread may print a
    traceback of its own when the event loop ends before it does; so a bad file must be found here.

    Returns:
        The revision, or an empty string when the database is new.
    """
    with closing(sqlite3.connect(path, timeout=_BUSY_MILLISECONDS / 1000)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall():
            return ""
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(row[0]) if row else ""


async def _upgrade(database: Database) -> None:
    # Another process may be at it: the write lock lets one in, and the others find the work done.
    async with database.writing() as connection:
        if await connection.run_sync(_revision) != migrations.HEAD:
            await connection.run_sync(migrations.upgrade)


def _revision(connection: sa.Connection) -> str:
    if not sa.inspect(connection).has_table("alembic_version"):
        return ""
    return connection.scalar(sa.text("SELECT version_num FROM alembic_version")) or ""


def _set_up_connection(connection: AsyncAdapt_aiosqlite_connection, _record: object) -> None:
    # sqlite3 would begin transactions on its own, and not before DDL; `_begin` does it instead.
    connection.isolation_level = None
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        cursor.execute("PRAGMA journal_mode = WAL")
        # FULL: what was answered is on the disk before the next question is read, also after a power cut.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
    finally:
        cursor.close()


def _begin(connection: sa.Connection) -> None:
    # A reader that turns writer half-way fails at once when another writer was quicker; so a writer
    # says so at the start, and waits.
    is_writer = connection.get_execution_options().get("is_writer", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if is_writer else "BEGIN")


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except (DBAPIError, sqlite3.Error) as exc:
        cause = exc.orig if isinstance(exc, DBAPIError) else exc
        # The low byte is the kind of failure, the others are its details.
        kind = getattr(cause, "sqlite_errorcode", 0) & 0xFF
        sentence = _SENTENCES.get(kind, f"reported: {cause}")
        raise StorageError(f"the database {path} {sentence}") from exc
