"""How many transactions and statements an answer takes, on SQLite and on PostgreSQL.

    python -m bench.transactions

People ask in Telegram, and the bot answers with a model that takes no time. On SQLite every file is counted:
the transactions that change something, all of them, and the statements by their first word. PostgreSQL
counts its transactions itself, and its log has every statement. What a machine does at rest is in it.
"""

from __future__ import annotations

import re
import tempfile
from collections import Counter
from pathlib import Path

from bench import bots
from bench.bots import Figures
from bench.fleet import Database
from tests.support.postgres import PostgresServer
from tests.telegram.server import FakeTelegram

CHATS = 20
EACH = 3
_LOGGED = re.compile(r"^.*LOG:  (?:statement|execute [^:]*): \s*(\w+)", re.MULTILINE)


def on_sqlite(folder: Path, model: str) -> None:
    with FakeTelegram() as telegram:
        counting = {"COUNT_STATEMENTS": "yes"}
        with bots.thinktwice(folder / "sqlite", model, telegram, counting) as bot:
            load = bots.load(telegram, [bot], model, CHATS, EACH)
    _show("SQLite", load, Counter({name: count for name, count in load.counted.items() if "/" in name}))


def on_postgres(folder: Path, model: str) -> None:
    logged = ("-c", "log_statement=all", "-c", "log_line_prefix=%d ")
    with PostgresServer(*logged) as server, FakeTelegram() as telegram:
        url = server.new_database()
        variables = {"THINKTWICE_DATABASE_URL": url}
        with bots.thinktwice(folder / "postgres", model, telegram, variables) as bot:
            database = Database(url)
            before, lines = database.transactions(), len(server.log)
            load = bots.load(telegram, [bot], model, CHATS, EACH)
            counts = Counter(word.upper() for word in _LOGGED.findall(server.log[lines:]))
            counts.update(statements=counts.total(), transactions=database.transactions() - before)
    _show("PostgreSQL", load, counts)


def _show(name: str, load: Figures, counts: Counter[str]) -> None:
    shown = (f"{what} {load.per_answer(count):.1f}" for what, count in counts.most_common())
    print(f"{name}: {', '.join(shown)}", flush=True)


def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with bots.documents_and_model(folder, 0.0) as model:
            on_sqlite(folder, model)
            on_postgres(folder, model)
    print(f"an answer, on average over {CHATS * EACH}; every third one is small talk")


if __name__ == "__main__":
    main()
