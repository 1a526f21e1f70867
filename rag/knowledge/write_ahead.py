"""Switch a SQLite file to a write-ahead log, so that readers and the writer do not wait for each other."""

from __future__ import annotations

import sqlite3
import time

_PAUSE_SECONDS = 0.02


def switch_to_write_ahead_log(connection: sqlite3.Connection, seconds: float) -> None:
    """Switch the file of a connection without a transaction to a write-ahead log. The file keeps the mode.

    SQLite waits for other connections nearly everywhere, but not where two of them switch a new file at once:
    then the second one fails immediately. So the switch is tried again.

    Raises:
        sqlite3.OperationalError: The file was in use all the time, or cannot be written.
    """
    end = time.monotonic() + seconds
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as exc:
            if exc.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() >= end:
                raise
            time.sleep(_PAUSE_SECONDS)
        else:
            return
