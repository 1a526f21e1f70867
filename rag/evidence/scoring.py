"""Two questions about a draft, each answered by a small logistic model over the signals.

- *supported*: do the passages support what the draft claims?
- *common*: does common knowledge answer the question, so that the corpus need not?

The weights are data (``weights.json``), written by ``bench/fit_evidence.py``; products of signals are spelled
``a*b``, and ``!a`` is one minus the signal. There are few weights, and each has a meaning, so an engineer can
question every one of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

Query = Literal["supported", "common"]
Weights = Mapping[Query, Mapping[str, float]]
"""For each question, the weight of every feature and of the ``bias``."""

FEATURES: dict[Query, tuple[str, ...]] = {
    "supported": (
        "supported", "supported*anchored", "supported*nearness", "nearness", "anchored",
        "has_fact*!supported", "lacking", "absent", "claims", "supported*echo", "supported*relevance",
        "echo*relevance",
    ),
    "common": ("covered", "task", "relevance", "echo", "length"),
}  # fmt: skip


def features(query: Query, signals: Mapping[str, float]) -> list[float]:
    """Return the values of a question's features, in the order of `FEATURES`."""
    return [math.prod(_values(name, signals)) for name in FEATURES[query]]


def preload() -> None:
    """Load the weights, so that the first evaluation does not wait for them; blocking."""
    _load_weights()


def probability(query: Query, signals: Mapping[str, float], weights: Weights | None = None) -> float:
    """Return how probable it is, 0-1, that the answer is yes; None for `weights` means the shipped ones."""
    known = (_load_weights() if weights is None else weights)[query]
    total = known["bias"] + sum(
        known[name] * value for name, value in zip(FEATURES[query], features(query, signals), strict=True)
    )
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


def _values(name: str, signals: Mapping[str, float]) -> Iterable[float]:
    for factor in name.split("*"):
        yield 1.0 - signals[factor[1:]] if factor.startswith("!") else signals[factor]


@cache
def _load_weights() -> Weights:
    weights: Weights = json.loads(Path(__file__).with_name("weights.json").read_text(encoding="utf-8"))
    return weights
