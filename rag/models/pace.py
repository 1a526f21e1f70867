"""Learn how long calls usually take, by role and model, to limit the time of optional layers.

A layer that only improves an answer must not make the user wait for a model that hangs, but a slow machine is
not a fault. So the limit comes from earlier calls of the same role to the same model, not from a fixed
number. A slow model does not extend the limit of a fast one.
"""

from __future__ import annotations

import math
from collections import Counter, defaultdict, deque
from typing import TypeAlias

_MAX_REMEMBERED = 30
_MIN_CALLS = 5
_USUAL_SHARE = 0.9
_MAX_GROWTH = 3.0
_MAX_HALVINGS = 10

_RoleAndModel: TypeAlias = tuple[str, str]
"""A role, and its model or seat."""


class Pace:
    """Records the durations of the latest calls by role and model; one instance for the whole process."""

    def __init__(self) -> None:
        self._seconds: defaultdict[_RoleAndModel, deque[float]] = defaultdict(
            lambda: deque(maxlen=_MAX_REMEMBERED)
        )
        self._answered: defaultdict[_RoleAndModel, deque[float]] = defaultdict(
            lambda: deque(maxlen=_MAX_REMEMBERED)
        )
        self._given_up: Counter[_RoleAndModel] = Counter()

    def record(self, role: str, model: str, seconds: float) -> None:
        """Record a call that was answered."""
        self._seconds[role, model].append(seconds)
        self._answered[role, model].append(seconds)

    def give_up(self, role: str, model: str, seconds: float) -> None:
        """Record a call that was not answered within `seconds`.

        The duration counts, because the machine may have become slower, but is capped at three times the
        slowest answered call. Otherwise the limit for a model that hangs would grow without end.
        """
        self._given_up[role, model] += 1
        if answered := self._answered[role, model]:
            self._seconds[role, model].append(min(seconds, _MAX_GROWTH * max(answered)))

    def usual(self, role: str, model: str) -> float | None:
        """Return the seconds within which nine of ten calls ended; None below five calls.

        The median would not do: half of all calls take longer, on a slow machine much longer.
        """
        known = sorted(self._seconds[role, model])
        if len(known) < _MIN_CALLS:
            return None
        return known[math.ceil(_USUAL_SHARE * len(known)) - 1]

    def expected(self, role: str, model: str, at_first: float) -> float:
        """Return the seconds after which a call of `role` takes unusually long.

        With fewer than five known calls, this is three times the slowest answer of the model in any role,
        which shows the speed of its machine, or `at_first` if that is longer, because a judge reads more than
        a drafter. For a role that has never answered, `at_first` is halved after each abandoned call.

        Args:
            role: The role.
            model: The model, or the seat.
            at_first: Seconds to expect without any record.
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
        return max(at_first / 2.0 ** min(halvings, _MAX_HALVINGS), _MAX_GROWTH * slowest)
