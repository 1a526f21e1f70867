"""When the weekly digest is due. Pure."""

from __future__ import annotations

from datetime import datetime, time, timedelta
from typing import Final, get_args
from zoneinfo import ZoneInfo

from bot.settings.sections import Weekday

WEEK: Final = timedelta(days=7)

LATE: Final = timedelta(hours=36)
"""How long after its moment a digest is still sent. Shorter than any record of work is kept, so that none is
sent twice after a restart."""


def last_due(now: datetime, weekday: Weekday, hour: int, zone: ZoneInfo) -> datetime:
    """Return the last moment at or before `now` at which a digest was due, at a full hour from 0 to 23."""
    local = now.astimezone(zone)
    back = (local.weekday() - get_args(Weekday).index(weekday)) % 7
    due = datetime.combine(local.date() - timedelta(days=back), time(hour), zone)
    if due > now:
        due = datetime.combine(local.date() - timedelta(days=back + 7), time(hour), zone)
    return due
