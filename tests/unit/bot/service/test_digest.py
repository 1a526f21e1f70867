"""When the weekly digest is due."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import get_args
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.digest import WEEK, last_due
from bot.settings.sections import Weekday

MADRID, SEOUL = ZoneInfo("Europe/Madrid"), ZoneInfo("Asia/Seoul")


@pytest.mark.parametrize(
    ("now", "weekday", "hour", "zone", "due"),
    [
        # 18 May 2026 is a Monday; Madrid is two hours ahead of UTC then.
        pytest.param("2026-05-18T06:59:00", "monday", 9, MADRID, "2026-05-11T07:00:00", id="a minute before"),
        pytest.param("2026-05-18T07:00:00", "monday", 9, MADRID, "2026-05-18T07:00:00", id="its moment"),
        pytest.param("2026-05-20T12:00:00", "monday", 9, MADRID, "2026-05-18T07:00:00", id="in the week"),
        pytest.param("2026-05-20T12:00:00", "thursday", 9, MADRID, "2026-05-14T07:00:00", id="last week"),
        # In Seoul it is Monday already.
        pytest.param("2026-05-17T16:00:00", "monday", 0, SEOUL, "2026-05-17T15:00:00", id="ahead of UTC"),
        # The clocks go back on 25 October: nine o'clock is an hour later in UTC.
        pytest.param("2026-10-26T12:00:00", "monday", 9, MADRID, "2026-10-26T08:00:00", id="winter"),
    ],
)
def test_last_moment(now: str, weekday: Weekday, hour: int, zone: ZoneInfo, due: str) -> None:
    moment = datetime.fromisoformat(now).replace(tzinfo=UTC)
    assert last_due(moment, weekday, hour, zone) == datetime.fromisoformat(due).replace(tzinfo=UTC)


@given(
    st.datetimes(datetime(2020, 1, 1), datetime(2040, 1, 1), timezones=st.just(UTC)),  # noqa: DTZ001 - hypothesis wants them naive
    st.sampled_from(get_args(Weekday)),
    st.integers(0, 23),
    st.sampled_from([MADRID, SEOUL, ZoneInfo("UTC"), ZoneInfo("America/St_Johns")]),
)
def test_moment_is_never_ahead_and_at_most_a_week_ago(
    now: datetime, weekday: Weekday, hour: int, zone: ZoneInfo
) -> None:
    due = last_due(now, weekday, hour, zone)
    # A week with a change of clocks has an hour more.
    assert due <= now < due + WEEK + timedelta(hours=2)
    assert get_args(Weekday)[due.astimezone(zone).weekday()] == weekday
