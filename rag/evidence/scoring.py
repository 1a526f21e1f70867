"""Four questions about a draft, each answered by a small logistic model over the signals.

- *supported*: do the passages support what the draft claims?
- *off_topic*: is the draft about something other than the question?
- *common*: does common knowledge answer the question, so that the corpus need not?
- *unambiguous*: does the draft fill the gap that the question leaves in the passages, beyond doubt?

The weights are data (``weights.json``), written by ``bench/fit_evidence.py`` and, those of the last question,
by ``bench/fit_unambiguous.py``; products of signals are spelled ``a*b``, and ``!a`` is one minus the signal.
There are few weights, and each has a meaning, so an engineer can question every one of them.
"""

from __future__ import annotations

import json
import math
from collections.abc import Iterable, Mapping
from functools import cache
from pathlib import Path
from typing import Literal

Query = Literal["supported", "off_topic", "common", "unambiguous"]
Weights = Mapping[Query, Mapping[str, float]]
"""For each question, the weight of every feature and of the ``bias``; ``bias ru`` replaces it in Russian."""

FEATURES: dict[Query, tuple[str, ...]] = {
    "supported": (
        "supported", "supported*anchored", "supported*nearness", "nearness", "anchored", "no_claim",
        "has_fact*!supported", "lacking", "absent", "claims", "asks_amount*!has_fact",
        "bare_fact*!asks_amount", "supported*echo", "supported*relevance",
        "supported*unknown", "supported*dense", "echo*relevance",
        "rivalled", "strange_names", "familiar", "familiar*anchored", "supported*pivot",
    ),
    "off_topic": (
        "relevance", "echo", "claims", "words", "supported", "nearness", "task", "has_fact", "opened",
    ),
    "common": (
        "covered", "dense", "covered*dense", "task", "everyday", "names", "recent", "ours", "relevance",
        "echo", "length", "unknown", "asks_amount*!has_fact", "bare_fact*!asks_amount",
    ),
    "unambiguous": (
        "slot_held", "slot_spoken", "slot_lead", "slot_leads", "slot_lead_of_all", "slot_first",
        "slot_clause", "slot_near", "slot_pivot", "slot_nearest", "slot_rival", "slot_rivals",
        "slot_touched", "slot_before", "slot_behind", "slot_spread", "slot_filling", "slot_choice",
        "asks_who*slot_number", "asks_count*!slot_number", "asks_count*slot_year",
        "asks_when*!slot_number", "asks_when*slot_year",
        "slot_leads*slot_near", "slot_leads*slot_held", "slot_lead*slot_held",
        "slot_held*slot_near", "slot_lead*slot_near", "slot_first*slot_leads", "supported*slot_leads",
        "slot_number*slot_nearest", "slot_name*slot_nearest",
        "relevance", "supported", "anchored", "rivalled", "unknown",
    ),
}  # fmt: skip


def features(query: Query, signals: Mapping[str, float]) -> list[float]:
    """Return the values of a question's features, in the order of `FEATURES`."""
    return [math.prod(_values(name, signals)) for name in FEATURES[query]]


def preload() -> None:
    """Load the weights, so that the first evaluation does not wait for them; blocking."""
    _load_weights()


def probability(
    query: Query, signals: Mapping[str, float], weights: Weights | None = None, *, language: str = ""
) -> float:
    """Return how probable it is, 0-1, that a question about a draft is answered by yes.

    Args:
        query: The question about the draft.
        signals: The measured signals.
        weights: The weights; default: the shipped ones.
        language: ISO 639-1 code of the question's language. A language without a bias of its own has the
            general one.
    """
    known = (_load_weights() if weights is None else weights)[query]
    total = known.get(f"bias {language}", known["bias"]) + sum(
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
