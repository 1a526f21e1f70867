"""Merges the results of word search and vector search into one ranking; pure.

Scores are merged rather than ranks, so that a passage that is far ahead stays ahead. Each list is scaled to
0-1 (words by the best score, similarities between the best one and that of an unrelated passage). Then it is
weighted by how far its search can be trusted for this question: vectors by its language, words by how
distinctive the best match is. "How do I get it to run?" has no distinctive word; a name and a number have.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rag.values import PassageId

_QUERY_DECAY = 0.5
"""Factor by which each further query weighs less than the one before it."""


@dataclass(frozen=True, slots=True)
class Found:
    """The passages that one query found, unordered.

    Args:
        words: BM25 score by passage.
        similarities: Cosine by passage.
        meaning: Weight of the similarities, 0-1; the words get the rest.
        ordinary: Cosine of an unrelated passage.
        telling: BM25 score from which the words get their full weight.
        reach: Share of the question in the best word hit, 0-1.
    """

    words: Mapping[PassageId, float]
    similarities: Mapping[PassageId, float]
    meaning: float
    ordinary: float = 0.0
    telling: float = 0.0
    reach: float = 1.0


def fuse(found: Sequence[Found]) -> dict[PassageId, float]:
    """Score every passage that any query found, 0-1; the first query weighs most."""
    fused: dict[PassageId, float] = {}
    total = sum(_QUERY_DECAY**position for position in range(len(found)))
    for position, one in enumerate(found):
        weight = _QUERY_DECAY**position / total
        for passage, score in _fused_one(one).items():
            fused[passage] = fused.get(passage, 0.0) + weight * score
    return fused


def ranked(scores: Mapping[PassageId, float]) -> list[PassageId]:
    """Passages by descending score; equal scores are ordered by id, so that results are reproducible."""
    return sorted(scores, key=lambda passage: (-scores[passage], passage))


def _fused_one(one: Found) -> dict[PassageId, float]:
    # Words that match little of the question (another language, one name of a long sentence) count less.
    words_weight = (1.0 - one.meaning) * min(1.0, math.sqrt(2.0 * one.reach)) * _telling(one)
    words = _relative(one.words, 0.0)
    meanings = _relative(one.similarities, one.ordinary)
    return {
        passage: words_weight * words.get(passage, 0.0) + one.meaning * meanings.get(passage, 0.0)
        for passage in dict.fromkeys([*words, *meanings])
    }


def _telling(one: Found) -> float:
    best = max(one.words.values(), default=0.0)
    return min(1.0, math.sqrt(best / one.telling)) if one.telling > 0.0 else 1.0


def _relative(scores: Mapping[PassageId, float], floor: float) -> dict[PassageId, float]:
    """Scores between `floor` and the best one as 0-1."""
    span = max(scores.values(), default=floor) - floor
    return {
        passage: max(0.0, (score - floor) / span) if span > 0.0 else 1.0 for passage, score in scores.items()
    }
