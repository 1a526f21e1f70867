"""Small models that rank pieces of passages by their signals.

- *ranking*: which piece answers the question? A softmax over the pieces.
- *carried*: does the best piece answer the question at all? A logistic model of its signals.

Each has weights for words alone and for words and meaning, because an embedding may be unavailable.

The weights are data (``weights.json``), written by ``bench/sentences.py``.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Literal

Query = Literal["words", "meaning", "carried_words", "carried_meaning"]
Weights = Mapping[Query, Mapping[str, float]]

_RANKING = ("window", "telling_context", "letters", "score", "gives_name", "gives_nothing")
_CARRIED = ("context", "telling_context", "unknown", "unsaid", "gives_nothing", "choice", "margin")
FEATURES: dict[Query, tuple[str, ...]] = {
    "words": _RANKING,
    "meaning": (*_RANKING, "similarity"),
    "carried_words": _CARRIED,
    "carried_meaning": (*_CARRIED, "similarity"),
}


def preload() -> None:
    """Load the weights; blocking."""
    _load_weights()


def value(query: Query, signals: Mapping[str, float], weights: Weights | None = None) -> float:
    """Return the weighted sum of a piece's signals, with the shipped weights by default."""
    known = (_load_weights() if weights is None else weights)[query]
    return known.get("bias", 0.0) + sum(known[name] * signals[name] for name in FEATURES[query])


def softmax(values: Sequence[float]) -> list[float]:
    """Return the softmax of values: shares that add up to 1."""
    highest = max(values, default=0.0)
    powers = [math.exp(one - highest) for one in values]
    whole = sum(powers)
    return [power / whole for power in powers]


def logistic(total: float) -> float:
    """Return the logistic function of a value, 0-1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def _load_weights() -> Weights:
    weights: Weights = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return weights
