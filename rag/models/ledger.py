"""What one question has cost so far, and whether it may cost more."""

from __future__ import annotations

import time
from collections.abc import Callable

from rag.errors import BudgetExhaustedError
from rag.settings import Budget
from rag.values import ModelCall, Usage


class Ledger:
    """Keeps every model call of one question and refuses the next one when the budget is used up.

    Args:
        budget: What the question may cost; its seconds run from the making of the ledger.
        clock: Monotonic seconds.
    """

    def __init__(self, budget: Budget, clock: Callable[[], float] = time.monotonic) -> None:
        self._budget = budget
        self._clock = clock
        self._started = clock()
        self._calls: list[ModelCall] = []

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every recorded call, in order."""
        return tuple(self._calls)

    @property
    def seconds(self) -> float:
        """Seconds since the question started."""
        return self._clock() - self._started

    def check(self) -> None:
        """Let the next call through.

        Raises:
            BudgetExhaustedError: calls, tokens or seconds are used up; the error names which.
        """
        usage = self.usage()
        for limit, used, allowed in (
            ("calls", float(usage.calls), float(self._budget.calls)),
            ("tokens", float(usage.tokens), float(self._budget.tokens)),
            ("seconds", self.seconds, self._budget.seconds),
        ):
            if used >= allowed:
                raise BudgetExhaustedError(limit, used, allowed)

    def record(self, call: ModelCall) -> None:
        """Write a call down; failed calls belong here too, because they cost as well."""
        self._calls.append(call)

    def usage(self) -> Usage:
        """The sums so far, in all and by role."""
        roles = dict.fromkeys(call.role for call in self._calls)
        return _sum(
            self._calls,
            {role: _sum([call for call in self._calls if call.role == role], {}) for role in roles},
        )


def _sum(calls: list[ModelCall], by_role: dict[str, Usage]) -> Usage:
    return Usage(
        calls=sum(call.calls for call in calls),
        input_tokens=sum(call.input_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
        by_role=by_role,
    )
