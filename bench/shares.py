"""Shares of small counts, and how bad they may really be; pure."""

from __future__ import annotations

from math import comb

_STEPS = 60


def upper_bound(times: int, count: int, confidence: float = 0.95) -> float:
    """The highest true share under which so few would still be seen with some likelihood (Clopper-Pearson).

    Args:
        times: How often it was seen.
        count: Of how many.
        confidence: 0-1; the bound is one-sided.

    Returns:
        A share, 0-1; 1 when nothing was looked at.
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
    """How likely it is to see something at most so often."""
    return sum(comb(count, k) * share**k * (1.0 - share) ** (count - k) for k in range(times + 1))
