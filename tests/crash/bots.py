"""Bots that are started, killed and started again, with everything around them."""

from __future__ import annotations

import json
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from tests.conftest import REPOSITORY
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

SECONDS = 60.0

T = TypeVar("T")


def until(condition: Callable[[], T], why: Callable[[], object] = lambda: "") -> T:
    """Poll until the condition holds; return what it returned."""
    deadline = time.monotonic() + SECONDS
    while not (found := condition()):
        assert time.monotonic() < deadline, f"it did not come about: {why()}"
        time.sleep(0.01)
    return found


class Nursery:
    """The process that bots come from."""

    def __init__(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "tests.crash.nursery"],
            cwd=REPOSITORY,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={name: value for name, value in os.environ.items() if not name.startswith("THINKTWICE_")},
        )
        self._started: queue.Queue[int] = queue.Queue()
        self.ended: dict[int, int] = {}
        self._is_ready = threading.Event()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()
        assert self._is_ready.wait(SECONDS), "the nursery does not start"

    def _read(self) -> None:
        assert self._process.stdout is not None
        for line in self._process.stdout:
            told = json.loads(line)
            if "started" in told:
                self._started.put(told["started"])
            elif "ended" in told:
                self.ended[told["ended"]] = told["status"]
            else:
                self._is_ready.set()

    def start(self, **order: Any) -> int:
        """Start a bot and return its process id."""
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps(order) + "\n")
        self._process.stdin.flush()
        return self._started.get(timeout=SECONDS)

    def close(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait(SECONDS)
        self._reader.join(SECONDS)
        assert self._process.stdout is not None
        self._process.stdout.close()


@dataclass
class Bot:
    """A bot with its data folder, a Telegram server and a model.

    Args:
        variables: Settings, as environment variables.
        kills: How often it was killed.
    """

    nursery: Nursery
    telegram: FakeTelegram
    model: FakeOpenAI
    folder: Path
    corpus: Path
    variables: dict[str, str] = field(default_factory=dict)
    kills: int = 0
    pid: int = 0

    @property
    def points(self) -> Path:
        return self.folder / "points"

    @property
    def log(self) -> str:
        """What it has logged, without what is no trouble."""
        path = self.folder / "log"
        lines = path.read_text("utf-8", "replace").splitlines() if path.exists() else []
        return "\n".join(line for line in lines if " [info] " not in line)

    def passed(self) -> list[str]:
        """The points that were passed so far."""
        path = Path(f"{self.points}.passed")
        return path.read_text().splitlines() if path.exists() else []

    def start(self) -> None:
        """Start it and wait until it asks for updates."""
        before = len(self.telegram.calls("getUpdates"))
        self.pid = self.nursery.start(
            variables={
                "THINKTWICE_TELEGRAM__API_URL": self.telegram.url,
                "THINKTWICE_TELEGRAM__TOKEN": self.telegram.token,
                "THINKTWICE_TELEGRAM__GRACE_SECONDS": "5",
                "THINKTWICE_ACCESS__MODE": "open",
                "THINKTWICE_SELF_CORRECTION__SECOND_READING": "doubtful",
                "THINKTWICE_LIMITS__USER_PER_MINUTE": "1000",
                "THINKTWICE_LIMITS__USER_PER_HOUR": "10000",
                "THINKTWICE_LIMITS__CHAT_PER_MINUTE": "1000",
                "THINKTWICE_LIMITS__USER_COMMANDS_PER_MINUTE": "1000",
                "THINKTWICE_LIMITS__CHAT_COMMANDS_PER_MINUTE": "1000",
                "THINKTWICE_LIMITS__QUEUE_LENGTH": "1000",
                "THINKTWICE_TRACEBACK": "1",
                "OPENAI_BASE_URL": self.model.base_url,
                "OPENAI_API_KEY": "a-key",
                "THINKTWICE_MODEL": "openai:test-model",
                "THINKTWICE_MODELS__ATTEMPTS": "4",
                **self.variables,
            },
            words=["run", "--data-dir", str(self.folder / "data"), "--corpus", str(self.corpus)],
            log=str(self.folder / "log"),
            points=str(self.points),
        )
        until(
            lambda: self.has_ended() or len(self.telegram.calls("getUpdates")) > before,
            lambda: self.log[-3000:],
        )

    def has_ended(self) -> bool:
        return self.pid in self.nursery.ended

    def kill_at(self, point: str) -> None:
        """Have it killed at the next passing of a point; empty: at none."""
        # Replaced at once: a half-written name is no point.
        fresh = self.folder / "points.new"
        fresh.write_text(point)
        fresh.replace(self.points)

    def is_killed(self) -> bool:
        """Whether the point has struck, and nothing is left of the process."""
        return self.nursery.ended.get(self.pid) == -signal.SIGKILL

    def kill(self) -> None:
        """Kill it now, unless it has just ended."""
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
            self.kills += 1
        until(self.has_ended)

    def stop(self) -> int:
        """Stop it as an operator would; return the exit code."""
        if not self.has_ended():
            os.kill(self.pid, signal.SIGTERM)
        until(self.has_ended, lambda: self.log[-3000:])
        return self.nursery.ended[self.pid]

    def restart(self) -> None:
        """Start it again after it was killed."""
        self.kill_at("")
        self.start()


@contextmanager
def living(bot: Bot) -> Iterator[Bot]:
    """A bot that runs, and is gone at the end."""
    bot.kill_at("")
    bot.start()
    try:
        yield bot
    finally:
        bot.kill()
