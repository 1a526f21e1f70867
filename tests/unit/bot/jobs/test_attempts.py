from __future__ import annotations

import pytest

from bot.jobs.attempts import Attempts


def crashed(*recorded: int) -> Attempts:
    """A job that crashes at work again and again, with so many steps recorded each time."""
    attempts = Attempts()
    for steps in recorded:
        attempts = Attempts(attempts.crashes, attempts.steps, has_begun=True).after_restart(steps)
    return attempts


@pytest.mark.parametrize(
    ("recorded", "crashes", "is_suspect", "is_given_up"),
    [
        ((), 0, False, False),
        ((0,), 1, False, False),
        ((0, 0), 2, True, False),
        ((0, 0, 0), 3, True, True),
        ((3, 3, 3), 3, True, True),  # the first finds steps that are new to it: 1, 2, 3
        ((3, 4, 4), 2, True, False),  # 1; a new step: 1; 2
        ((1, 2, 3, 4, 5, 6), 1, False, False),
    ],
    ids=["none", "once", "twice", "three times", "at a later step", "one step further", "always further"],
)
def test_only_crashes_without_a_new_step_count(
    recorded: tuple[int, ...], crashes: int, is_suspect: bool, is_given_up: bool
) -> None:
    attempts = crashed(*recorded)
    assert (attempts.crashes, attempts.is_suspect, attempts.is_given_up) == (crashes, is_suspect, is_given_up)


@pytest.mark.parametrize(
    ("recorded", "alive_seconds", "expected"),
    [((), 0.0, 0.0), ((0,), 0.0, 0.0), ((0, 0), 0.0, 20.0), ((0, 0), 15.0, 5.0), ((0, 0), 21.0, 0.0)],
    ids=["new", "crashed once", "crashed twice", "a while after the start", "later"],
)
def test_last_try_waits_until_the_process_has_lived_for_a_while(
    recorded: tuple[int, ...], alive_seconds: float, expected: float
) -> None:
    assert crashed(*recorded).seconds_to_wait(alive_seconds) == expected


def test_orderly_stops_are_no_crashes() -> None:
    attempts = crashed(2)
    for _ in range(20):
        attempts = Attempts(attempts.crashes, attempts.steps, is_handed_over=True).after_restart(2)
    assert attempts == Attempts(1, 2, has_begun=False)


def test_crash_before_the_job_has_begun_again_is_not_its_own() -> None:
    attempts = crashed(2, 2)
    for _ in range(20):
        attempts = attempts.after_restart(2)
    assert attempts.crashes == 2
