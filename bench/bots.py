"""Starts `thinktwice run`, or a plain bot, against a double of Telegram's server; many chats ask it."""

from __future__ import annotations

import urllib.request
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import IO

from bench import chats
from bench.chats import WELL
from bench.processes import Measured, running
from bot.evaluate.figures import percentile
from tests.telegram.chats import Message
from tests.telegram.server import FakeTelegram

LONGEST_SECONDS = 300.0
_START_SECONDS = 120.0


@dataclass(frozen=True, slots=True)
class Figures:
    """What a load cost.

    Args:
        processor_seconds: Processor time of the bot, or of all machines.
        peak_megabytes: The most memory that the bot has held, or the machine that held most.
        counted: What `bench.watched` counted meanwhile.
    """

    outcome: chats.Outcome
    processor_seconds: float
    peak_megabytes: float
    counted: Counter[str]
    model_calls: int

    def told(self) -> dict[str, float]:
        """Every figure by its name; the bundled verifier's passes are counted apart."""
        outcome, reading = self.outcome, self.counted["verifier microseconds"] / 1e6
        return {
            "answers": len(outcome.waits),
            "answers a second": len(outcome.waits) / max(outcome.seconds, 0.001),
            "wait, median, s": percentile(outcome.waits, 0.5),
            "wait, p95, s": percentile(outcome.waits, 0.95),
            "first sign of life, p95, s": percentile(outcome.signs, 0.95),
            "processor of an answer, ms": self.per_answer((self.processor_seconds - reading) * 1000),
            "memory at the most, MB": self.peak_megabytes,
            "calls of the model an answer": self.per_answer(self.model_calls),
            "calls of Telegram an answer": self.per_answer(outcome.calls),
            "lost": outcome.lost,
            "doubled": outcome.doubled,
            "chats out of order": outcome.reordered,
            **{f"{name} an answer": self.per_answer(count) for name, count in self.counted.most_common()},
        }

    def per_answer(self, value: float) -> float:
        """A sum of the whole load as a share of each answer."""
        return value / max(len(self.outcome.waits), 1)


@contextmanager
def documents_and_model(folder: Path, seconds: float) -> Iterator[str]:
    """Write the documents, and run a model that takes so many seconds for a reply; yields its address."""
    (folder / "documents").mkdir()
    chats.corpus(folder / "documents")
    with running("bench.slow_model", str(seconds)) as model:
        yield f"http://127.0.0.1:{model.said()}/v1"


@contextmanager
def thinktwice(
    data: Path, model: str, telegram: FakeTelegram, variables: Mapping[str, str] | None = None
) -> Iterator[Measured]:
    """Run Think Twice until the context ends; it is ready when it begins.

    The data folder is `data`, and the documents lie beside it; `variables` are settings besides these.
    """
    usual = {
        "OPENAI_API_KEY": "a-key",
        "OPENAI_BASE_URL": model,
        "THINKTWICE_ACCESS__MODE": "open",
        "THINKTWICE_CONSOLE__ENABLED": "false",
        "THINKTWICE_MODEL": "openai:slow",
        "THINKTWICE_TELEGRAM__API_URL": telegram.url,
        "THINKTWICE_TELEGRAM__MESSAGES_PER_SECOND": "100000",
        "THINKTWICE_TELEGRAM__TOKEN": telegram.token,
    }
    words = ("run", "--data-dir", str(data), "--corpus", str(data.parent / "documents"))
    data.mkdir(exist_ok=True)
    with ExitStack() as stack:
        log = stack.enter_context((data / "log").open("w+"))
        settings = {**usual, **(variables or {})}
        bot = stack.enter_context(running("bench.watched", *words, variables=settings, log=log))
        wait_for(telegram, bot, lambda: "] ready" in Path(log.name).read_text(), log)
        yield bot


@contextmanager
def plain(*words: str) -> Iterator[tuple[FakeTelegram, Measured]]:
    """Run another bot: ``python -m MODULE TELEGRAM TOKEN WORDS``."""
    with FakeTelegram() as telegram, running(words[0], telegram.url, telegram.token, *words[1:]) as bot:
        wait_for(telegram, bot, lambda: telegram.is_polled)
        yield telegram, bot


def wait_for(
    telegram: FakeTelegram, bot: Measured, is_ready: Callable[[], bool], log: IO[str] | None = None
) -> None:
    telegram.wait_until(lambda: is_ready() or bot.has_ended, _START_SECONDS)
    if bot.has_ended:
        raise SystemExit(f"the bot did not start\n{Path(log.name).read_text()[-3000:] if log else ''}")


def is_answer(message: Message) -> bool:
    """Placeholders have at most one button, and so has the answer to small talk."""
    return sum(len(row) for row in message.buttons) > 1 or WELL in message.text


def load(
    telegram: FakeTelegram,
    bots: Sequence[Measured],
    model: str,
    people: int,
    each: int,
    is_whole: Callable[[Message], bool] = is_answer,
) -> Figures:
    """Let `people` ask, `each` so many questions, and return what it cost all `bots`."""
    used, asked = _processor_seconds(bots), _calls(model)
    is_watched = is_whole is is_answer
    before = sum((bot.counted() for bot in bots if is_watched), Counter())
    outcome = chats.asked(telegram, people, each, is_whole, LONGEST_SECONDS)
    spent = _processor_seconds(bots) - used
    counted = sum((bot.counted() for bot in bots if is_watched), Counter())
    peak = max(bot.peak_megabytes for bot in bots)
    return Figures(outcome, spent, peak, counted - before, _calls(model) - asked)


def _processor_seconds(bots: Sequence[Measured]) -> float:
    return sum(bot.processor_seconds for bot in bots)


def _calls(model: str) -> int:
    with urllib.request.urlopen(f"{model}/chat/completions") as reply:
        return int(reply.read())
