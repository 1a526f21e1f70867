from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest

from bot.statistics import periods

NOW = datetime(2026, 5, 20, 1, 30, tzinfo=timezone(timedelta(hours=3)))  # 22:30 of the 19th in UTC


@pytest.mark.parametrize(
    ("days", "expected"),
    [(1, datetime(2026, 5, 19, tzinfo=UTC)), (7, datetime(2026, 5, 13, tzinfo=UTC))],
    ids=["today begins at midnight UTC", "seven days with today"],
)
def test_period_begins_at_midnight(days: int, expected: datetime) -> None:
    assert periods.since(NOW, days) == expected


def test_periods_are_named_for_people() -> None:
    assert [periods.title(days) for days in periods.DAYS] == ["today", "7 days", "30 days"]
