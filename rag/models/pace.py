"""How long the calls of each role usually take: what a layer that may be left out is not waited for.

A layer that only improves an answer must not keep its reader waiting for a model that hangs, but a slow
machine is no fault. So what is too long is told from the role's own calls, not from a fixed number.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque

_REMEMBERED = 30
_FEWEST = 5
_USUAL_SHARE = 0.9
_MOST_GROWTH = 3.0
_MOST_HALVINGS = 10


class Pace:
    """Remembers the seconds of the latest calls of each role; one for all questions of a process."""

    def __init__(self) -> None:
        self._seconds: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))
        self._answered: defaultdict[str, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))
        self._given_up: Counter[str] = Counter()

    def record(self, role: str, seconds: float) -> None:
        """Remember a call that was answered."""
        self._seconds[role].append(seconds)
        self._answered[role].append(seconds)

    def give_up(self, role: str, seconds: float) -> None:
        """Remember a call that was not answered in `seconds`.

        It counts with them, because the machine may have become slower, but with no more than a few times
        the slowest call that was answered: a model that hangs would be waited for ever longer.
        """
        self._given_up[role] += 1
        if answered := self._answered[role]:
            self._seconds[role].append(min(seconds, _MOST_GROWTH * max(answered)))

    def usual(self, role: str) -> float | None:
        """Seconds in which nine of ten calls of `role` ended; None as long as too few are known.

        Not the median: half of all calls take longer than that, on a slow machine by much.
        """
        known = sorted(self._seconds[role])
        if len(known) < _FEWEST:
            return None
        return known[math.ceil(_USUAL_SHARE * len(known)) - 1]

    def expected(self, role: str, at_first: float) -> float:
        """Seconds after which a call of `role` takes longer than one would expect.

        As long as too few of its calls are known, that is a few times the slowest answer of any role, which
        tells how fast the machine is, or `at_first` when that is longer: a judge reads more than who drafts.
        A role that has never answered is given half of `at_first` after each call that was given up.

        Args:
            role: The role.
            at_first: Seconds to expect when nothing is known.
        """
        usual = self.usual(role)
        if usual is not None:
            return usual
        slowest = max((seconds for known in self._answered.values() for seconds in known), default=0.0)
        halvings = 0 if self._answered[role] else self._given_up[role]
        return max(at_first / 2.0 ** min(halvings, _MOST_HALVINGS), _MOST_GROWTH * slowest)
