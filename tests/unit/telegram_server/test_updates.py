"""Offsets of getUpdates, after "Getting updates" of the reference page."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.telegram.chats import Clock
from tests.telegram.updates import UpdateQueue

HOUR = 3600.0


@pytest.fixture
def clock() -> Clock:
    return Clock(lambda: 1_000_000.0)


@pytest.fixture
def queue(clock: Clock) -> UpdateQueue:
    """Updates 11 to 15 wait."""
    queue = UpdateQueue(clock, first_id=11)
    for place in range(5):
        queue.push("message", {"place": place}, lane=1)
    return queue


def ids(queue: UpdateQueue, offset: int, limit: int = 100) -> list[int]:
    return [update.update_id for update in queue.read(offset, limit)]


def test_ids_rise_by_one(queue: UpdateQueue) -> None:
    assert ids(queue, 0) == [11, 12, 13, 14, 15]


def test_updates_come_again_until_a_higher_offset_confirms_them(queue: UpdateQueue) -> None:
    assert ids(queue, 0, limit=2) == [11, 12]
    assert ids(queue, 0, limit=2) == [11, 12]
    assert ids(queue, 13, limit=2) == [13, 14]
    assert ids(queue, 0) == [13, 14, 15]
    assert queue.delivered == {11: 2, 12: 2, 13: 2, 14: 2, 15: 1}


def test_offset_of_the_last_update_plus_one_empties_the_queue(queue: UpdateQueue) -> None:
    assert ids(queue, 16) == []
    assert queue.pending == []


def test_negative_offset_counts_from_the_end_and_forgets_what_lies_before(queue: UpdateQueue) -> None:
    assert ids(queue, -2) == [14, 15]
    assert ids(queue, 0) == [14, 15]


def test_offset_far_beyond_the_newest_id_is_not_believed(queue: UpdateQueue) -> None:
    # Which is how a bot with an old, high offset still gets ids that restarted lower.
    assert ids(queue, 5_000_000) == [11, 12, 13, 14, 15]


def test_ids_that_restart_lower_reach_a_bot_with_a_high_offset(clock: Clock) -> None:
    queue = UpdateQueue(clock, first_id=900_000)
    queue.push("message", {}, lane=1)
    assert ids(queue, 900_001) == []
    queue.restart_at(5_000)
    queue.push("message", {}, lane=1)
    assert ids(queue, 900_001) == [5_000]
    assert ids(queue, 5_001) == []


def test_ids_cannot_restart_next_to_the_old_ones(queue: UpdateQueue) -> None:
    with pytest.raises(ValueError, match="far apart"):
        queue.restart_at(17)


def test_updates_wait_a_day_at_most(queue: UpdateQueue, clock: Clock) -> None:
    clock.skip(23 * HOUR)
    queue.push("message", {}, lane=1)
    clock.skip(2 * HOUR)
    assert ids(queue, 0) == [16]


def test_update_ordered_once_more_comes_once_whatever_the_offset(queue: UpdateQueue) -> None:
    assert ids(queue, 14) == [14, 15]
    queue.redeliver(11)
    assert ids(queue, 15) == [11, 15]
    assert ids(queue, 15) == [15]


def test_without_allowed_updates_reactions_and_members_are_left_out(queue: UpdateQueue) -> None:
    for kind in ("chat_member", "message_reaction", "message_reaction_count"):
        assert queue.push(kind, {}, lane=1) is None
    assert queue.push("my_chat_member", {}, lane=1) is not None
    assert queue.push("stopped_message_generation", {}, lane=1) is not None


def test_allowed_updates_stay_until_they_are_given_again_and_do_not_touch_older_updates(
    queue: UpdateQueue,
) -> None:
    queue.allow(["callback_query", "message_reaction"])
    queue.allow(None)
    assert queue.push("message", {}, lane=1) is None
    assert queue.push("message_reaction", {}, lane=1) is not None
    assert len(queue.pending) == 6
    queue.allow([])
    assert queue.push("message", {}, lane=1) is not None
    assert queue.push("message_reaction", {}, lane=1) is None


@given(st.lists(st.one_of(st.just("push"), st.integers(-4, 30)), max_size=30), st.integers(1, 4))
def test_nothing_is_lost_that_no_offset_has_passed(steps: list[str | int], limit: int) -> None:
    """Against a simpler model: what is unconfirmed, by id."""
    queue = UpdateQueue(Clock(), first_id=1)
    waiting: list[int] = []
    newest = 0
    for step in steps:
        if isinstance(step, str):
            newest += 1
            queue.push("message", {}, lane=1)
            waiting.append(newest)
            continue
        if step < 0:
            waiting = waiting[step:]
        elif step <= newest + 11:
            waiting = [update_id for update_id in waiting if update_id >= step]
        assert ids(queue, step, limit) == waiting[:limit]
    assert [update.update_id for update in queue.pending] == waiting
