"""`thinktwice` with counters: ``python -m bench.watched WORDS``. For each line on its input it prints them.

Counted are the processor time of each thread, the passes of the bundled verifier, and, if the variable
COUNT_STATEMENTS is set, what SQLite is asked, by database.
"""

from __future__ import annotations

import json
import os
import sqlite3
import threading
import time
from collections import Counter
from functools import partial
from pathlib import Path
from typing import Any

from rag.verifier import bundled

_WRITING = {"INSERT", "UPDATE", "DELETE", "REPLACE"}

_counted: Counter[str] = Counter()
"""By name, of a database FILE/WORD: besides the first words of statements, there are `statements`,
`transactions`, and `writing` for those that change something.
"""


def _watch_verifier() -> None:
    run = bundled._run

    def timed(*arguments: Any) -> Any:  # noqa: ANN401 - passed on
        began = time.thread_time()
        try:
            return run(*arguments)
        finally:
            _counted["verifier passes"] += 1
            _counted["verifier microseconds"] += round((time.thread_time() - began) * 1e6)

    bundled._run = timed  # type: ignore[assignment] # in its place


def _watch_sqlite() -> None:
    connect = sqlite3.connect

    def watched(database: Any, *arguments: Any, **options: Any) -> sqlite3.Connection:  # noqa: ANN401 - likewise
        connection: sqlite3.Connection = connect(database, *arguments, **options)
        connection.set_trace_callback(partial(_note, Path(str(database).partition("?")[0]).name, set()))
        return connection

    sqlite3.connect = sqlite3.dbapi2.connect = watched  # type: ignore[assignment] # in its place


def _note(file: str, state: set[str], statement: str) -> None:
    """Note a statement; the connection's state says whether a transaction is open and changes anything."""
    word = statement.lstrip().partition(" ")[0].upper().rstrip(";")
    if word.startswith("--") or word == "PRAGMA":
        return  # what a trigger does belongs to its statement
    _counted[f"{file}/{word}"] += 1
    _counted[f"{file}/statements"] += 1
    if word == "BEGIN":
        state.add("open")
        return
    if word in _WRITING:
        state.add("writing")
    if word in {"COMMIT", "ROLLBACK", "END"} or "open" not in state:
        _counted[f"{file}/transactions"] += 1
        _counted[f"{file}/writing"] += "writing" in state
        state.clear()


def _tell() -> None:
    """Print the counters for each line of input, until the process ends."""
    while os.read(0, 1):
        threads: Counter[str] = Counter()
        for thread in threading.enumerate():
            spent = Path(f"/proc/self/task/{thread.native_id}/schedstat")
            if spent.exists():
                threads[thread.name.rstrip("0123456789_-")] += int(spent.read_text().split()[0])
        said = {
            **_counted,
            **{f"microseconds of thread {name}": spent // 1000 for name, spent in threads.items()},
        }
        print(json.dumps(said), flush=True)


if __name__ == "__main__":
    _watch_verifier()
    if os.environ.get("COUNT_STATEMENTS"):
        _watch_sqlite()
    threading.Thread(target=_tell, daemon=True).start()
    from bot.cli import main

    main()
