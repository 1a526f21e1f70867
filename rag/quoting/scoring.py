"""Two questions about pieces of passages, answered by small models over their signals.

- *ranking*: which of them answers the question? A softmax over the pieces.
- *carried*: does the best one answer the question at all? A logistic model of the best piece's signals.

Each has weights for words alone and weights for words and meaning, since an embedding may be away.

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
    """Read the weights; blocking."""
    _in_hand()


def value(query: Query, signals: Mapping[str, float], weights: Weights | None = None) -> float:
    """The weighted sum of a piece's signals; without weights, by the file's."""
    known = (_in_hand() if weights is None else weights)[query]
    return known.get("bias", 0.0) + sum(known[name] * signals[name] for name in FEATURES[query])


def shares(values: Sequence[float]) -> list[float]:
    """The softmax of some values: shares that add up to 1."""
    highest = max(values, default=0.0)
    powers = [math.exp(one - highest) for one in values]
    whole = sum(powers)
    return [power / whole for power in powers]


def chance(total: float) -> float:
    """The logistic function, 0-1."""
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@cache
def _in_hand() -> Weights:
    weights: Weights = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return weights
