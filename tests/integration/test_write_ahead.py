from __future__ import annotations

import sqlite3
import threading
from contextlib import closing
from pathlib import Path

import pytest

from rag.knowledge.write_ahead import switch_to_write_ahead_log


def _mode(path: Path) -> str:
    with closing(sqlite3.connect(path)) as connection:
        return str(connection.execute("PRAGMA journal_mode").fetchone()[0])


def _hold(path: Path) -> sqlite3.Connection:
    """Return a connection that is in the middle of a write, in a file without a write-ahead log."""
    connection = sqlite3.connect(path, isolation_level=None, check_same_thread=False)
    connection.execute("CREATE TABLE one (value)")
    connection.execute("BEGIN IMMEDIATE")
    return connection


def test_switch_waits_for_a_program_that_uses_the_file(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with closing(_hold(path)) as held, closing(sqlite3.connect(path, timeout=0)) as connection:
        freeing = threading.Timer(0.2, held.commit)
        freeing.start()
        switch_to_write_ahead_log(connection, 60)
        freeing.join()
    assert _mode(path) == "wal"


def test_switch_gives_up_in_the_end(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite3"
    with (
        closing(_hold(path)),
        closing(sqlite3.connect(path, timeout=0)) as connection,
        pytest.raises(sqlite3.OperationalError, match="locked"),
    ):
        switch_to_write_ahead_log(connection, 0)


def test_programs_that_switch_a_new_file_at_once_all_succeed(tmp_path: Path) -> None:
    failures: list[Exception] = []

    def switch(path: Path, start: threading.Barrier) -> None:
        start.wait()
        try:
            with closing(sqlite3.connect(path, timeout=5)) as connection:
                switch_to_write_ahead_log(connection, 60)
        except sqlite3.Error as exc:
            failures.append(exc)

    for number in range(20):
        path, start = tmp_path / f"{number}.sqlite3", threading.Barrier(4)
        threads = [threading.Thread(target=switch, args=(path, start)) for _ in range(4)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert _mode(path) == "wal"
    assert failures == []
