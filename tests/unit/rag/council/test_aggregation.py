from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from rag.council.aggregation import rank_members
from rag.council.anonymity import assign_letters
from rag.values.council import Ballot, Letter, Review, Seat

ANNA, BORIS, CHEN, DEWI = (Seat(name) for name in ("anna", "boris", "chen", "dewi"))


def review(reviewer: Seat, *best_first: Seat) -> Review:
    letters = tuple((Letter(letter), seat) for letter, seat in zip("ABCD", sorted(best_first), strict=False))
    letter_of = {seat: letter for letter, seat in letters}
    return Review(reviewer, letters, Ballot(tuple(letter_of[seat] for seat in best_first)))


def test_scores_are_the_mean_of_equal_steps_from_one_to_zero() -> None:
    # boris: 1 from anna, 0.5 from chen; chen: 0.5 and 0; anna: 1 and 0 ...
    standings = rank_members(
        [review(ANNA, BORIS, CHEN, DEWI), review(CHEN, ANNA, BORIS, DEWI), review(BORIS, CHEN, DEWI, ANNA)],
        [ANNA, BORIS, CHEN, DEWI],
    )
    assert {(one.seat, one.score, one.place, one.ballots) for one in standings} == {
        ("boris", 0.75, 1, 2),
        ("chen", 0.75, 1, 2),
        ("anna", 0.5, 3, 2),
        ("dewi", 0.5 / 3, 4, 3),
    }


def test_answer_that_dropped_out_leaves_no_gap() -> None:
    (first, second) = rank_members([review(DEWI, ANNA, BORIS, CHEN)], [ANNA, CHEN])
    assert (first.seat, first.score) == ("anna", 1.0)
    assert (second.seat, second.score) == ("chen", 0.0)


def test_single_answer_gets_the_middle_and_an_abstention_counts_for_nothing() -> None:
    abstained = Review(CHEN, ((Letter("A"), ANNA), (Letter("B"), BORIS)), abstention="not_a_ranking")
    (only,) = rank_members([review(ANNA, BORIS), abstained], [ANNA, BORIS])
    assert (only.seat, only.score, only.ballots) == ("boris", 0.5, 1)


MEMBERS = [Seat(f"seat {number}") for number in range(6)]


@given(st.data(), st.integers(2, 6), st.integers())
def test_standings_do_not_depend_on_letters_or_order(
    data: st.DataObject, size: int, start_value: int
) -> None:
    members = MEMBERS[:size]
    reviews = []
    for reviewer in members:
        letters = assign_letters(members, reviewer, start_value)
        best_first = data.draw(st.permutations([letter for letter, _ in letters]))
        reviews.append(Review(reviewer, letters, Ballot(tuple(best_first))))
    standings = rank_members(reviews, members)
    assert {one.seat for one in standings} == set(members)
    assert all(0 <= one.score <= 1 for one in standings)
    assert rank_members(reviews[::-1], members[::-1]) == standings
    # Each ballot gives half a point an answer on average.
    assert (
        abs(sum(one.score * one.ballots for one in standings) - sum(one.ballots for one in standings) / 2)
        < 1e-9
    )
