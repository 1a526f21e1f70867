from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bot.telegram.outbound.rate_limits import CallReport, Effect, Rate, Rates, Schedule, Urgency, overall

GROUP, PRIVATE = -100, 7


def spend(schedule: Schedule, chat_id: int, calls: int, now: float = 0.0) -> None:
    for _ in range(calls):
        schedule.end(chat_id, Effect.CHANGE if chat_id < 0 else Effect.MESSAGE, now)


@pytest.mark.parametrize(
    ("urgency", "calls", "seconds"),
    [
        pytest.param(Urgency.FINAL, 19, 0.0, id="the 20th call of the minute may be an answer"),
        pytest.param(Urgency.FINAL, 20, 60.0, id="the 21st waits for the minute's end"),
        pytest.param(Urgency.PLACEHOLDER, 17, 0.0, id="placeholders leave room for two answers"),
        pytest.param(Urgency.PLACEHOLDER, 18, 60.0, id="a placeholder too many"),
        pytest.param(Urgency.PROGRESS, 9, 0.0, id="progress takes half of the budget at most"),
        pytest.param(Urgency.PROGRESS, 10, 60.0, id="progress beyond its half"),
        pytest.param(Urgency.TYPING, 4, 60.0, id="typing takes next to nothing"),
    ],
)
def test_group_has_twenty_calls_a_minute_and_answers_may_use_them_all(
    urgency: Urgency, calls: int, seconds: float
) -> None:
    schedule = Schedule()
    spend(schedule, GROUP, calls)
    assert schedule.wait(GROUP, urgency, Effect.CHANGE, 0.0) == seconds


@pytest.mark.parametrize("chat_id", [PRIVATE, GROUP], ids=["private", "group"])
def test_chat_takes_a_burst_of_messages_and_then_one_a_second(chat_id: int) -> None:
    schedule = Schedule()
    for number in range(5):
        assert schedule.wait(chat_id, Urgency.FINAL, Effect.MESSAGE, number * 0.1) == 0
        schedule.end(chat_id, Effect.MESSAGE, number * 0.1)
    # The first of the five messages leaves the window of five seconds at 5.0.
    assert schedule.wait(chat_id, Urgency.FINAL, Effect.MESSAGE, 0.5) == pytest.approx(4.5)


@pytest.mark.parametrize("effect", [Effect.CHANGE, Effect.SLIGHT], ids=["edit", "draft or deletion"])
def test_private_chat_that_has_had_its_messages_still_takes_edits_drafts_and_deletions(
    effect: Effect,
) -> None:
    schedule = Schedule()
    for _ in range(40):
        schedule.end(PRIVATE, effect, 0.0)
    assert schedule.wait(PRIVATE, Urgency.FINAL, Effect.MESSAGE, 0.0) == 0
    spend(schedule, PRIVATE, 10)
    assert schedule.wait(PRIVATE, Urgency.FINAL, Effect.MESSAGE, 0.0) > 0
    assert schedule.wait(PRIVATE, Urgency.FINAL, effect, 0.0) == 0


def test_edits_count_in_a_group_and_deletions_do_not() -> None:
    schedule = Schedule()
    for _ in range(20):
        schedule.end(GROUP, Effect.SLIGHT, 0.0)
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.MESSAGE, 0.0) == 0
    spend(schedule, GROUP, 20)
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.MESSAGE, 0.0) == 60.0
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.SLIGHT, 0.0) == 0


def test_pause_concerns_one_chat_only() -> None:
    schedule = Schedule()
    schedule.pause(GROUP, 17.0)
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.MESSAGE, 0.0) == 17.0
    assert schedule.wait(PRIVATE, Urgency.FINAL, Effect.MESSAGE, 0.0) == 0
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.MESSAGE, 17.0) == 0


def test_shorter_pause_does_not_end_a_longer_one() -> None:
    schedule = Schedule()
    schedule.pause(GROUP, 17.0)
    schedule.pause(GROUP, 3.0)
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.MESSAGE, 4.0) == 13.0


def test_all_chats_together_are_kept_below_thirty_a_second() -> None:
    schedule = Schedule()
    for _ in range(28):
        assert schedule.wait_overall(Urgency.FINAL, 0.0) == 0
        schedule.begin(0.0)
    assert schedule.wait_overall(Urgency.FINAL, 0.25) == pytest.approx(0.75)


@pytest.mark.parametrize(
    ("messages_per_second", "calls", "typing"),
    [(1, 1, 1), (30, 28, 12), (1000, 930, 12)],
    ids=["a word a second", "everybody", "paid for"],
)
def test_setting_gives_the_budget_of_all_chats(messages_per_second: int, calls: int, typing: int) -> None:
    budget = overall(messages_per_second)
    assert (budget.allowed(Urgency.FINAL), budget.allowed(Urgency.TYPING)) == (calls, typing)


