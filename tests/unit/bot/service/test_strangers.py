from __future__ import annotations

from datetime import UTC, datetime, timedelta

from bot.service.strangers import Strangers

NOW = datetime(2026, 11, 22, 12, tzinfo=UTC)


class Clock:
    now = NOW

    def __call__(self) -> datetime:
        return self.now


def test_a_little_of_each_and_of_all_is_recorded_within_an_hour() -> None:
    clock = Clock()
    strangers = Strangers(each_per_hour=2, all_per_hour=3, clock=clock)
    assert [strangers.may_be_recorded("ann") for _ in range(3)] == [True, True, False]
    assert [strangers.may_be_recorded(name) for name in ("bob", "eve")] == [True, False]
    clock.now = NOW + timedelta(hours=1)
    assert strangers.may_be_recorded("ann")


def test_a_clock_that_was_set_back_forgets_what_was_counted() -> None:
    clock = Clock()
    strangers = Strangers(each_per_hour=1, clock=clock)
    assert [strangers.may_be_recorded("ann") for _ in range(2)] == [True, False]
    clock.now = NOW - timedelta(days=1)
    assert strangers.may_be_recorded("ann")


def test_a_flood_of_people_takes_bounded_memory() -> None:
    strangers = Strangers()
    for number in range(30_000):
        strangers.may_be_recorded(f"telegram:{number}")
    assert len(strangers._counts) == 10_000
