"""Documents, passages and vectors on a PostgreSQL server, which several machines share.

It is the `Origin` that syncs of all machines write to, one at a time, and that each machine copies to its own
SQLite file, where questions are searched.
"""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager, suppress
from functools import lru_cache
from typing import Any, Final, cast

import sqlalchemy as sa
import structlog

from bot.service.errors import StorageError
from bot.storage.database import server_url, translated
from bot.storage.shared_tables import SCHEMA, upgrade
from rag.errors import KnowledgeBusyError
from rag.knowledge.origin import Connection, Rows, Writing
from rag.reasons import Reason

_TURN_SECONDS: Final = 12
"""A writer without a heartbeat for this long loses its turn."""

_HEARTBEAT_SECONDS: Final = 3.0
_LOOK_SECONDS: Final = 0.5
_WAIT_MILLISECONDS: Final = 2_000
_IDLE_SECONDS: Final = 15
"""The server ends a write transaction whose machine was stopped in the middle; others wait for its end."""

IDLE_ENDS: Final = f"SET LOCAL idle_in_transaction_session_timeout = '{_IDLE_SECONDS}s'"
"""The first statement of a transaction that locks others out."""

_VERSION: Final = (
    "SELECT (SELECT mark FROM state), (SELECT count(*) FROM uploads),"
    " (SELECT coalesce(max(number), 0) FROM uploads)"
)
_TAKE: Final = sa.text(
    "INSERT INTO turns (id, holder, until)"
    " VALUES (1, :holder, clock_timestamp() + make_interval(secs => :seconds))"
    " ON CONFLICT (id) DO UPDATE SET holder = excluded.holder, until = excluded.until"
    " WHERE turns.until < clock_timestamp() RETURNING holder"
)
_HEARTBEAT: Final = sa.text(
    "UPDATE turns SET until = clock_timestamp() + make_interval(secs => :seconds) WHERE holder = :holder"
)
_RELEASE: Final = sa.text("DELETE FROM turns WHERE holder = :holder")

_log = structlog.get_logger(__name__)


