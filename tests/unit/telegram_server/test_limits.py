"""The limits of the Bots FAQ: about 1 message a second in a chat, 20 a minute in a group, 30 a second in all."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.telegram.limits import NO_RATES, Limits, Rates
from tests.telegram.refusals import Refusal

GROUP, PERSON = -1001, 5001


def taken(limits: Limits, method: str, chat_id: int, times: list[float]) -> list[int]:
    """0 for each call that was taken, else the seconds to wait."""
    waits = []
    for now in times:
        try:
            limits.count(method, chat_id, now)
        except Refusal as refusal:
            waits.append(int(refusal.parameters["retry_after"]))
        else:
            waits.append(0)
    return waits


def test_group_takes_twenty_a_minute_and_says_how_long_to_wait() -> None:
    limits = Limits(Rates())
    # One a second, as any chat takes it.
    times = [float(second) for second in range(21)]
    assert taken(limits, "sendMessage", GROUP, times) == [0] * 20 + [40]
    # The first of the twenty was sent at 0 s and leaves the window at 60 s.
    assert taken(limits, "sendMessage", GROUP, [59.5, 60.0, 60.5, 61.0]) == [1, 0, 1, 0]


def test_edits_and_typing_use_up_the_same_twenty() -> None:
    limits = Limits(Rates(chat=None, overall=None))
    assert taken(limits, "sendChatAction", GROUP, [0.0] * 10) == [0] * 10
    assert taken(limits, "editMessageText", GROUP, [0.0] * 10) == [0] * 10
    assert taken(limits, "sendMessage", GROUP, [1.0]) == [59]


@pytest.mark.parametrize("chat_id", [PERSON, GROUP], ids=["private", "group"])
def test_chat_takes_a_short_burst_and_then_one_a_second(chat_id: int) -> None:
    limits = Limits(Rates())
    assert taken(limits, "sendMessage", chat_id, [0.0] * 6) == [0] * 5 + [5]
    assert taken(limits, "sendMessage", chat_id + 1, [0.0]) == [0]


def test_thirty_calls_a_second_are_taken_over_all_chats() -> None:
    limits = Limits(Rates(chat=None))
    waits = [taken(limits, "sendMessage", PERSON + place, [0.0])[0] for place in range(31)]
    assert waits == [0] * 30 + [1]


@pytest.mark.parametrize("method", ["answerCallbackQuery", "getUpdates", "setMyCommands", "getFile"])
def test_what_shows_nothing_in_a_chat_is_not_counted(method: str) -> None:
    assert taken(Limits(Rates()), method, GROUP, [0.0] * 100) == [0] * 100


def test_no_limit_holds_when_none_is_asked_for() -> None:
    assert taken(Limits(NO_RATES), "sendMessage", GROUP, [0.0] * 200) == [0] * 200


@given(st.lists(st.floats(0, 200), max_size=80).map(sorted))
def test_whoever_waits_as_told_is_taken(times: list[float]) -> None:
    limits = Limits(Rates(chat=None, overall=None))
    for now in times:
        wait = taken(limits, "sendMessage", GROUP, [now])[0]
        if wait:
            # Asked again at once after the wait, while nobody else sends.
            assert taken(Limits(limits.rates, {k: v.copy() for k, v in limits._calls.items()}), "sendMessage", GROUP, [now + wait]) == [0]  # fmt: skip


@given(st.lists(st.floats(0, 300), max_size=120).map(sorted))
def test_no_minute_ever_holds_more_than_twenty(times: list[float]) -> None:
    limits = Limits(Rates(chat=None, overall=None))
    sent = [now for now in times if taken(limits, "sendMessage", GROUP, [now]) == [0]]
    assert all(sum(1 for other in sent if now <= other < now + 60) <= 20 for now in sent)
