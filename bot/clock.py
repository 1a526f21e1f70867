"""The only source of wall-clock time, which code takes as an argument, and the team's time zone.

Moments are stored in UTC. The zone decides only how a moment is shown and when a day begins. It comes from
the settings and is the same for the whole process.
"""

from __future__ import annotations

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

_zone: ZoneInfo | None = None


def utcnow() -> datetime:
    """Return the current time in UTC, with its time zone."""
    return datetime.now(UTC)


def use_zone(zone: ZoneInfo) -> None:
    """Set the team's time zone for the process."""
    global _zone
    _zone = zone


def local(moment: datetime) -> datetime:
    """Return an aware moment in the team's time zone."""
    return moment.astimezone(_zone or UTC)


def day_of(moment: datetime) -> tuple[datetime, datetime]:
    """Return the first moment of the day of the team's time zone, and of the next one."""
    today = local(moment).date()
    zone = _zone or UTC
    # Not 24 hours later: the day on which clocks change has more or fewer.
    return datetime.combine(today, time(), zone), datetime.combine(today + timedelta(days=1), time(), zone)


def time_of_day(moment: datetime) -> str:
    """Write the time of day of an aware moment with its zone, such as ``18:00 UTC`` or ``20:00 CEST``."""
    there = local(moment)
    return f"{there:%H:%M} {_label(there)}"


def date_and_time(moment: datetime) -> str:
    """Write an aware moment with its day and zone, such as ``2026-11-22 18:00 UTC``."""
    there = local(moment)
    return f"{there:%Y-%m-%d %H:%M} {_label(there)}"


def _label(there: datetime) -> str:
    name = there.tzname() or "UTC"
    # Some zones have no abbreviation, only an offset such as "+05".
    return f"UTC{name}" if name.startswith(("+", "-")) else name
