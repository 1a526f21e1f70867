"""The periods of the statistics. Days are UTC days, as in the stored rows."""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta

DAYS = (1, 7, 30)
"""Today, a week, a month."""


def since(now: datetime, days: int) -> datetime:
    """Return the first moment of the last `days` days (at least 1), including today."""
    today = datetime.combine(now.astimezone(UTC).date(), time(), UTC)
    return today - timedelta(days=days - 1)


def title(days: int) -> str:
    """Return the name of the period."""
    return "today" if days == 1 else f"{days} days"
