"""Writers of one SQLite file wait in line.

SQLite lets one transaction write at a time and has the others sleep, up to 100 ms between two looks; with
many jobs at once much time is slept away. Here a connection waits for its turn before it begins to write.
`bench/telegram.py` prints what it makes of the answers a second.
"""

from __future__ import annotations

import sqlite3
from threading import Lock
from typing import Any, Protocol, Self, cast

_WRITING = ("INSERT", "UPDATE", "DELETE", "REPLACE", "BEGIN")


class _Waiting(Protocol):
    """A connection that takes turns."""

    in_transaction: bool

    def take_turn(self) -> None:
        """Wait until no other connection writes."""
        ...


class _Cursor(sqlite3.Cursor):
    def execute(self, sql: str, *parameters: Any) -> Self:  # noqa: ANN401 - as sqlite3 has it
        self._take_turn(sql)
        return super().execute(sql, *parameters)

    def executemany(self, sql: str, parameters: Any) -> Self:  # noqa: ANN401 - as sqlite3 has it
        self._take_turn(sql)
        return super().executemany(sql, parameters)

    def _take_turn(self, sql: str) -> None:
        connection = cast("_Waiting", self.connection)
        if not connection.in_transaction and sql.lstrip()[:7].upper().startswith(_WRITING):
            connection.take_turn()


def connections_in_line() -> type[sqlite3.Connection]:
    """Return a class of connections of which one at a time writes; the others may read meanwhile.

    It is the ``factory`` of `sqlite3.connect`, for all connections to one file.
    """
    line = Lock()

    class Connection(sqlite3.Connection):
        """Has its turn from the first statement that writes to the end of the transaction."""

        _has_turn = False

        def cursor(self, factory: Any = _Cursor) -> Any:  # noqa: ANN401 - as sqlite3 has it
            return super().cursor(factory)

        def take_turn(self) -> None:
            if not self._has_turn:
                line.acquire()
                self._has_turn = True

        def commit(self) -> None:
            try:
                super().commit()
            finally:
                self._pass_on()

        def rollback(self) -> None:
            try:
                super().rollback()
            finally:
                self._pass_on()

        def close(self) -> None:
            try:
                super().close()
            finally:
                self._pass_on()

        def _pass_on(self) -> None:
            # A commit that the disk refuses leaves the transaction open until it is rolled back.
            if self._has_turn and not _is_writing(self):
                self._has_turn = False
                line.release()

    return Connection


def _is_writing(connection: sqlite3.Connection) -> bool:
    try:
        return connection.in_transaction
    except sqlite3.ProgrammingError:  # closed
        return False
