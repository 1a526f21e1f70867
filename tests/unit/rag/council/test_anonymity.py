from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.council.anonymity import MAX_MEMBERS, assign_letters, number_reviewers
from rag.values.council import Seat

MEMBERS = [Seat(name) for name in ("anna", "boris", "chen", "dewi")]


@given(st.integers())
def test_nobody_reviews_its_own_answer_and_everybody_else_is_shown_once(start_value: int) -> None:
    for reviewer in MEMBERS:
        letters = assign_letters(MEMBERS, reviewer, start_value)
        assert sorted(seat for _letter, seat in letters) == [seat for seat in MEMBERS if seat != reviewer]
        assert [letter for letter, _seat in letters] == list("ABC")


def test_same_start_value_gives_the_same_letters_whatever_the_order_of_the_members() -> None:
    assert assign_letters(MEMBERS, MEMBERS[0], 7) == assign_letters(MEMBERS[::-1], MEMBERS[0], 7)
    assert number_reviewers(MEMBERS, 7) == number_reviewers(MEMBERS[::-1], 7)


def test_no_position_belongs_to_one_member() -> None:
    first = Counter(assign_letters(MEMBERS, MEMBERS[0], start)[0][1] for start in range(600))
    assert set(first) == set(MEMBERS[1:])
    assert min(first.values()) > 150


def test_more_answers_than_letters_are_refused() -> None:
    with pytest.raises(ValueError, match="at most 26"):
        assign_letters([Seat(str(number)) for number in range(MAX_MEMBERS + 1)], Seat("x"), 1)


FOUR = tuple(Seat(name) for name in ("a", "b", "c", "d"))


def test_reviewers_do_not_see_the_same_order() -> None:
    """Of two answers that both see, one stands first for the one reviewer and last for the other at times."""

    def order(reviewer: str, start_value: int) -> list[Seat]:
        shown = assign_letters(FOUR, Seat(reviewer), start_value)
        return [seat for _letter, seat in shown if seat in FOUR[:2]]

    assert {order("c", start_value) == order("d", start_value) for start_value in range(50)} == {True, False}


def test_number_of_a_reviewer_does_not_follow_from_its_name() -> None:
    reviewers = tuple(Seat(name) for name in ("a", "b", "c"))
    numbers = [number_reviewers(reviewers, start_value) for start_value in range(50)]
    for seat in reviewers:
        assert {given[seat] for given in numbers} == {1, 2, 3}
    assert number_reviewers(reviewers[::-1], 7) == numbers[7]
