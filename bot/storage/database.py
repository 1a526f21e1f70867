"""Our database: opened, brought to the newest form, and every failure said in one sentence.

It is a SQLite file in the data folder, or PostgreSQL by its address. Both behave alike: whoever reads sees
one state, and one transaction writes at a time.
"""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from contextlib import asynccontextmanager, closing, contextmanager, nullcontext
from pathlib import Path
from typing import Any

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.dialects.sqlite.aiosqlite import AsyncAdapt_aiosqlite_connection
from sqlalchemy.exc import DataError, DBAPIError, IntegrityError
from sqlalchemy.exc import TimeoutError as NoneFreeError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from bot.jobs import former
from bot.service.errors import StorageError
from bot.service.fence import DEAD_SECONDS
from bot.storage import data_folder, migrations
from bot.storage.columns import SERVER_NOW_MS
from bot.storage.file_connection import READ, WRITE, FileConnection
from bot.storage.tables import compatibility, machines
from rag.knowledge.write_ahead import switch_to_write_ahead_log
from rag.reasons import Reason

FILE_NAME = "thinktwice.sqlite3"

_BUSY_MILLISECONDS = 5_000
_CONNECTIONS = 5

# Failures that end by themselves or with the space on the disk: the same work may be done later.
_PASSING = {
    sqlite3.SQLITE_BUSY,
    sqlite3.SQLITE_LOCKED,
    sqlite3.SQLITE_FULL,
    sqlite3.SQLITE_IOERR,
    sqlite3.SQLITE_CANTOPEN,
    sqlite3.SQLITE_READONLY,
}

# By the class of an error of PostgreSQL: the first two letters of its code.
_SERVER_PASSING = {"08", "40", "53", "55", "57"}

# One transaction writes at a time, as in SQLite: what it has read is still true when it writes.
_WRITER_LOCK = 7_218_350_221_906


