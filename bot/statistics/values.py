"""The figures that are stored for each question, and their sums."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal
from uuid import uuid4

from bot.service.keys import Channel
from rag.values import Label, Savings, Usage

Thumb = Literal["useful", "wrong"]
"""How a reader rated an answer."""


def _new_id() -> str:
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class Circumstances:
    """The circumstances of a question.

    Args:
        conversation_id: Key of the conversation; if empty, the text of the question is not stored, because
            nobody could delete it.
        user: Id of the person; can be empty.
        seconds: How long the person waited; None means the engine's time.
        id: Id of the question; recording the same id again changes nothing.
    """

    channel: Channel
    conversation_id: str = ""
    user: str = ""
    seconds: float | None = None
    id: str = field(default_factory=_new_id)


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds to the answer: `p50` for half of the questions, `p95` for 19 of 20."""

    p50: float
    p95: float


@dataclass(frozen=True, slots=True)
class Day:
    """One day (UTC): questions by label, and how long they took; None when there were none."""

    day: date
    labels: Mapping[Label, int]
    latency: Latency | None

    @property
    def questions(self) -> int:
        """Return the number of questions of the day."""
        return sum(self.labels.values())


@dataclass(frozen=True, slots=True)
class Statistics:
    """The sums over a period.

    Args:
        until: The moment after its last one.
        people: Number of different people who asked, as far as they are still known.
        labels: Questions by label; labels without questions are missing.
        used_documents: Answers that were written from documents.
        usage: All model calls of the period, including summaries of conversations, which are counted under
            ``summaries``; the other roles are for answers.
        latency: Of all questions; None if there were none.
        days: Day by day, without days on which nothing was asked.
    """

    since: datetime
    until: datetime
    questions: int = 0
    people: int = 0
    labels: Mapping[Label, int] = field(default_factory=dict)
    used_documents: int = 0
    usage: Usage = field(default_factory=Usage)
    savings: Savings = field(default_factory=Savings)
    latency: Latency | None = None
    useful: int = 0
    wrong: int = 0
    days: tuple[Day, ...] = ()


@dataclass(frozen=True, slots=True)
class Totals:
    """Sums over everything that was answered.

    Args:
        questions: How many, by channel, label and who decided the verdict.
        seconds: Total of the seconds that people waited.
        cost: Cost of the calls with a known price.
        saved_calls: Judge calls that free checks made unnecessary.
    """

    questions: Mapping[tuple[str, str, str], int]
    seconds: float
    calls: int
    input_tokens: int
    output_tokens: int
    cost: float
    saved_calls: int


@dataclass(frozen=True, slots=True)
class Unanswered:
    """A question that the documents did not answer, in all its wordings; the most frequent is its `text`."""

    text: str
    count: int
    last_asked: datetime
    wordings: tuple[str, ...]
