from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.models.calls import Pace


def paced(*seconds: float) -> Pace:
    pace = Pace()
    for one in seconds:
        pace.record("critic", "small", one)
    return pace


def test_nothing_is_usual_before_a_few_calls_are_known() -> None:
    assert paced(1.0, 2.0, 3.0, 4.0).usual("critic", "small") is None


def test_usual_time_is_that_of_nine_calls_in_ten() -> None:
    # The tenth of ten calls hung: it does not count.
    assert paced(*range(1, 10), 500.0).usual("critic", "small") == 9


def test_roles_have_a_pace_of_their_own() -> None:
    assert paced(1.0, 1.0, 1.0, 1.0, 1.0).usual("reviewer", "small") is None


def test_slow_model_does_not_lengthen_the_patience_with_a_fast_one() -> None:
    pace = paced(*[200.0] * 5)
    assert pace.usual("critic", "fast") is None
    assert pace.expected("critic", "fast", 30.0) == 30.0


def test_pace_follows_a_machine_that_gets_slower() -> None:
    assert paced(*[1.0] * 30, *[20.0] * 30).usual("critic", "small") == 20.0


def test_pace_follows_calls_that_were_given_up() -> None:
    pace = paced(*[1.0] * 30)
    for _ in range(5):
        pace.give_up("critic", "small", 2.5)
    assert pace.usual("critic", "small") == 2.5


def test_model_that_hangs_is_not_waited_for_ever_longer() -> None:
    pace = paced(1.0, 1.0, 1.0, 1.0, 2.0)
    for _ in range(100):
        pace.give_up("critic", "small", (pace.usual("critic", "small") or 0.0) + 3.0)
    assert pace.usual("critic", "small") == 6.0, "three times the slowest answer"


def test_role_that_never_answered_has_no_usual_time() -> None:
    pace = Pace()
    for _ in range(20):
        pace.give_up("critic", "small", 30.0)
    assert pace.usual("critic", "small") is None


def test_role_of_which_nothing_is_known_is_expected_to_take_the_first_patience() -> None:
    assert Pace().expected("judge", "small", 30.0) == 30.0


def test_slow_machine_shows_in_the_answers_of_other_roles() -> None:
    pace = paced(4.0, 25.0)  # the critic's
    assert pace.expected("judge", "small", 30.0) == 75.0, "three times the slowest answer"
    assert pace.expected("judge", "small", 90.0) == 90.0


def test_usual_time_counts_once_it_is_known() -> None:
    assert paced(*[2.0] * 5).expected("critic", "small", 30.0) == 2.0


def test_role_that_hangs_from_its_first_call_is_given_less_each_time() -> None:
    pace = Pace()
    pace.record("draft", "small", 1.0)
    waited = []
    for _ in range(50):
        waited.append(pace.expected("judge", "small", 32.0))
        pace.give_up("judge", "small", waited[-1])
    assert waited[:5] == [32.0, 16.0, 8.0, 4.0, 3.0]
    assert min(waited) == 3.0, "three times the slowest answer"
    pace.record("judge", "small", 2.0)
    assert pace.expected("judge", "small", 32.0) == 32.0, "it has answered: it was slow, and did not hang"


@given(st.lists(st.floats(0, 1000), min_size=5, max_size=80))
def test_usual_time_is_that_of_a_call(seconds: list[float]) -> None:
    assert paced(*seconds).usual("critic", "small") in seconds


@pytest.mark.parametrize("count", [5, 8])
def test_slowest_of_a_few_calls_is_usual(count: int) -> None:
    assert paced(*range(count)).usual("critic", "small") == count - 1
