"""Which letter stands for whose answer. Each reviewer sees another order, so that position favours nobody."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from string import ascii_uppercase

from rag.values.council import Letter, Seat

MAX_MEMBERS = len(ascii_uppercase)
"""More answers than letters cannot be told apart."""


def assign_letters(
    authors: Sequence[Seat], reviewer: Seat, start_value: int
) -> tuple[tuple[Letter, Seat], ...]:
    """Give the answers that a reviewer judges their letters and their order.

    Args:
        reviewer: Who judges; the reviewer's own answer is left out.
        start_value: The recorded random start value of this council; the same value gives the same letters.

    Returns:
        Pairs of letter and author in the order in which the prompt shows the answers.

    Raises:
        ValueError: there are more answers than letters.
    """
    shown = sorted(set(authors) - {reviewer})
    if len(shown) > MAX_MEMBERS:
        raise ValueError(f"a council has at most {MAX_MEMBERS} members")
    # Text as the seed: `Random` hashes it the same way in every process, unlike `hash`.
    Random(f"{start_value}:{reviewer}").shuffle(shown)  # noqa: S311 - an order, no secret
    return tuple((Letter(letter), seat) for letter, seat in zip(ascii_uppercase, shown, strict=False))


def number_reviewers(reviewers: Sequence[Seat], start_value: int) -> dict[Seat, int]:
    """Number the reviewers from 1, the same way for every member of one council."""
    order = sorted(set(reviewers))
    Random(f"{start_value}:reviewers").shuffle(order)  # noqa: S311 - an order, no secret
    return {reviewer: number for number, reviewer in enumerate(order, 1)}
