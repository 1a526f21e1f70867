from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.service.limits import HOUR, MINUTE, Load, command_refusal, free_at, refusal
from bot.settings.sections import Rates

NOW = datetime(2026, 5, 20, 12, 0, tzinfo=UTC)
RATES = Rates(user_per_minute=3, user_per_hour=10, chat_per_minute=5, queue_length=4)

moments = st.timedeltas(timedelta(days=-1), timedelta(days=2)).map(lambda distance: NOW + distance)


def ago(*seconds: float) -> list[datetime]:
    return [NOW - timedelta(seconds=each) for each in seconds]


@pytest.mark.parametrize(
    ("load", "reason", "until"),
    [
        pytest.param(Load(), None, None, id="first question"),
        pytest.param(Load(ago(10, 20)), None, None, id="third in a minute"),
        # The oldest of three was 30 s ago, so a place is free in 30 s.
        pytest.param(Load(ago(10, 20, 30)), "limit-user-minute", 30, id="fourth in a minute"),
        pytest.param(Load(ago(10, 20, 60)), None, None, id="a minute ago is no more"),
        pytest.param(Load(ago(*range(100, 1100, 100))), "limit-user-hour", 3600 - 1000, id="eleventh in an hour"),
        pytest.param(Load((), ago(1, 2, 3, 4, 50)), "limit-chat-minute", 10, id="chat"),
        pytest.param(Load(waiting=3), None, None, id="last place in the queue"),
        pytest.param(Load(waiting=4), "limit-queue", 60, id="queue is full"),
        pytest.param(Load(ago(-7200, -7100, -7000, -1)), None, None, id="clock was set back two hours"),
    ],
)  # fmt: skip
def test_what_is_too_much(load: Load, reason: str | None, until: float | None) -> None:
    found = refusal(load, RATES, NOW)
    assert (found.message_id if found else None) == reason
    if found is not None and until is not None:
        assert found.until == NOW + timedelta(seconds=until)


@pytest.mark.parametrize(
    ("load", "reason"),
    [
        pytest.param(Load(ago(10)), None, id="second in a minute"),
        pytest.param(Load(ago(10, 20)), "limit-user-commands", id="third in a minute"),
        pytest.param(Load(ago(100, 200, 300)), None, id="no limit of an hour"),
        pytest.param(Load((), ago(1, 2, 3, 4)), "limit-chat-commands", id="chat"),
    ],
)
def test_which_command_is_too_much(load: Load, reason: str | None) -> None:
    rates = Rates(user_commands_per_minute=2, chat_commands_per_minute=4)
    found = command_refusal(load, rates, NOW)
    assert (found.message_id if found else None) == reason


def test_refusal_says_when_it_is_over() -> None:
    found = refusal(Load(ago(10, 20, 30.5)), RATES, NOW)
    assert found is not None
    assert found.values == {"limit": 3, "seconds": 30, "minutes": 1, "until": "12:00 UTC"}
    # The oldest of ten was 1000 s ago, so 2600 s are left: 43 minutes and a bit.
    hour = refusal(Load(ago(*range(100, 1100, 100))), RATES, NOW)
    assert hour is not None
    assert (hour.values["minutes"], hour.values["until"]) == (44, "12:43 UTC")


@given(st.lists(moments, max_size=12), moments, st.integers(1, 6))
def test_at_the_promised_moment_one_more_fits_and_never_before(
    times: list[datetime], now: datetime, limit: int
) -> None:
    until = free_at(times, now, limit, MINUTE)
    if until is None:
        assert len([moment for moment in times if now - MINUTE < moment <= now]) < limit
        return
    assert now < until <= now + MINUTE
    past = [moment for moment in times if moment <= now]
    assert free_at(past, until, limit, MINUTE) is None
    assert free_at(past, until - timedelta(microseconds=1), limit, MINUTE) is not None


@given(st.lists(moments, max_size=8), moments, st.integers(-2, 2))
def test_jumps_of_the_clock_never_give_a_wait_that_is_over_or_longer_than_its_window(
    times: list[datetime], now: datetime, hours: int
) -> None:
    jumped = now + timedelta(hours=hours)
    found = refusal(Load(times, times), RATES, jumped)
    if found is not None:
        assert found.until is not None
        assert timedelta(0) < found.until - jumped <= HOUR
        assert int(found.values.get("seconds", 1)) > 0
