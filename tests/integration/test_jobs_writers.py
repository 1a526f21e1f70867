"""Connections to one file take turns at writing, and nobody keeps the turn who does not write any more."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor, wait
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from bot.jobs.sqlite_turns import connections_in_line

_SOON = 0.2
_DEADLINE = 20.0

Connect = Callable[[], sqlite3.Connection]


@pytest.fixture
def connect(tmp_path: Path) -> Connect:
    """Opens connections of one line, which would rather fail than sleep in SQLite's own way."""
    factory = connections_in_line()

    def opened() -> sqlite3.Connection:
        file = tmp_path / "file.sqlite3"
        return sqlite3.connect(
            file, factory=factory, timeout=0, isolation_level="IMMEDIATE", check_same_thread=False
        )

    with closing(opened()) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("CREATE TABLE counted (number INTEGER UNIQUE)")
    return opened


def _write(connection: sqlite3.Connection, number: int) -> None:
    connection.cursor().execute("INSERT INTO counted VALUES (?)", (number,))


def _numbers(connection: sqlite3.Connection) -> list[int]:
    return [number for (number,) in connection.cursor().execute("SELECT number FROM counted ORDER BY number")]


def _is_waiting(work: Future[None]) -> bool:
    return not wait([work], timeout=_SOON).done


@pytest.mark.parametrize("end", ["commit", "rollback", "close"])
def test_writer_waits_for_the_end_of_another_and_a_reader_does_not(connect: Connect, end: str) -> None:
    first, second = connect(), connect()
    with closing(second), closing(first), ThreadPoolExecutor() as threads:
        _write(first, 1)
        writing = threads.submit(_write, second, 2)
        assert _is_waiting(writing)
        with closing(connect()) as reader:
            assert _numbers(reader) == []
        getattr(first, end)()
        writing.result(_DEADLINE)
        second.commit()
        assert _numbers(second) == ([1, 2] if end == "commit" else [2])


def test_statement_that_fails_leaves_the_turn_to_the_next(connect: Connect) -> None:
    with closing(connect()) as first, closing(connect()) as second:
        _write(first, 1)
        first.commit()
        with pytest.raises(sqlite3.IntegrityError):
            _write(first, 1)
        first.rollback()
        with pytest.raises(sqlite3.OperationalError):
            first.cursor().execute("INSERT INTO nowhere VALUES (1)")
        first.rollback()
        _write(second, 2)
        second.commit()
        assert _numbers(first) == [1, 2]


def test_many_writers_lose_nothing(connect: Connect) -> None:
    def work(worker: int) -> None:
        connection = connections[worker]
        try:
            for number in range(20):
                row = (worker * 20 + number,)
                connection.cursor().executemany("INSERT INTO counted VALUES (?)", [row])
                connection.commit()
        except BaseException:
            connection.rollback()  # passes its turn on, so that the others end
            raise

    # A connection that closes tries for SQLite's exclusive lock, to empty the log. Meanwhile the first
    # statement of another connection finds the file locked, so all of them are open before one closes.
    with ExitStack() as stack:
        connections = [stack.enter_context(closing(connect())) for _ in range(8)]
        for connection in connections:
            _numbers(connection)
        with ThreadPoolExecutor(len(connections)) as threads:
            for done in [threads.submit(work, worker) for worker in range(len(connections))]:
                done.result(_DEADLINE)
        assert _numbers(connections[0]) == list(range(160))
