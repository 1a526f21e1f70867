"""The one source of wall-clock time; whoever needs it takes it as an argument."""

from __future__ import annotations

from datetime import UTC, datetime


def utcnow() -> datetime:
    """Now, with its time zone."""
    return datetime.now(UTC)
