"""A fixed moment and an answer for tests of stored data, and a clock that a test can set."""

from __future__ import annotations

from datetime import UTC, datetime

from rag.reasons import as_written
from rag.values import Answer, Usage, Verdict

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that a test sets."""

    now = NOW

    def __call__(self) -> datetime:
        return self.now


def answer(text: str) -> Answer:
    """Build an answer; the word stands in its question and in its text."""
    verdict = Verdict("adequate", as_written(""), 1.0, "rules")
    return Answer(
        f"q {text}", f"a {text}", "general", "en", verdict, (), (), False, 0, Usage(1, 30, 4), 0.1, ()
    )
