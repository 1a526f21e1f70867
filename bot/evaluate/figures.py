"""Small calculations that every report needs; pure."""

from __future__ import annotations

import math
from collections.abc import Sequence


def mean(values: Sequence[float]) -> float:
    """Return the mean of values; 0 for no values."""
    return sum(values) / len(values) if values else 0.0


def percentile(values: Sequence[float], share: float) -> float:
    """Return the value below which a share (0-1) of the values lies, by nearest rank; 0 for no values."""
    if not values:
        return 0.0
    return sorted(values)[max(0, math.ceil(share * len(values)) - 1)]


def spread(values: Sequence[float]) -> dict[str, float]:
    """Return median and 95th percentile under the names that reports print."""
    return {"p50": round(percentile(values, 0.5), 2), "p95": round(percentile(values, 0.95), 2)}
