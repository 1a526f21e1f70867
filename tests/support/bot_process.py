"""``thinktwice run`` in a process of its own, with the Telegram server and the model server of a test."""

from __future__ import annotations

import base64
import binascii
import itertools
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.support import programs
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, FakeOpenAI, Say
from tests.telegram.server import FakeTelegram

SECONDS = 60.0


def answer(request: Recorded) -> Behaviour:
    """Reply as a model that drafts a wrong answer, and writes the right one when it is shown passages."""
    if "response_format" in request.body:
        return Say({"answer_quality": "adequate", "reason": "fine", "confidence": 0.9, "query": "other"})
    return Say(
        "FxStore needs Java 17 [1]." if "<passage>" in str(request.body["messages"][-1]) else "Java 8."
    )


def behind(gate: threading.Event) -> Callable[[Recorded], Behaviour]:
    def held(request: Recorded) -> Behaviour:
        gate.wait(30)
        return answer(request)

    return held


def environment(telegram: FakeTelegram | None, model: FakeOpenAI | None, **variables: str) -> dict[str, str]:
    """Return the environment of a bot that everybody may ask, and that uses these servers."""
    kept = programs.environment()
    if telegram is not None:
        kept |= {"THINKTWICE_TELEGRAM__API_URL": telegram.url, "THINKTWICE_TELEGRAM__TOKEN": telegram.token}
    if model is not None:
        kept |= {
            "OPENAI_BASE_URL": model.base_url,
            "OPENAI_API_KEY": "a-key-that-nobody-may-see",
            "THINKTWICE_MODEL": "openai:test-model",
        }
    return kept | {"THINKTWICE_ACCESS__MODE": "open"} | variables


@dataclass
class Running:
    process: programs.Program | subprocess.Popen[bytes]
    file: Path

    @property
    def log(self) -> str:
        return self.file.read_text("utf-8", "replace")

    def until(self, condition: Callable[[], Any]) -> Any:
        """Wait until a condition holds, as long as the bot runs; return what it returned."""
        deadline = time.monotonic() + SECONDS
        while not (found := condition()):
            assert self.process.poll() is None, self.log
            assert time.monotonic() < deadline, self.log
            time.sleep(0.02)
        return found

    def ended(self, number: int = signal.SIGTERM) -> int:
        self.process.send_signal(number)
        return self.process.wait(SECONDS)


def command(data: Path, corpus: Path) -> list[str]:
    return ["run", "--data-dir", str(data), "--corpus", str(corpus)]


@contextmanager
def started(
    tmp_path: Path, corpus: Path, variables: dict[str, str], *, is_forked: bool = True
) -> Iterator[Running]:
    """Start a bot, and give it when it is ready; not forked, libraries of ``LD_PRELOAD`` work in it."""
    file = tmp_path / "log"
    file.write_bytes(b"")
    words = command(tmp_path / "data", corpus)
    process: programs.Program | subprocess.Popen[bytes]
    if is_forked:
        process = programs.start(*words, variables=variables, stdout=file)
    else:
        with file.open("ab") as log:
            process = subprocess.Popen(
                [sys.executable, "-m", "bot.cli", *words], env=variables, stdout=log, stderr=log
            )
    running = Running(process, file)
    try:
        running.until(lambda: "[info] ready" in running.log)
        yield running
    finally:
        process.kill()
        process.wait()


def refused(tmp_path: Path, corpus: Path, variables: dict[str, str]) -> tuple[int, str]:
    done = programs.run(*command(tmp_path / "data", corpus), variables=variables)
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    (sentence,) = [line for line in done.stderr.splitlines() if line.startswith("thinktwice: ")]
    return done.returncode, sentence


def recorded(folder: Path) -> bytes:
    """Return everything in the rows of the databases, records unpacked."""
    held = []
    for path in folder.glob("*.sqlite3"):
        with closing(sqlite3.connect(path)) as connection:
            tables = [
                row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
            ]
            for table in tables:
                for value in itertools.chain.from_iterable(connection.execute(f'SELECT * FROM "{table}"')):
                    text = str(value).encode()
                    held.append(text)
                    with suppress(binascii.Error):
                        held.append(base64.b64decode(text, validate=True))
    return b"\n".join(held)