class SharedKnowledge:
    """The knowledge base on a server; fulfils `rag.knowledge.origin.Origin`.

    Nothing is asked of the server before the first use, which makes the tables. `version`, `reading` and
    `alone` raise `StorageError` when the database cannot be used.

    Raises:
        StorageError: `url` is no address of a PostgreSQL database.
    """

    def __init__(self, url: str) -> None:
        parsed = server_url(url)
        self.place = parsed.render_as_string(hide_password=True)
        self._engine = sa.create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            # A thread that is left behind at the end of the process must not keep a connection open.
            poolclass=sa.NullPool,
            connect_args={"connect_timeout": 10, "options": f"-c search_path={SCHEMA}"},
        )
        self._lock = threading.Lock()
        self._is_upgraded = False

    @contextmanager
    def connect(self, isolation_level: str = "READ COMMITTED") -> Iterator[sa.Connection]:
        """A connection in a transaction, which is rolled back unless the caller commits it.

        Errors of the database are the caller's to translate.

        Raises:
            StorageError: The tables were made by a newer version.
        """
        with self._lock:
            if not self._is_upgraded:
                upgrade(self._engine, self.place)
                self._is_upgraded = True
        with self._engine.execution_options(isolation_level=isolation_level).connect() as connection:
            yield connection

    def version(self) -> tuple[str, int, int]:
        """Return a value that changes with documents, passages and added files; it is cheap to ask for."""
        with translated(self.place), self.connect() as connection:
            mark, files, last = connection.exec_driver_sql(_VERSION).one()
        return str(mark), int(files), int(last)

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection that sees a snapshot of the database."""
        with translated(self.place), self.connect("REPEATABLE READ") as connection:
            yield _Connection(connection)

    @contextmanager
    def alone(self) -> Iterator[Writing]:
        """Be the only one who writes, among all machines; as `Origin.alone`."""
        holder = secrets.token_hex(8)
        self._take(holder)
        ended = threading.Event()
        heartbeats = threading.Thread(
            target=self._record_heartbeats, args=(holder, ended), name="turn", daemon=True
        )
        heartbeats.start()

        def writing() -> AbstractContextManager[Connection]:
            return self._writing(holder)

        try:
            yield writing
        finally:
            ended.set()
            heartbeats.join()
            # Without it the turn ends by itself.
            with suppress(StorageError), translated(self.place), self.connect() as connection:
                connection.execute(_RELEASE, {"holder": holder})
                connection.commit()

    def _take(self, holder: str) -> None:
        """Take the turn; if its holder was killed, wait until the turn expires."""
        deadline = time.monotonic() + _TURN_SECONDS + _IDLE_SECONDS
        seen: object = None
        while (until := self._try_to_take(holder)) is not None:
            if until and (seen not in {None, until} or time.monotonic() > deadline):
                raise self._busy()  # its holder lives
            seen = until or None
            time.sleep(_LOOK_SECONDS)

    def _try_to_take(self, holder: str) -> object:
        """Take the turn if it is free (None), or return until when another has it (empty: it just ended)."""
        try:
            with translated(self.place), self.connect() as connection:
                # A writer holds the row of the turn while it commits.
                connection.exec_driver_sql(f"SET LOCAL lock_timeout = {_WAIT_MILLISECONDS}")
                values = {"holder": holder, "seconds": _TURN_SECONDS}
                if connection.execute(_TAKE, values).scalar_one_or_none() == holder:
                    connection.commit()
                    return None
                until = connection.exec_driver_sql("SELECT until FROM turns").scalar_one_or_none()
                return until or ""
        except StorageError as error:
            if _is_lock_timeout(error):
                return "at this very write"
            raise

    def _record_heartbeats(self, holder: str, ended: threading.Event) -> None:
        while not ended.wait(_HEARTBEAT_SECONDS):
            try:
                with translated(self.place), self.connect() as connection:
                    connection.execute(_HEARTBEAT, {"holder": holder, "seconds": _TURN_SECONDS})
                    connection.commit()
            except StorageError as error:
                # Whether the turn is lost shows when something is written.
                _log.warning("no heartbeat could be recorded while indexing", reason=str(error))

    @contextmanager
    def _writing(self, holder: str) -> Iterator[Connection]:
        with translated(self.place), self.connect() as connection:
            connection.exec_driver_sql(IDLE_ENDS)
            known = connection.exec_driver_sql("SELECT holder FROM turns FOR UPDATE").scalar_one_or_none()
            if known != holder:
                raise self._busy()
            yield _Connection(connection)
            connection.commit()

    def _busy(self) -> KnowledgeBusyError:
        return KnowledgeBusyError(Reason("indexing", {"folder": self.place}))


class _Connection:
    """A connection of SQLAlchemy as `rag.knowledge.origin.Connection`."""

    def __init__(self, connection: sa.Connection) -> None:
        self._connection = connection

    def execute(self, statement: str, values: Mapping[str, Any] | None = None, /) -> Rows:
        return cast("Rows", self._connection.execute(_text(statement), _storable(values or {})))

    def executemany(self, statement: str, values: Iterable[Mapping[str, Any]], /) -> None:
        if rows := [_storable(row) for row in values]:
            self._connection.execute(_text(statement), rows)


@lru_cache(maxsize=64)
def _text(statement: str) -> sa.TextClause:
    return sa.text(statement)


def _storable(values: Mapping[str, Any]) -> dict[str, Any]:
    """The values without NUL characters, which PostgreSQL's texts cannot hold."""
    return {
        name: value.replace("\0", "\N{REPLACEMENT CHARACTER}") if isinstance(value, str) else value
        for name, value in values.items()
    }


def _is_lock_timeout(error: StorageError) -> bool:
    cause = error.__cause__
    return isinstance(cause, sa.exc.DBAPIError) and getattr(cause.orig, "sqlstate", "") == "55P03"
