"""Measures how much more several machines on one PostgreSQL database carry than one.

    python -m bench.fleet [--quick]

The machines are real `thinktwice run` processes with data folders of their own. They share a PostgreSQL
server, a model that takes 50 ms or 2 s for every reply, and a Telegram server without a limit of messages.
Each chat asks one question, all at once. Prints answers a second, waiting times, processor time without the
verifier's passes, transactions and connections, with ratios to one process in the same run. All of it runs on
the processors of this machine, the load included, so what more processors would bring cannot be seen here.

The last table keeps the processors out of the way: a machine has only `PLACES` places for answers, a model
call takes 2 s, and twice the machines have twice the chats. `--quick` plays 1 and 2 processes with 40 chats.
"""

from __future__ import annotations

import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

import psycopg

from bench import bots
from bench.processes import Measured
from tests.support.postgres import PostgresServer
from tests.telegram.server import FakeTelegram

MACHINES = (1, 2, 4)
CHATS = (200, 1_000)
MODEL_SECONDS = (0.05, 2.0)
QUICK_MACHINES = (1, 2)
QUICK_CHATS = (40,)

IDLE_SECONDS = 5.0

PLACES = 3
CHATS_OF_ONE = 15
"""With so few places a machine waits for the model nearly all the time."""


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures of machines under one load, whose cost (`load`) is without PostgreSQL."""

    load: bots.Figures
    transactions: float
    connections: int

    @property
    def p95(self) -> float:
        """Seconds within which 95 of 100 questions were answered."""
        return bots.p95(self.load.outcome.waits)


class Database:
    """What PostgreSQL counts for one database, asked through another one, so that asking is not counted."""

    def __init__(self, url: str) -> None:
        self._name = url.partition("@/")[2].partition("?")[0]
        self._own = psycopg.connect(url.replace(f"@/{self._name}?", "@/postgres?"), autocommit=True)

    def transactions(self) -> int:
        """Transactions so far; PostgreSQL's processes report theirs with up to a second of delay."""
        return self._number("SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s")

    def connections(self) -> int:
        """Connections that are open now."""
        return self._number("SELECT count(*) FROM pg_stat_activity WHERE datname = %s")

    def _number(self, question: str) -> int:
        row = self._own.execute(question.encode(), (self._name,)).fetchone()
        return int(row[0]) if row else 0

    def close(self) -> None:
        """Close the connection."""
        self._own.close()


@contextmanager
def machines(
    folder: Path, url: str, count: int, model: str, places: int = 200
) -> Iterator[tuple[FakeTelegram, list[Measured]]]:
    """Run machines on one database until the context ends; all are ready when it begins.

    Args:
        folder: Takes the data folders; it holds the documents.
        url: The address of an empty database.
        places: Answers that a machine works on at the same time.
    """
    variables = {"THINKTWICE_DATABASE_URL": url, "THINKTWICE_LIMITS__ANSWERS_AT_WORK": str(places)}
    with FakeTelegram() as telegram, ExitStack() as stack:
        started = [bots.thinktwice(folder / f"{n}", model, telegram, variables) for n in range(count)]
        yield telegram, [stack.enter_context(machine) for machine in started]


def measure(
    folder: Path, url: str, count: int, people: int, model: str, places: int = 200
) -> tuple[Figures, float]:
    """Return the figures of a load, and the transactions a second of a machine without work."""
    with machines(folder, url, count, model, places) as (telegram, processes):
        database = Database(url)
        before_rest = database.transactions()
        time.sleep(IDLE_SECONDS)
        idle = (database.transactions() - before_rest) / IDLE_SECONDS / count
        before = database.transactions()
        load = bots.load(telegram, processes, model, people, 1)
        transactions = load.per_answer(database.transactions() - before)
        connections = database.connections()
        database.close()
    return Figures(load, transactions, connections), idle


def table(seconds: float, people: int, rows: dict[int, Figures]) -> str:
    """Return the figures of each number of machines; those behind `x` are ratios to the first row."""
    one = next(iter(rows.values()))
    lines = [
        f"model {seconds} s, {people} chats",
        "processes  answers/s     x   p95 s     x  cpu ms/answer     x  transactions/answer     x  connected",
    ]
    for count, row in rows.items():
        cells = [f"{count:9}"]
        for value, base, width in (
            (row.load.rate, one.load.rate, 10),
            (row.p95, one.p95, 7),
            (row.load.milliseconds, one.load.milliseconds, 14),
            (row.transactions, one.transactions, 20),
        ):
            cells.append(f"{value:{width}.1f} {value / max(base, 1e-9):5.2f}")
        lines.append(" ".join(cells) + f" {row.connections:10}")
        lost = row.load.outcome
        if lost.lost or lost.doubled or lost.reordered:
            lines.append(f"  lost {lost.lost}, doubled {lost.doubled}, out of order {lost.reordered}")
    return "\n".join(lines)


def carried(rows: dict[int, tuple[int, Figures]]) -> str:
    """Return the table of machines that have as many times the chats as there are of them.

    `rows` has the chats and figures of each number of machines; the first row is one machine.
    """
    one_chats, one = next(iter(rows.values()))
    lines = [
        f"model 2.0 s, {PLACES} places for answers in each process",
        "processes  chats   p95 s     x  chats of one at the same p95",
    ]
    for count, (people, row) in rows.items():
        slower = row.p95 / max(one.p95, 1e-9)
        lines.append(
            f"{count:9} {people:6} {row.p95:7.1f} {slower:5.2f} {people / one_chats / slower:10.2f} x"
        )
    return "\n".join(lines)


def main(quick: bool) -> None:
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, which all processes share:")
    print("the figures show what a machine costs and waits for, not what more processors would bring.\n")
    with tempfile.TemporaryDirectory(prefix="fleet-") as name, PostgresServer() as server:
        folder = Path(name)

        def play(seconds: float, people: int, count: int, places: int = 200) -> tuple[Figures, float]:
            place = folder / f"{seconds}-{people}-{count}-{places}"
            place.mkdir()
            with bots.documents_and_model(place, seconds) as model:
                return measure(place, server.new_database(), count, people, model, places)

        for seconds in MODEL_SECONDS:
            for people in QUICK_CHATS if quick else CHATS:
                rows: dict[int, Figures] = {}
                idle = 0.0
                for count in QUICK_MACHINES if quick else MACHINES:
                    rows[count], idle = play(seconds, people, count)
                print(table(seconds, people, rows))
                print(f"at rest: {idle:.1f} transactions a second and machine\n", flush=True)
        placed = {}
        for count in QUICK_MACHINES if quick else MACHINES:
            people = CHATS_OF_ONE * count
            placed[count] = people, play(2.0, people, count, PLACES)[0]
        print(carried(placed))


if __name__ == "__main__":
    main(quick="--quick" in sys.argv[1:])