class Database:
    """The open database; `place` is the file, or the address without its password.

    Its contexts raise `StorageError` when it cannot be read or written.
    """

    def __init__(self, engine: AsyncEngine, place: str) -> None:
        self._engine = engine
        self._writer = engine.execution_options(is_writer=True)
        alone = {"isolation_level": "AUTOCOMMIT"} if self.is_server else {"is_single": True}
        self._single = engine.execution_options(**alone)
        self.place = place
        # In the order they come: SQLite lets writers try again and again, and the unlucky ones give up.
        self._writers = asyncio.Lock()
        # By the task that opened them with `together`: a task that it starts is not part of the transaction.
        self._joined: dict[asyncio.Task[Any], AsyncConnection] = {}
        self._after: dict[asyncio.Task[Any], list[Callable[[], object]]] = {}

    @property
    def is_server(self) -> bool:
        """Whether it is PostgreSQL, which several machines can share."""
        return self._engine.dialect.name == "postgresql"

    @asynccontextmanager
    async def reading(self, *, is_single: bool = False) -> AsyncIterator[AsyncConnection]:
        """A connection that sees one state of the database, as a single statement does by itself."""
        with translated(self.place):
            if (joined := self._joined_by_this_task()) is not None:
                yield joined
                return
            async with (self._single if is_single else self._engine).begin() as connection:
                yield connection

    @asynccontextmanager
    async def writing(self, *, is_alone: bool = True) -> AsyncIterator[AsyncConnection]:
        """Open a transaction whose changes are kept all together, or not at all.

        Args:
            is_alone: Whether no other transaction may write meanwhile, so that what was read is still true.
                Without it, PostgreSQL lets others write: for statements that depend on nothing read before.
        """
        with translated(self.place):
            if (joined := self._joined_by_this_task()) is not None:
                yield joined
                return
            if not is_alone and self.is_server:
                sharing = self._engine.execution_options(isolation_level="READ COMMITTED")
                async with sharing.begin() as connection:
                    yield connection
                return
            async with self._writers, self._writer.begin() as connection:
                yield connection

    async def value(self, query: sa.Select[Any]) -> Any:  # noqa: ANN401 - a column's own type
        """Carry out a query; return the first column of its first row, or None if it finds no row."""
        async with self.reading(is_single=True) as connection:
            return await connection.scalar(query)

    async def row(self, query: sa.Select[Any]) -> sa.Row[Any] | None:
        """Carry out a query that finds one row at most, and return it."""
        async with self.reading(is_single=True) as connection:
            found: sa.Row[Any] | None = (await connection.execute(query)).one_or_none()
        return found

    async def rows(self, query: sa.Select[Any]) -> Sequence[sa.Row[Any]]:
        """Carry out a query; return the rows that it finds."""
        async with self.reading(is_single=True) as connection:
            found: Sequence[sa.Row[Any]] = (await connection.execute(query)).all()
        return found

    async def change(self, statement: sa.Executable) -> int:
        """Carry out a statement that changes rows, in a transaction; return the number of these rows."""
        async with self.writing() as connection:
            return (await connection.execute(statement)).rowcount

    @asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """Let everything that this task reads and writes inside be one transaction, kept all or not at all.

        A transaction costs as much as its statements. Only this database may be waited for inside: every
        other writer waits for the end, and one that is waited for inside would wait for ever.
        """
        task = asyncio.current_task()
        assert task is not None  # a coroutine runs in a task
        if task in self._joined:
            yield
            return
        after: list[Callable[[], object]] = []
        self._after[task] = after
        try:
            async with self.writing() as connection:
                self._joined[task] = connection
                try:
                    yield
                finally:
                    del self._joined[task]
        finally:
            del self._after[task]
        for call in after:
            call()

    def after_commit(self, call: Callable[[], object]) -> None:
        """Call this once what this task has written is kept: at once, or at the end of `together`."""
        task = asyncio.current_task()
        if task in self._joined:
            self._after[task].append(call)
        else:
            call()

    def _joined_by_this_task(self) -> AsyncConnection | None:
        return self._joined.get(task) if self._joined and (task := asyncio.current_task()) else None

    @asynccontextmanager
    async def alone(self, name: str) -> AsyncIterator[bool]:
        """Be the only one of a name for as long as the context lasts, on every machine.

        Yields whether nobody else has the name. A SQLite file has no names: a lock beside it does that.
        """
        if not self.is_server:
            yield True
            return
        with translated(self.place):
            async with self._engine.connect() as connection:
                own = await connection.execution_options(isolation_level="AUTOCOMMIT")
                lock = sa.text("SELECT pg_try_advisory_lock(hashtext('thinktwice'), hashtext(:name))")
                # The lock ends with its connection, so also with a process that is killed.
                yield bool(await own.scalar(lock, {"name": name}))

    async def close(self) -> None:
        """Close every connection."""
        await self._engine.dispose()


@asynccontextmanager
async def open_database(data_dir: Path, url: str = "") -> AsyncIterator[Database]:
    """Open the database, make or upgrade it when needed, and close it in the end.

    Args:
        data_dir: An existing folder, for the SQLite file.
        url: Address of a PostgreSQL database to use instead; empty: the file.

    Raises:
        StorageError: it cannot be opened, is damaged, or was made by a newer version that this one cannot
            run beside, or by one from before the last release.
        AlreadyRunningError: it has to be upgraded, and another process works with it.
    """
    if url:
        engine, place = _server(url)
        revision = None
    else:
        path = data_dir / FILE_NAME
        place = str(path)
        with translated(place):
            revision = await asyncio.to_thread(_prepare, path)
        engine = _file(path)
    database = Database(engine, place)
    try:
        if revision is None:
            async with database.reading() as connection:
                revision = await connection.run_sync(_revision)
        if revision and revision < migrations.LAST_RELEASE:
            raise StorageError(
                f"the database {place} was made by a version before 26 November 2026: start the version of "
                "that day once, which brings it to its own form, and then this one"
            )
        if revision < migrations.HEAD:
            with nullcontext() if url or not revision else data_folder.still_alone_in(data_dir):
                await _create_or_upgrade(database, data_dir)
        elif revision > migrations.HEAD:
            async with database.reading() as connection:
                revision = await connection.run_sync(_oldest)
            if revision > migrations.HEAD:
                raise StorageError(
                    f"the database {place} was made by a newer version of Think Twice; install that version"
                )
        yield database
    finally:
        await database.close()


