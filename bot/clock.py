"""The only source of wall-clock time; code that needs the time takes this function as an argument."""

from __future__ import annotations

from datetime import UTC, datetime


def utcnow() -> datetime:
    """Return the current time in UTC, with its time zone."""
    return datetime.now(UTC)
