"""What one question has cost so far, what was saved, and whether it may cost more."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable

from rag import prices
from rag.errors import BudgetExhaustedError
from rag.models.tokens import estimated_prompt_tokens
from rag.settings import Budget, Prices
from rag.values import FreeLayer, ModelCall, Savings, Usage

JUDGEMENT_TOKENS = 40
"""Tokens of a judge's reply: a reason of at most 15 words in its JSON. The embedded model writes 45 to 54."""


class Ledger:
    """Keeps every model call of one question and refuses the next one when the budget is used up.

    Args:
        budget: What the question may cost; its seconds run from the making of the ledger.
        clock: Monotonic seconds.
        price_table: What models cost; without it only the embedded one has a price.
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

    def check(self, in_flight: int = 0) -> None:
        """Let the next call through.

        Args:
            in_flight: Calls that have begun and are not recorded yet.

        Raises:
            BudgetExhaustedError: calls, tokens or seconds are used up; the error names which.
        """
        usage = self.usage()
        for limit, used, allowed in (
            ("calls", float(usage.calls + in_flight), float(self._budget.calls)),
            ("tokens", float(usage.tokens), float(self._budget.tokens)),
            ("seconds", self.seconds, self._budget.seconds),
        ):
            if used >= allowed:
                raise BudgetExhaustedError(limit, used, allowed)

    def record(self, call: ModelCall) -> None:
        """Write a call down; failed calls belong here too, because they cost as well."""
        self._calls.append(call)

    def save(self, layer: FreeLayer, prompt: Iterable[str]) -> None:
        """Write down a judge call that was not needed, because something free had decided.

        Args:
            layer: What had decided.
            prompt: The texts that the judge would have been sent.
        """
        self._savings = self._savings.plus(layer, 1, estimated_prompt_tokens(prompt) + JUDGEMENT_TOKENS)

    @property
    def savings(self) -> Savings:
        """The judge calls that were not needed so far."""
        return self._savings

    def usage(self) -> Usage:
        """The sums so far, in all and by role."""
        return prices.usage(self._prices, self._calls)
