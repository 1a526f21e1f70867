"""Moments in the team's time zone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.clock import date_and_time, day_of, local, time_of_day, use_zone

ZONES = ("UTC", "Europe/Madrid", "Asia/Seoul", "Asia/Kathmandu", "America/St_Johns", "Pacific/Kiritimati")


@given(
    st.datetimes(datetime.fromisoformat("2020-01-01"), datetime.fromisoformat("2030-01-01")),
    st.integers(-14, 14),
    st.sampled_from(ZONES),
)
def test_day_holds_its_moment_and_begins_at_midnight_of_the_zone(
    moment: datetime, hours: int, zone: str
) -> None:
    use_zone(ZoneInfo(zone))
    now = moment.replace(tzinfo=UTC)
    start, end = day_of(now.astimezone(timezone(timedelta(hours=hours))))
    assert start <= now < end
    assert (local(start).hour, local(start).minute, local(end).hour, local(end).minute) == (0, 0, 0, 0)
    assert local(end).date() - local(start).date() == timedelta(days=1)


@pytest.mark.parametrize(
    ("day", "hours"),
    [("2026-03-29", 23), ("2026-10-25", 25), ("2026-11-22", 24)],
    ids=["clocks go forward", "clocks go back", "ordinary"],
)
def test_day_on_which_clocks_change_has_its_own_length(day: str, hours: int) -> None:
    use_zone(ZoneInfo("Europe/Madrid"))
    start, end = day_of(datetime.fromisoformat(f"{day}T12:00+01:00"))
    assert end.astimezone(UTC) - start.astimezone(UTC) == timedelta(hours=hours)


@pytest.mark.parametrize(
    ("zone", "shown"),
    [
        ("UTC", "2026-07-01 22:30 UTC"),
        ("Europe/Madrid", "2026-07-02 00:30 CEST"),
        ("Asia/Seoul", "2026-07-02 07:30 KST"),
        ("Asia/Kathmandu", "2026-07-02 04:15 UTC+0545"),
    ],
)
def test_moment_is_shown_with_its_zone(zone: str, shown: str) -> None:
    use_zone(ZoneInfo(zone))
    moment = datetime(2026, 7, 1, 22, 30, tzinfo=UTC)
    assert date_and_time(moment) == shown
    assert time_of_day(moment) == shown.split(" ", 1)[1]
