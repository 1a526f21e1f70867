"""Confidence bounds for shares of small counts; pure."""

from __future__ import annotations

from math import comb

_STEPS = 60


def upper_bound(times: int, count: int, confidence: float = 0.95) -> float:
    """Upper confidence bound of a share (Clopper-Pearson).

    Args:
        times: Number of occurrences.
        count: Number of cases.
        confidence: 0-1; the bound is one-sided.

    Returns:
        A share, 0-1; 1 if there are no cases.
    """
    if times >= count:
        return 1.0
    low, high = times / count, 1.0
    for _ in range(_STEPS):
        middle = (low + high) / 2
        if _at_most(times, count, middle) > 1.0 - confidence:
            low = middle
        else:
            high = middle
    return high


def _at_most(times: int, count: int, share: float) -> float:
    """Probability of at most this many occurrences."""
    return sum(comb(count, k) * share**k * (1.0 - share) ** (count - k) for k in range(times + 1))
