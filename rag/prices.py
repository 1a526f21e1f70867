"""The cost of model calls. Pure: prices in, sums out.

A missing price means unknown, not zero. Calls without a price are counted separately, so that a total never
looks smaller than it is without notice.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from math import floor, log10

from rag.settings import EMBEDDED, Price, Prices
from rag.values import ModelCall, Usage

SEATED_ROLES = ("member", "chairman")

_TOKENS_PER_PRICE = 1_000_000
_FREE = Price(input=0.0, output=0.0)


def price(prices: Prices, model: str) -> Price | None:
    """Return the price of a model, or None if it is unknown. The embedded model is free."""
    return prices.models.get(model, _FREE if model == EMBEDDED else None)


def cost(prices: Prices, call: ModelCall) -> float | None:
    """Return the cost of a call in the currency of the table, or None if its model has no price.

    A call without tokens costs nothing. For an abandoned call, only the input is known.
    """
    if call.input_tokens == call.output_tokens == 0:
        return 0.0
    found = price(prices, call.model)
    if found is None:
        return None
    return (call.input_tokens * found.input + call.output_tokens * found.output) / _TOKENS_PER_PRICE


def usage(prices: Prices, calls: Iterable[ModelCall]) -> Usage:
    """Return the sums over calls, in all, by role and by seat, in the order of their first calls."""
    calls = tuple(calls)
    roles = dict.fromkeys(call.role for call in calls)
    by_role = {role: _sum(prices, [call for call in calls if call.role == role]) for role in roles}
    return replace(_sum(prices, calls), by_role=by_role, by_seat=_by_seat(prices, calls))


def _by_seat(prices: Prices, calls: tuple[ModelCall, ...]) -> dict[str, dict[str, Usage]]:
    """The sums of each seat by the step that asked; a chairman without a seat has its role's name."""
    parts: dict[str, dict[str, list[ModelCall]]] = {}
    for call in calls:
        if call.role in SEATED_ROLES:
            parts.setdefault(call.seat or call.role, {}).setdefault(call.purpose, []).append(call)
    return {
        seat: {purpose: _sum(prices, own) for purpose, own in steps.items()} for seat, steps in parts.items()
    }


def worded(spent: Usage, currency: str) -> str:
    """Return a cost in words: ``0.0021 USD``, ``at least 0.0021 USD``, or ``price unknown``."""
    if spent.unpriced_calls and not spent.cost:
        return "price unknown"
    # At least two significant digits, however small the amount is.
    places = max(2, 1 - floor(log10(spent.cost))) if spent.cost > 0 else 0
    amount = f"{spent.cost:,.{places}f}"
    return f"at least {amount} {currency}" if spent.unpriced_calls else f"{amount} {currency}"


def _sum(prices: Prices, calls: Iterable[ModelCall]) -> Usage:
    calls = tuple(calls)
    costs = [(call, cost(prices, call)) for call in calls]
    return Usage(
        calls=sum(call.calls for call in calls),
        input_tokens=sum(call.input_tokens for call in calls),
        output_tokens=sum(call.output_tokens for call in calls),
        seconds=sum(call.seconds for call in calls),
        cost=sum(amount for _, amount in costs if amount is not None),
        unpriced_calls=sum(
            call.calls for call, amount in costs if amount is None or _is_partial(prices, call)
        ),
    )


def _is_partial(prices: Prices, call: ModelCall) -> bool:
    """Return whether a call may have cost more than its known tokens."""
    return call.is_partial and price(prices, call.model) != _FREE
