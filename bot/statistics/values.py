"""What is written down of each question, and what it adds up to."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from typing import Literal
from uuid import uuid4

from rag.values import Label, Savings, Usage

Channel = Literal["terminal", "telegram"]
Thumb = Literal["useful", "wrong"]
"""What a reader said of an answer."""


def _new_id() -> str:
    return uuid4().hex


@dataclass(frozen=True, slots=True)
class Asked:
    """The circumstances of a question.

    Args:
        channel: Where it was asked.
        conversation_id: Key of the conversation; empty when there is none, and then its words are not kept:
            nobody could delete them.
        user: Key of the person inside the channel; may be empty.
        seconds: How long the person waited; None: as long as the engine took.
        id: Name of the question; recording the same one again changes nothing.
    """

    channel: Channel
    conversation_id: str = ""
    user: str = ""
    seconds: float | None = None
    id: str = field(default_factory=_new_id)


@dataclass(frozen=True, slots=True)
class Latency:
    """Seconds until the answer: half of the questions had it sooner than `p50`, 19 of 20 than `p95`."""

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
        """All questions of the day."""
        return sum(self.labels.values())


@dataclass(frozen=True, slots=True)
class Statistics:
    """The sums over a period.

    Args:
        since: Its first moment.
        until: The moment behind its last one.
        questions: Questions that were answered.
        people: Different people who asked, as far as they are still known.
        labels: Questions by label; labels that never came are missing.
        used_documents: Answers that were written from documents.
        usage: Every model call of the period, summaries of conversations included; its roles hold what the
            answers took, and ``summaries`` the rest.
        savings: Judge calls, and their tokens, that nobody had to make.
        latency: Of all questions; None without any.
        useful: Answers that their readers called useful.
        wrong: Answers that they called wrong.
        days: Day by day, without those on which nothing was asked.
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
class Unanswered:
    """A question that the documents did not answer, in all its wordings.

    Args:
        text: The most frequent wording.
        count: How often it was asked.
        last_asked: When it was asked last.
        wordings: All wordings, most frequent first.
    """

    text: str
    count: int
    last_asked: datetime
    wordings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Rated:
    """An answer that a reader rated, for calibration.

    Args:
        label: What the reader was told.
        quality: The verdict.
        source: Who gave the verdict.
        confidence: How sure it was, 0-1.
        score: What the critic gave, 0-1; None when it was not asked.
        useful: The reader called it useful, not wrong.
    """

    label: Label
    quality: str
    source: str
    confidence: float
    score: float | None
    useful: bool