def test_forgetting_keeps_what_still_counts() -> None:
    schedule = Schedule()
    spend(schedule, GROUP, 20, now=0.0)
    schedule.pause(PRIVATE, 100.0)
    schedule.forget(59.0)
    assert schedule.wait(GROUP, Urgency.FINAL, Effect.MESSAGE, 59.0) == pytest.approx(1.0)
    assert schedule.wait(PRIVATE, Urgency.FINAL, Effect.MESSAGE, 59.0) == pytest.approx(41.0)


@given(
    st.lists(st.tuples(st.floats(0, 30), st.sampled_from(Urgency)), max_size=60),
    st.integers(1, 6),
    st.floats(0.5, 20),
)
def test_no_window_ever_holds_more_calls_than_the_rate(
    asked: list[tuple[float, Urgency]], calls: int, seconds: float
) -> None:
    rate = Rate(calls, seconds, {Urgency.TYPING: max(calls // 2, 1)})
    schedule = Schedule(Rates(chat=rate))
    now, sent = 0.0, []
    for pause, urgency in asked:
        now += pause
        while (wait := schedule.wait(PRIVATE, urgency, Effect.MESSAGE, now)) > 0:
            now += max(wait, 1e-6)
        schedule.end(PRIVATE, Effect.MESSAGE, now)
        sent.append(now)
    for first in sent:
        assert sum(first <= moment < first + seconds * (1 - 1e-9) for moment in sent) <= calls


@given(st.integers(1, 60), st.integers(1, 5), st.sampled_from(Urgency))
def test_machines_together_make_no_more_calls_than_one_may(
    messages_per_second: int, machines: int, urgency: Urgency
) -> None:
    rates = Rates(overall=overall(messages_per_second))
    calls = 0
    for _ in range(machines):
        schedule = Schedule(rates, lambda: machines)
        while schedule.wait_overall(urgency, 0.0) == 0:
            schedule.begin(0.0)
            calls += 1
    # Each makes at least one, so that none stands still.
    assert calls <= max(rates.overall.allowed(urgency), machines)


# ---- what machines tell each other


def heard(schedule: Schedule, told: CallReport, made_at: float) -> None:
    schedule.hear([(made_at, CallReport.model_validate_json(told.model_dump_json(exclude_defaults=True)))])


def test_calls_of_another_machine_count_in_a_group() -> None:
    here, there = Schedule(), Schedule()
    spend(there, GROUP, 20, now=100.0)
    heard(here, there.report(102.0), made_at=7.0)
    # They were made two seconds before they were told, so they count for 58 seconds more.
    assert here.wait(GROUP, Urgency.FINAL, Effect.CHANGE, 7.0) == pytest.approx(58.0)
    assert here.wait(GROUP, Urgency.FINAL, Effect.CHANGE, 65.1) == 0
    assert here.wait(GROUP - 1, Urgency.FINAL, Effect.CHANGE, 7.0) == 0


def test_own_calls_and_those_of_others_count_together() -> None:
    here, there = Schedule(), Schedule()
    spend(there, GROUP, 12)
    spend(here, GROUP, 8, now=5.0)
    assert here.wait(GROUP, Urgency.FINAL, Effect.CHANGE, 6.0) == 0
    heard(here, there.report(6.0), made_at=6.0)
    assert here.wait(GROUP, Urgency.FINAL, Effect.CHANGE, 6.0) == pytest.approx(54.0)
    # What another machine told before is replaced by what it tells now, and is not told on.
    heard(here, there.report(50.0), made_at=50.0)
    assert here.wait(GROUP, Urgency.FINAL, Effect.CHANGE, 50.0) == pytest.approx(10.0)
    assert sum(len(ages) for ages in here.report(50.0).calls[GROUP].values()) == 8
    here.hear([])
    assert here.wait(GROUP, Urgency.FINAL, Effect.CHANGE, 50.0) == 0


def test_pause_that_telegram_asked_another_machine_for_is_kept() -> None:
    here, there = Schedule(), Schedule()
    there.pause(1, 130.0)
    heard(here, there.report(100.0), made_at=10.0)
    assert here.wait(1, Urgency.FINAL, Effect.SLIGHT, 10.0) == pytest.approx(30.0)
    assert here.wait(2, Urgency.FINAL, Effect.SLIGHT, 10.0) == 0
    assert there.report(131.0).model_dump_json(exclude_defaults=True) == "{}"


@given(st.lists(st.tuples(st.sampled_from([1, 2, 3]), st.floats(0, 30)), max_size=60))
def test_machines_that_hear_of_every_call_keep_to_the_limit_of_a_group(
    steps: list[tuple[int, float]],
) -> None:
    schedules = {machine: Schedule() for machine in (1, 2, 3)}
    now, made = 0.0, []
    for machine, pause in steps:
        now += pause
        others = [schedule.report(now) for other, schedule in schedules.items() if other != machine]
        schedules[machine].hear([(now, told) for told in others])
        if schedules[machine].wait(GROUP, Urgency.FINAL, Effect.CHANGE, now) == 0:
            schedules[machine].end(GROUP, Effect.CHANGE, now)
            made.append(now)
    # Ages are told in whole milliseconds.
    assert all(later - earlier > 59.9 for earlier, later in zip(made, made[20:], strict=False))
