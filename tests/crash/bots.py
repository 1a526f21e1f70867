"""Bots that are started, killed and started again, with everything around them."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from tests.support import programs
from tests.support.servers import FakeOpenAI
from tests.telegram.server import FakeTelegram

SECONDS = 60.0

T = TypeVar("T")


def until(
    condition: Callable[[], T], why: Callable[[], object] = lambda: "", *, seconds: float = SECONDS
) -> T:
    deadline = time.monotonic() + seconds
    while not (found := condition()):
        assert time.monotonic() < deadline, f"it did not come about: {why()}"
        time.sleep(0.01)
    return found


@dataclass
class Bot:
    """A bot with its data folder, a Telegram server unless it is on Matrix alone, and a model."""

    telegram: FakeTelegram | None
    model: FakeOpenAI
    folder: Path
    corpus: Path
    variables: dict[str, str] = field(default_factory=dict)
    kills: int = 0
    process: programs.Program | None = None

    @property
    def points(self) -> Path:
        return self.folder / "points"

    @property
    def whole_log(self) -> str:
        path = self.folder / "log"
        return path.read_text("utf-8", "replace") if path.exists() else ""

    @property
    def log(self) -> str:
        """What it has logged, without what is no trouble."""
        return "\n".join(line for line in self.whole_log.splitlines() if " [info] " not in line)

    def passed(self) -> list[str]:
        path = Path(f"{self.points}.passed")
        return path.read_text().splitlines() if path.exists() else []

    def start(self) -> None:
        before = self.whole_log.count("] ready")
        on_telegram = self.telegram and {
            "THINKTWICE_TELEGRAM__API_URL": self.telegram.url,
            "THINKTWICE_TELEGRAM__TOKEN": self.telegram.token,
        }
        self.process = programs.fork_server().start(
            "tests.crash.double:play",
            ["run", "--data-dir", str(self.folder / "data"), "--corpus", str(self.corpus)],
            str(self.points),
            variables=programs.environment()
            | {
                "THINKTWICE_GRACE_SECONDS": "5",
                "THINKTWICE_ACCESS__MODE": "open",
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
                **(on_telegram or {}),
                **self.variables,
            },
            stdout=self.folder / "log",
        )
        until(lambda: self.has_ended() or self.whole_log.count("] ready") > before, lambda: self.log[-3000:])

    def has_ended(self) -> bool:
        return self.process is None or self.process.poll() is not None

    def kill_at(self, point: str) -> None:
        """Have it killed at the next passing of a point; empty: at none."""
        # Replaced at once: a half-written name is no point.
        fresh = self.folder / "points.new"
        fresh.write_text(point)
        fresh.replace(self.points)

    def is_killed(self) -> bool:
        """Whether the point has struck, and nothing is left of the process."""
        return self.process is not None and self.process.poll() == -signal.SIGKILL

    def kill(self) -> None:
        """Kill it now, unless it has just ended."""
        if self.process is not None and not self.has_ended():
            self.process.kill()
            self.kills += 1
        until(self.has_ended)

    def stop(self) -> int:
        assert self.process is not None
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait(SECONDS)

    def restart(self) -> None:
        self.kill_at("")
        self.start()


@contextmanager
def living(bot: Bot) -> Iterator[Bot]:
    bot.kill_at("")
    bot.start()
    try:
        yield bot
    finally:
        bot.kill()
