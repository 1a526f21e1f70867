"""How many people the bot serves at once: 200 chats with two questions each, and a model that takes 0.2 s.

    python -m bench.telegram

`thinktwice run`, a bare python-telegram-bot that echoes messages, the model and the Telegram server are
separate processes on this machine. Prints answers per second, waiting times, memory and processor time, each
compared with the bare bot in the same run. The bot is measured with the 30 messages per second that Telegram
allows, without that limit, and idle.
"""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from bench import chats
from bench.processes import Measured, running
from tests.telegram.chats import Message
from tests.telegram.server import FakeTelegram

CHATS = 200
EACH = 2
MODEL_SECONDS = 0.2
IDLE_SECONDS = 20.0
SETTLING_SECONDS = 70.0
LONGEST_SECONDS = 100.0
UNLIMITED = 100_000
ALLOWED = 30

_VARIABLES = {
    "THINKTWICE_ACCESS__MODE": "open",
    "THINKTWICE_MODEL": "openai:slow",
    "OPENAI_API_KEY": "a-key",
}


@dataclass(frozen=True, slots=True)
class Figures:
    """The figures under load."""

    outcome: chats.Outcome
    megabytes: float
    processor_seconds: float

    @property
    def rate(self) -> float:
        """Answers per second."""
        return len(self.outcome.waits) / max(self.outcome.seconds, 0.001)


@contextmanager
def _bot(
    folder: Path, name: str, model: str, messages_per_second: int
) -> Iterator[tuple[FakeTelegram, Measured, float]]:
    """`thinktwice run`, with its Telegram server, and the seconds that it took to start."""
    variables = {
        **_VARIABLES,
        "OPENAI_BASE_URL": model,
        "THINKTWICE_TELEGRAM__MESSAGES_PER_SECOND": str(messages_per_second),
    }
    words = ("run", "--data-dir", str(folder / name), "--corpus", str(folder / "documents"))
    with ExitStack() as stack:
        telegram = stack.enter_context(FakeTelegram())
        log = stack.enter_context((folder / "log").open("a+"))
        variables["THINKTWICE_TELEGRAM__API_URL"] = telegram.url
        variables["THINKTWICE_TELEGRAM__TOKEN"] = telegram.token
        began = time.monotonic()
        bot = stack.enter_context(running("bot.cli", *words, variables=variables, log=log))
        _until_polled(telegram, bot, log.name)
        yield telegram, bot, time.monotonic() - began


def _until_polled(telegram: FakeTelegram, process: Measured, log: str = "") -> None:
    telegram.wait_until(lambda: telegram.is_polled or process.has_ended, 60.0)
    if process.has_ended:
        raise SystemExit(f"the bot did not start\n{Path(log).read_text()[-3000:] if log else ''}")


def _loaded(telegram: FakeTelegram, process: Measured, is_whole: Callable[[Message], bool]) -> Figures:
    used = process.processor_seconds
    load = chats.asked(telegram, CHATS, EACH)
    outcome = chats.settled(telegram, load, is_whole, LONGEST_SECONDS)
    return Figures(outcome, process.peak_megabytes, process.processor_seconds - used)


def _has_buttons(message: Message) -> bool:
    """Whether a message is a complete answer of Think Twice; placeholders have at most one button."""
    return sum(len(row) for row in message.buttons) > 1


def _idle(process: Measured) -> float:
    """The share of a processor that the idle process uses."""
    # Work after the start is done by then, and the bot no longer counts as busy (`bot.jobs.queue_polling`).
    time.sleep(SETTLING_SECONDS)
    used = process.processor_seconds
    time.sleep(IDLE_SECONDS)
    return (process.processor_seconds - used) / IDLE_SECONDS


def _show(name: str, figures: Figures, bare: Figures) -> None:
    outcome, base = figures.outcome, bare.outcome
    processor = figures.processor_seconds / max(len(outcome.waits), 1)
    base_processor = bare.processor_seconds / max(len(base.waits), 1)
    print(f"\n{name}: {len(outcome.waits)} questions of {CHATS} chats in {outcome.seconds:.1f} s")
    for label, value, of_base, unit, form in (
        ("answers a second", figures.rate, bare.rate, "", ".1f"),
        ("wait, median", _percentile(outcome.waits, 50), _percentile(base.waits, 50), "s", ".2f"),
        ("wait, p95", _percentile(outcome.waits, 95), _percentile(base.waits, 95), "s", ".2f"),
        ("first sign of life, p95", _percentile(outcome.signs, 95), _percentile(base.signs, 95), "s", ".2f"),
        ("calls of Telegram an answer", outcome.calls / max(len(outcome.waits), 1), 1.0, "", ".2f"),
        ("processor time an answer", processor * 1000, base_processor * 1000, "ms", ".1f"),
        ("peak memory", figures.megabytes, bare.megabytes, "MB", ".0f"),
    ):
        print(f"  {label:28} {value:8{form}} {unit:3} {value / of_base:6.2f} x bare")
    print(f"  lost {outcome.lost}, doubled {outcome.doubled}, chats out of order {outcome.reordered}")


def _show_load() -> None:
    """Load by other processes, because figures from a busy machine mean little."""
    print(f"load average {os.getloadavg()[0]:.1f} on {os.cpu_count()} processors", flush=True)


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1] if len(values) > 1 else 0.0


def main() -> None:
    """Measure everything and print it."""
    _show_load()
    with tempfile.TemporaryDirectory() as name, running("bench.slow_model", str(MODEL_SECONDS)) as model:
        folder = Path(name)
        (folder / "documents").mkdir()
        chats.corpus(folder / "documents")
        address = f"http://127.0.0.1:{model.said()}/v1"
        with FakeTelegram() as telegram, running("bench.echo_bot", telegram.url, telegram.token) as echo:
            _until_polled(telegram, echo)
            bare = _loaded(telegram, echo, lambda _message: True)
        _show("bare echo bot", bare, bare)
        with _bot(folder, "first", address, UNLIMITED) as (_, bot, first_start):
            idle = _idle(bot)
        with _bot(folder, "first", address, UNLIMITED) as (telegram, bot, start):
            free = _loaded(telegram, bot, _has_buttons)
        _show("without a limit", free, bare)
        # A new folder, where no work of an earlier run is left.
        with _bot(folder, "second", address, ALLOWED) as (telegram, bot, _):
            limited = _loaded(telegram, bot, _has_buttons)
        _show(f"{ALLOWED} messages a second", limited, bare)
    print(f"\nstart until the first poll: {start:.1f} s; with an empty data folder {first_start:.1f} s")
    print(f"at rest: {idle:.1%} of a processor")
    _show_load()


if __name__ == "__main__":
    main()
