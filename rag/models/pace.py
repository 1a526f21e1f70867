"""How long the calls of each role usually take: what a layer that may be left out is not waited for.

A layer that only improves an answer must not keep its reader waiting for a model that hangs, but a slow
machine is no fault. So what is too long is told from the role's own calls, not from a fixed number.
"""

from __future__ import annotations

import math
from collections import defaultdict, deque

_REMEMBERED = 30
_FEWEST = 5
_USUAL_SHARE = 0.9
_MOST_GROWTH = 3.0


class Pace:
    """Remembers the seconds of the latest calls of each role; one for all questions of a process."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))
        self._answered: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))

    def record(self, role: str, seconds: float) -> None:
        """Remember a call that was answered."""
        self._seconds[role].append(seconds)
        self._answered[role].append(seconds)

    def give_up(self, role: str, seconds: float) -> None:
        """Remember a call that was not answered in `seconds`.

        It counts with them, because the machine may have become slower, but with no more than a few times
        the slowest call that was answered: a model that hangs would be waited for ever longer.
        """
        slowest = max(self._answered[role], default=seconds)
        self._seconds[role].append(min(seconds, _MOST_GROWTH * slowest))

    def usual(self, role: str) -> float | None:
        """Seconds in which nine of ten calls of `role` ended; None as long as too few are known.

        Not the median: half of all calls take longer than that, on a slow machine by much.
        """
        known = sorted(self._seconds[role])
        if len(known) < _FEWEST:
            return None
        return known[math.ceil(_USUAL_SHARE * len(known)) - 1]
