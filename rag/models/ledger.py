"""The costs of one question so far, its savings, and the check of its budget."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from rag import prices
from rag.errors import BudgetExhaustedError
from rag.models.tokens import estimate_prompt_tokens
from rag.settings import Budget, Prices
from rag.values import FreeLayer, ModelCall, Savings, Usage

JUDGEMENT_TOKENS = 40
"""Tokens of a judge's reply: a reason of up to 15 words in JSON. The embedded model writes 45 to 54."""


class Ledger:
    """Records the model calls of one question, and refuses the next one when the budget is spent.

    The seconds of the budget start now. Without `price_table` only the embedded model has a price.
    """

    def __init__(
        self,
        budget: Budget,
        clock: Callable[[], float] = time.monotonic,
        price_table: Prices | None = None,
    ) -> None:
        self._budget = budget
        self._clock = clock
        self._prices = price_table or Prices()
        self._started = clock()
        self._calls: list[ModelCall] = []
        self._savings = Savings()

    @property
    def calls(self) -> tuple[ModelCall, ...]:
        """Every recorded call, in order."""
        return tuple(self._calls)

    @property
    def seconds(self) -> float:
        """Seconds since the question started."""
        return self._clock() - self._started

    def check(self, in_flight: int = 0) -> int:
        """Return the number of calls that the budget allows, at least 1.

        Args:
            in_flight: Number of calls that have started and are not recorded yet.

        Raises:
            BudgetExhaustedError: Calls, tokens or seconds are used up; the error names the limit.
        """
        usage = self.usage()
        for limit, used, allowed in (
            ("calls", float(usage.calls + in_flight), float(self._budget.calls)),
            ("tokens", float(usage.tokens), float(self._budget.tokens)),
            ("seconds", self.seconds, self._budget.seconds),
        ):
            if used >= allowed:
                raise BudgetExhaustedError(limit, used, allowed)
        return self._budget.calls - usage.calls - in_flight

    def record(self, call: ModelCall) -> None:
        """Record a call, also a failed one, because it costs too."""
        self._calls.append(call)

    def save(self, layer: FreeLayer, prompt: Iterable[str]) -> None:
        """Record that a free layer decided, so that no judge read `prompt`."""
        self._savings = self._savings.plus(layer, 1, estimate_prompt_tokens(prompt) + JUDGEMENT_TOKENS)

    @property
    def savings(self) -> Savings:
        """The judge calls that were not needed so far."""
        return self._savings

    def usage(self) -> Usage:
        """Return the totals so far, overall and by role."""
        return prices.usage(self._prices, self._calls)
