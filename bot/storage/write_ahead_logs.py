"""The write-ahead logs of our SQLite files: what was erased from a table stays readable there for a while."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Final

import structlog

_log = structlog.get_logger(__name__)

_BUSY_SECONDS: Final = 5.0


async def erase_from_logs(folder: Path) -> None:
    """Empty the logs of a folder after something was erased, and warn of a log that cannot be emptied."""
    busy = await asyncio.to_thread(truncate_write_ahead_logs, folder)
    if busy:
        _log.warning("erased words stay in the log of a database for now", databases=busy)


def truncate_write_ahead_logs(folder: Path) -> tuple[str, ...]:
    """Bring every database of a folder up to date with its log, and empty the log; blocking.

    Returns the names of the databases whose log could not be emptied now; an orderly end empties it.
    """
    return tuple(path.name for path in sorted(folder.glob("*.sqlite3")) if not _is_truncated(path))


def _is_truncated(path: Path) -> bool:
    try:
        with closing(sqlite3.connect(path, timeout=_BUSY_SECONDS)) as connection:
            (is_busy, _, _) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    except sqlite3.Error:
        return False
    return not is_busy
