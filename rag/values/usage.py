"""The cost of calls to models, and how much of it was saved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from rag.reasons import Reason


@dataclass(frozen=True, slots=True)
class ModelCall:
    """One call to a chat model, as the ledger records it.

    Args:
        model: The model as the settings name it.
        calls: Requests made: 2 if a repair request was needed.
        is_partial: It was given up: the tokens read are estimated, those written are not known.
        seat: The seat of the council that made it; empty: the model of the role.
        cut: What to say of a server that has read only a part of the prompt.
    """

    role: str
    model: str
    input_tokens: int
    output_tokens: int
    seconds: float
    calls: int = 1
    is_partial: bool = False
    seat: str = ""
    purpose: str = ""
    cut: Reason | None = None


@dataclass(frozen=True, slots=True)
class Usage:
    """Totals of model calls.

    Args:
        cost: Cost of the calls with a known price, in the currency of the price table.
        unpriced_calls: Number of calls with an unknown or partly unknown cost, because their model has no
            price or they were abandoned. If there are any, `cost` is a lower bound.
        by_seat: Totals for each seat of a council, by the step that asked.
    """

    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    seconds: float = 0.0
    cost: float = 0.0
    unpriced_calls: int = 0
    by_role: dict[str, Usage] = field(default_factory=dict)
    by_seat: dict[str, dict[str, Usage]] = field(default_factory=dict)

    @property
    def tokens(self) -> int:
        """Input and output tokens together."""
        return self.input_tokens + self.output_tokens


FreeLayer = Literal["checks", "evidence", "repairs"]
"""The layer that made a judge call unnecessary: a formal fault, the documents, or both after a repair."""

FREE_LAYERS: tuple[FreeLayer, ...] = get_args(FreeLayer)


@dataclass(frozen=True, slots=True)
class Savings:
    """Judge calls that the free layers made unnecessary, and their tokens.

    Args:
        tokens: Tokens that the judge would have read and written.
        by_layer: The same for each layer; a call counts for the layer that decided.
    """

    calls: int = 0
    tokens: int = 0
    by_layer: Mapping[FreeLayer, Savings] = field(default_factory=dict)

    def plus(self, layer: FreeLayer, calls: int, tokens: int) -> Savings:
        """Return the totals including further savings of one layer."""
        own = self.by_layer.get(layer, Savings())
        return Savings(
            self.calls + calls,
            self.tokens + tokens,
            {**self.by_layer, layer: Savings(own.calls + calls, own.tokens + tokens)},
        )
