"""A moment for tests of what is stored, and a clock that stands there until it is set."""

from __future__ import annotations

from datetime import UTC, datetime

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


class Clock:
    """The time, as a test sets it."""

    now = NOW

    def __call__(self) -> datetime:
        return self.now
