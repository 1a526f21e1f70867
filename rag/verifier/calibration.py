"""Turns a reader's scores into probabilities, by logistic functions fitted on data of others. Pure.

`bench/reader/calibrate.py` fits the numbers of `files/calibration.json` and says on which sets.
"""

from __future__ import annotations

import json
import math
from functools import cache
from pathlib import Path
from typing import Final

import numpy as np

from rag.verifier.spans import Scores, span_scores

_LEAST: Final = 1e-4
_FILE: Final = Path(__file__).parent / "files" / "calibration.json"


@cache
def _weights() -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = json.loads(_FILE.read_text())
    return found


def coverage_features(scores: Scores, rank: int) -> dict[str, float]:
    """Return what tells whether a passage answers, by name; `rank` is its place in the search, from 0."""
    if not len(scores.start):
        return {"covers": -9.0, "evidence": -9.0, "peak": 0.0, "rank": float(rank)}
    spans = span_scores(scores)
    return {
        "covers": scores.covers,
        "evidence": float(scores.evidence.max()),
        "peak": float(spans.max()),
        "rank": math.log1p(rank),
    }


def probability_covered(scores: Scores, rank: int) -> float:
    """Return the probability that a passage answers the question, from reading and retrieval, 0-1."""
    return _logistic("covers", coverage_features(scores, rank))


def carrying_features(share: float) -> dict[str, float]:
    """Return what tells whether a passage carries a text, by name; for `share` see `spans.share`."""
    inside = min(max(share, _LEAST), 1.0 - _LEAST)
    return {"share": math.log(inside / (1.0 - inside))}


def probability_carried(share: float) -> float:
    """Return the probability that a passage answers a question with the words of a text, 0-1."""
    return _logistic("carries", carrying_features(share))


def _logistic(name: str, features: dict[str, float]) -> float:
    weights = _weights()[name]
    value = weights["bias"] + sum(weights.get(key, 0.0) * one for key, one in features.items())
    return 1.0 / (1.0 + math.exp(-float(np.clip(value, -30.0, 30.0))))
