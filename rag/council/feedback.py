"""Writes the feedback for a member: all of its peers' reviews in full, and its letter in each.

Without its letter a member would mend faults that a reviewer found in somebody else's answer. Reviewers
are numbered, so that no model learns who judged it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.language.sentences import sentences
from rag.models.tokens import estimate_tokens
from rag.values.council import Critique, Review, Seat

SHORTENED = "[shortened]"
"""Stands where the end of an evaluation was left out."""


@dataclass(frozen=True, slots=True)
class Feedback:
    """The peers' evaluations as one text; empty when no peer has said anything."""

    text: str
    is_shortened: bool = False


def gather_feedback(
    member: Seat, reviews: Sequence[Review], numbers: Mapping[Seat, int], max_tokens: int
) -> Feedback:
    """Put together what a member is told.

    Args:
        member: Who is told. Reviews that did not judge its answer are left out; its own never does.
        numbers: The number of each reviewer, see `anonymity.number_reviewers`.
        max_tokens: Estimated length of the text at most. Longer evaluations are cut at sentence ends until
            all fit, the longest first, so that each reviewer is heard.
    """
    evaluations = [
        (_heading(review, member, numbers[review.reviewer]), _body(review))
        for review in sorted(reviews, key=lambda review: numbers.get(review.reviewer, 0))
        if review.ballot is not None and review.letter_of(member) is not None
    ]
    left = max_tokens - sum(estimate_tokens(heading) for heading, _body in evaluations)
    bodies = [body for _heading, body in evaluations]
    allowed = _share(left, [estimate_tokens(body) for body in bodies])
    shortened = [_shorten(body, tokens) for body, tokens in zip(bodies, allowed, strict=True)]
    text = "\n\n".join(
        f"{heading}\n{body}" for (heading, _), body in zip(evaluations, shortened, strict=True)
    )
    return Feedback(text, shortened != bodies)


def _heading(review: Review, member: Seat, number: int) -> str:
    return f"Reviewer {number} (your answer is Response {review.letter_of(member)} here):"


def _body(review: Review) -> str:
    assert review.ballot is not None  # reviews that say nothing are left out
    ranking = " > ".join(f"Response {letter}" for letter in review.ballot.ranking)
    told = (f"Ranking: {ranking}",) if ranking else ()
    return "\n".join((*map(_worded, review.ballot.critiques), *told))


def _worded(critique: Critique) -> str:
    issues = "".join(f"\n- {issue}" for issue in critique.issues)
    return f"Response {critique.letter}: {critique.strengths}".rstrip() + issues


def _share(left: int, lengths: Sequence[int]) -> list[int]:
    """Share `left` tokens so that short evaluations keep all of theirs and long ones get equal parts."""
    allowed = list(lengths)
    open_ones = sorted(range(len(lengths)), key=lambda index: lengths[index])
    rest = max(left, 0)
    for done, index in enumerate(open_ones):
        allowed[index] = min(lengths[index], rest // (len(open_ones) - done))
        rest -= allowed[index]
    return allowed


def _shorten(text: str, max_tokens: int) -> str:
    if estimate_tokens(text) <= max_tokens:
        return text
    kept = ""
    for line in text.splitlines():
        for sentence in sentences(line):
            longer = f"{kept}{sentence.text} "
            if estimate_tokens(longer + SHORTENED) > max_tokens:
                return f"{kept.rstrip()} {SHORTENED}".strip()
            kept = longer
        kept = f"{kept.rstrip()}\n"
    return f"{kept.rstrip()} {SHORTENED}"
