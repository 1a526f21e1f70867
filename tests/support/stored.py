"""A fixed moment for tests of stored data, and a clock that shows it until a test sets the clock."""

from __future__ import annotations

from datetime import UTC, datetime

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)


class Clock:
    """A clock that a test sets."""

    now = NOW

    def __call__(self) -> datetime:
        return self.now
