"""The rankings of all reviewers as one.

Each ballot gives its best answer 1 and its last 0, in equal steps (the Borda count, normalised: a reviewer
does not rank its own answer, so that ballots differ in length). An answer's score is the mean over the
ballots that rank it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from fractions import Fraction

from rag.values.council import Review, Seat, Standing


def rank_members(reviews: Iterable[Review], members: Iterable[Seat]) -> tuple[Standing, ...]:
    """Return the standing of every member whose answer was ranked, best first; ties share a place.

    Args:
        reviews: The reviews; those without a ranking count for nothing.
        members: The members with a usable answer. A ballot that also ranks others is re-packed: their
            places are closed up.
    """
    known = set(members)
    scores: defaultdict[Seat, list[Fraction]] = defaultdict(list)
    for review in reviews:
        if review.ballot is None:
            continue
        seats = dict(review.letters)
        order = [seats[letter] for letter in review.ballot.ranking if seats[letter] in known]
        for position, seat in enumerate(order):
            # A single answer says nothing of its quality: it gets the middle.
            scores[seat].append(
                Fraction(len(order) - 1 - position, len(order) - 1) if len(order) > 1 else Fraction(1, 2)
            )
    means = {seat: sum(given, Fraction(0)) / len(given) for seat, given in scores.items()}
    return tuple(
        Standing(
            seat=seat,
            score=float(means[seat]),
            place=1 + sum(other > means[seat] for other in means.values()),
            ballots=len(scores[seat]),
        )
        for seat in sorted(means, key=lambda seat: (-means[seat], seat))
    )
