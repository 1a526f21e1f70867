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
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import psycopg

from bench import bots
from tests.support.postgres import PostgresServer
from tests.telegram.server import FakeTelegram
from tools.markdown import compared

MACHINES = (1, 2, 4)
CHATS = (200, 1_000)
MODEL_SECONDS = (0.05, 2.0)
QUICK_MACHINES = (1, 2)
QUICK_CHATS = (40,)

IDLE_SECONDS = 5.0

PLACES = 3
CHATS_OF_ONE = 15
"""With so few places a machine waits for the model nearly all the time."""


_TRANSACTIONS = "SELECT xact_commit + xact_rollback FROM pg_stat_database WHERE datname = %s"
"""Of those so far; PostgreSQL's processes report theirs with up to a second of delay."""
_CONNECTIONS = "SELECT count(*) FROM pg_stat_activity WHERE datname = %s"


class Database:
    """What PostgreSQL counts for one database, asked through another one, so that asking is not counted."""

    def __init__(self, url: str) -> None:
        self._name = url.partition("@/")[2].partition("?")[0]
        self._url = url.replace(f"@/{self._name}?", "@/postgres?")

    def transactions(self) -> int:
        """Transactions so far."""
        return self._number(_TRANSACTIONS)

    def connections(self) -> int:
        """Connections that are open now."""
        return self._number(_CONNECTIONS)

    def _number(self, question: str) -> int:
        with psycopg.connect(self._url) as connection:
            row = connection.execute(question.encode(), (self._name,)).fetchone()
        return int(row[0]) if row else 0


def measure(
    folder: Path, url: str, count: int, people: int, model: str, places: int = 200
) -> dict[str, float]:
    """Return the figures of machines on one database under a load, by name.

    Args:
        folder: Takes the data folders; it holds the documents.
        url: The address of an empty database.
        places: Answers that a machine works on at the same time.
    """
    variables = {"THINKTWICE_DATABASE_URL": url, "THINKTWICE_LIMITS__ANSWERS_AT_WORK": str(places)}
    database = Database(url)
    with FakeTelegram() as telegram, ExitStack() as stack:
        started = [bots.thinktwice(folder / f"{n}", model, telegram, variables) for n in range(count)]
        processes = [stack.enter_context(machine) for machine in started]
        before_rest = database.transactions()
        time.sleep(IDLE_SECONDS)
        idle = (database.transactions() - before_rest) / IDLE_SECONDS / count
        before = database.transactions()
        load = bots.load(telegram, processes, model, people, 1)
        told = load.told()
        return {
            **told,
            "chats by p95, a second": people / max(told["wait, p95, s"], 1e-9),
            "transactions an answer": load.per_answer(database.transactions() - before),
            "transactions a second of a machine at rest": idle,
            "connections": database.connections(),
        }


def main(quick: bool) -> None:
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors, which all processes share:")
    print("the figures show what a machine costs and waits for, not what more processors would bring.")
    with tempfile.TemporaryDirectory(prefix="fleet-") as name, PostgresServer() as server:
        folder = Path(name)

        def play(seconds: float, people: int, count: int, places: int = 200) -> dict[str, float]:
            place = folder / f"{seconds}-{people}-{count}-{places}"
            place.mkdir()
            with bots.documents_and_model(place, seconds) as model:
                return measure(place, server.new_database(), count, people, model, places)

        counts = QUICK_MACHINES if quick else MACHINES
        for seconds, people in product(MODEL_SECONDS, QUICK_CHATS if quick else CHATS):
            print(f"\nmodel {seconds} s, {people} chats, by processes\n")
            print(compared({str(count): play(seconds, people, count) for count in counts}), flush=True)
        print(f"\nmodel 2 s, {PLACES} places and {CHATS_OF_ONE} chats a process, by processes\n")
        print(compared({str(count): play(2.0, CHATS_OF_ONE * count, count, PLACES) for count in counts}))


if __name__ == "__main__":
    main(quick="--quick" in sys.argv[1:])