def server_url(url: str) -> sa.URL:
    """Parse the address of a PostgreSQL database; raise `StorageError` for anything else."""
    try:
        parsed = sa.make_url(url)
    except (sa.exc.ArgumentError, ValueError) as exc:
        raise StorageError(_NO_ADDRESS) from exc
    if parsed.get_backend_name() not in {"postgresql", "postgres"} or not parsed.database:
        raise StorageError(_NO_ADDRESS)
    return parsed.set(drivername="postgresql")


_NO_ADDRESS = (
    "THINKTWICE_DATABASE_URL is not the address of a PostgreSQL database; "
    "write it like postgresql://user:password@host:5432/name"
)


def _file(path: Path) -> AsyncEngine:
    async def connected() -> FileConnection:
        return await FileConnection(path)  # type: ignore[return-value]  # it returns itself

    engine = create_async_engine(
        sa.URL.create("sqlite+aiosqlite", database=str(path)),
        async_creator=connected,
        # What is opened for a rush and closed again costs more than waiting for the next free one.
        pool_size=_CONNECTIONS,
        max_overflow=0,
    )
    event.listen(engine.sync_engine, "connect", _set_up_connection)
    event.listen(engine.sync_engine, "begin", _begin)
    return engine


def _server(url: str) -> tuple[AsyncEngine, str]:
    # Imported here, so that users of SQLite need not wait for psycopg.
    from bot.storage import server_connections

    parsed = server_url(url)
    engine = create_async_engine(
        parsed.set(drivername="postgresql+psycopg"),
        isolation_level="REPEATABLE READ",
        connect_args={"connect_timeout": 10},
    )
    server_connections.replace_closed_connections(engine.sync_engine)
    event.listen(engine.sync_engine, "begin", _begin_on_server)
    return engine, parsed.render_as_string(hide_password=True)


def _prepare(path: Path) -> str:
    """Open the file once without the pool; return the revision that it carries, empty when it is new.

    aiosqlite leaves a thread behind when it cannot open a file, and that thread may print a
    traceback of its own when the event loop ends before it does; so a bad file must be found here.
    """
    with closing(sqlite3.connect(path, timeout=_BUSY_MILLISECONDS / 1000)) as connection:
        switch_to_write_ahead_log(connection, _BUSY_MILLISECONDS / 1000)
        if not connection.execute("SELECT 1 FROM sqlite_master WHERE name = 'alembic_version'").fetchall():
            return ""
        row = connection.execute("SELECT version_num FROM alembic_version").fetchone()
        return str(row[0]) if row else ""


async def _create_or_upgrade(database: Database, folder: Path) -> None:
    # Another process may be at it: the write lock lets one in, and the others find the work done.
    async with database.writing() as connection:
        revision = await connection.run_sync(_revision)
        if revision < migrations.HEAD:
            if database.is_server and revision and revision < migrations.OLDEST:
                await _refuse_beside_older_machines(connection, database.place)
            await former.carry_over(connection, folder, migrations.upgrade if revision else migrations.create)
            await connection.execute(sa.delete(compatibility))
            await connection.execute(sa.insert(compatibility).values(oldest=migrations.OLDEST))


async def _refuse_beside_older_machines(connection: AsyncConnection, place: str) -> None:
    """Raise `StorageError` while machines run whose version does not work on the new form of a database."""
    if not await connection.run_sync(lambda bind: sa.inspect(bind).has_table(machines.name)):
        return
    alive = sa.select(machines.c.id).where(machines.c.seen_ms >= SERVER_NOW_MS - int(DEAD_SECONDS * 1000))
    if found := (await connection.scalars(alive)).all():
        names = ", ".join(sorted(found))
        raise StorageError(
            f"this version changes the database {place} so that running machines of an older version cannot "
            f"work with it: stop them first ({names}); one that was killed counts as running for "
            f"{DEAD_SECONDS:.0f} seconds"
        )


def _revision(connection: sa.Connection) -> str:
    is_known = sa.inspect(connection).has_table("alembic_version")
    return (is_known and connection.scalar(sa.text("SELECT version_num FROM alembic_version"))) or ""


def _oldest(connection: sa.Connection) -> str:
    """Return the oldest revision whose programs work on the database."""
    if not sa.inspect(connection).has_table(compatibility.name):
        return _revision(connection)
    return connection.scalar(sa.select(compatibility.c.oldest)) or ""


