"""How long calls usually take, by role and model: what a layer that may be left out is not waited for.

A layer that only improves an answer must not keep its reader waiting for a model that hangs, but a slow
machine is no fault. So what is too long is told from the calls of the same role to the same model, not from
a fixed number; a slow model does not lengthen the patience with a fast one.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from typing import TypeAlias

_REMEMBERED = 30
_FEWEST = 5
_USUAL_SHARE = 0.9
_MOST_GROWTH = 3.0
_MOST_HALVINGS = 10

_Calls: TypeAlias = tuple[str, str]
"""A role, and the model or seat that does it."""


class Pace:
    """Remembers the seconds of the latest calls of each role to each model; one for all work of a process."""

    def __init__(self) -> None:
        self._seconds: defaultdict[_Calls, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))
        self._answered: defaultdict[_Calls, deque[float]] = defaultdict(lambda: deque(maxlen=_REMEMBERED))
        self._given_up: Counter[_Calls] = Counter()

    def record(self, role: str, model: str, seconds: float) -> None:
        """Remember a call that was answered."""
        self._seconds[role, model].append(seconds)
        self._answered[role, model].append(seconds)

    def give_up(self, role: str, model: str, seconds: float) -> None:
        """Remember a call that was not answered in `seconds`.

        It counts with them, because the machine may have become slower, but with no more than a few times
        the slowest call that was answered: a model that hangs would be waited for ever longer.
        """
        self._given_up[role, model] += 1
        if answered := self._answered[role, model]:
            self._seconds[role, model].append(min(seconds, _MOST_GROWTH * max(answered)))

    def usual(self, role: str, model: str) -> float | None:
        """Seconds in which nine of ten calls of `role` to `model` ended; None as long as too few are known.

        Not the median: half of all calls take longer than that, on a slow machine by much.
        """
        known = sorted(self._seconds[role, model])
        if len(known) < _FEWEST:
            return None
        return known[math.ceil(_USUAL_SHARE * len(known)) - 1]

    def expected(self, role: str, model: str, at_first: float) -> float:
        """Seconds after which a call of `role` takes longer than one would expect.

        As long as too few of its calls are known, that is a few times the slowest answer of that model in any
        role, which tells how fast its machine is, or `at_first` when that is longer: a judge reads more than
        who drafts. A role that has never answered is given half of `at_first` after each call that was given
        up.

        Args:
            role: The role.
            model: The model, or the seat.
            at_first: Seconds to expect when nothing is known.
        """
        usual = self.usual(role, model)
        if usual is not None:
            return usual
        slowest = max(
            (
                seconds
                for (_, answering), known in self._answered.items()
                if answering == model
                for seconds in known
            ),
            default=0.0,
        )
        halvings = 0 if self._answered[role, model] else self._given_up[role, model]
        return max(at_first / 2.0 ** min(halvings, _MOST_HALVINGS), _MOST_GROWTH * slowest)