def _set_up_connection(connection: AsyncAdapt_aiosqlite_connection, _record: object) -> None:
    cursor = connection.cursor()
    try:
        cursor.execute(f"PRAGMA busy_timeout = {_BUSY_MILLISECONDS}")
        # FULL: what was answered is on the disk before the next question is read, also after a power cut.
        cursor.execute("PRAGMA synchronous = FULL")
        cursor.execute("PRAGMA foreign_keys = ON")
    finally:
        cursor.close()


def _begin(connection: sa.Connection) -> None:
    # A reader that turns writer half-way fails at once when another writer was quicker; so a writer
    # says so at the start, and waits.
    options = connection.get_execution_options()
    if not options.get("is_single", False):
        connection.exec_driver_sql(WRITE if options.get("is_writer", False) else READ)


def _begin_on_server(connection: sa.Connection) -> None:
    if connection.get_execution_options().get("is_writer", False):
        # The lock comes first: the state that a transaction sees is the one after its first query.
        connection.exec_driver_sql("SET TRANSACTION ISOLATION LEVEL READ COMMITTED")
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_WRITER_LOCK})")


@contextmanager
def translated(place: str) -> Iterator[None]:
    """Turn errors of a database into `StorageError`; `place` names the database in the sentence."""
    try:
        yield
    except NoneFreeError as exc:
        # Every connection is busy, and none became free in time.
        raise StorageError(Reason("database-overloaded", {"place": place}), is_passing=True) from exc
    except (DBAPIError, sqlite3.Error) as exc:
        cause = exc.orig if isinstance(exc, DBAPIError) else exc
        explain = _explain_file_error if isinstance(cause, sqlite3.Error) else _explain_server_error
        reason, is_passing = explain(cause, place)
        is_of_value = isinstance(exc, DataError | IntegrityError)
        raise StorageError(reason, is_passing=is_passing, is_of_value=is_of_value) from exc


def _explain_file_error(cause: BaseException | None, place: str) -> tuple[Reason, bool]:
    """Return the reason of an error of SQLite, and whether it passes."""
    # The low byte is the kind of failure, the others are its details.
    kind = getattr(cause, "sqlite_errorcode", 0) & 0xFF
    match kind:
        case sqlite3.SQLITE_BUSY | sqlite3.SQLITE_LOCKED:
            reason = Reason("database-busy", {"place": place})
        case sqlite3.SQLITE_CORRUPT:
            reason = Reason("database-damaged", {"place": place})
        case sqlite3.SQLITE_NOTADB:
            reason = Reason("database-foreign-file", {"place": place})
        case sqlite3.SQLITE_FULL:
            reason = Reason("database-disk-full", {"place": place})
        case sqlite3.SQLITE_CANTOPEN:
            reason = Reason("database-not-opened", {"place": place})
        case sqlite3.SQLITE_READONLY:
            reason = Reason("database-not-writable", {"place": place})
        case sqlite3.SQLITE_IOERR:
            reason = Reason("database-not-readable", {"place": place})
        case _:
            reason = Reason("database-other", {"place": place, "reason": str(cause)})
    return reason, kind in _PASSING


def _explain_server_error(cause: BaseException | None, place: str) -> tuple[Reason, bool]:
    """Return the reason of an error of PostgreSQL, and whether it passes."""
    code = getattr(cause, "sqlstate", None)
    reported = (str(cause).strip().splitlines() or [type(cause).__name__])[0].strip()
    # Without a code, no server has spoken, or it did not let us in.
    is_away = code is None and type(cause).__name__ == "OperationalError"
    match (code or "")[:2]:
        case _ if is_away:
            setting = "THINKTWICE_DATABASE_URL"
            reason = Reason("database-away", {"place": place, "reason": reported, "setting": setting})
        case _ if code == "42501":
            reason = Reason("database-no-right", {"place": place})
        case "08":
            reason = Reason("database-connection-lost", {"place": place})
        case "53":
            reason = Reason("database-server-full", {"place": place})
        case "57":
            reason = Reason("database-server-restarting", {"place": place})
        case _:
            reason = Reason("database-other", {"place": place, "reason": reported})
    return reason, is_away or (code or "")[:2] in _SERVER_PASSING
