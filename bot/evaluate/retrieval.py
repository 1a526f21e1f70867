"""Quality of the search: words alone, vectors alone and their fusion, from one search per question."""

from __future__ import annotations

import math
import time
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Literal, get_args

from bot.evaluate import figures, gold
from bot.evaluate.rows import LabelledQuestion, Malformed
from rag.knowledge.search import Hit, KnowledgeBase
from rag.language.detect import detect
from rag.steps.classify import classify

Method = Literal["words", "vectors", "fusion"]
METHODS: tuple[Method, ...] = get_args(Method)

_DEPTH = 200
"""Passages that a search returns here, enough to rank each half of the fusion separately."""

_CUTS = (1, 5, 10)


@dataclass(frozen=True, slots=True)
class Found:
    """The documents found for one question, and which of them are relevant.

    Args:
        relevance: For each method, whether the first ten documents are relevant, best first.
        wanted: Number of relevant documents, as far as known.
        milliseconds: Time of the search, embedding included.
    """

    row: LabelledQuestion
    relevance: dict[Method, tuple[bool, ...]]
    wanted: int
    milliseconds: float


@dataclass(frozen=True, slots=True)
class Searched:
    """One question: searched by its last message alone and, if it has a history, also rewritten with it."""

    last_turn: Found
    with_history: Found | None = None


@dataclass(frozen=True, slots=True)
class RetrievalReport:
    """The figures of a run; rows `without_gold` name neither passages nor answers, or are unanswerable."""

    searched: tuple[Searched, ...]
    without_gold: int = 0
    malformed: tuple[Malformed, ...] = ()

    def to_json(self) -> dict[str, Any]:
        """The figures as an object for machines."""
        report = _figures([one.last_turn for one in self.searched])
        turned = [one for one in self.searched if one.with_history]
        if turned:
            # The same questions without their history, to show the gain.
            report["with_history"] = _figures([one.with_history for one in turned if one.with_history]) | {
                "without_it": _scores([one.last_turn for one in turned])
            }
        report["without_gold"] = self.without_gold
        report["malformed"] = [{"line": fault.line, "reason": fault.reason} for fault in self.malformed]
        return report


def has_gold(row: LabelledQuestion) -> bool:
    """Whether a row says where its answer is."""
    return row.kind != "unanswerable" and bool(row.passages or row.answers)


async def search_row(row: LabelledQuestion, corpus: KnowledgeBase) -> Searched:
    """Search for a question, by its last message and, if it has a history, with that too."""
    return Searched(
        await _found(row, corpus, with_history=False),
        await _found(row, corpus, with_history=True) if row.history else None,
    )


async def _found(row: LabelledQuestion, corpus: KnowledgeBase, *, with_history: bool) -> Found:
    classification = classify(row.asked(with_history=with_history), corpus)
    started = time.perf_counter()
    result = await corpus.search(classification.queries, limit=_DEPTH)
    milliseconds = (time.perf_counter() - started) * 1000
    ranked: dict[Method, list[Hit]] = {
        "words": sorted((hit for hit in result.hits if hit.word_score > 0), key=lambda hit: -hit.word_score),
        "vectors": sorted(result.hits, key=lambda hit: -hit.similarity),
        "fusion": list(result.hits),
    }
    return Found(
        row=row,
        relevance={method: _relevance(row, hits) for method, hits in ranked.items()},
        wanted=max(1, len(row.passages)),
        milliseconds=milliseconds,
    )


def _relevance(row: LabelledQuestion, hits: Sequence[Hit]) -> tuple[bool, ...]:
    """Return whether the first documents are relevant: by id or, without ids, by a passage that holds
    a gold answer. A document has the rank of its best passage.
    """
    relevant: dict[str, bool] = {}
    for hit in hits:
        source = hit.passage.source
        if row.passages:
            relevant.setdefault(source, source in row.passages)
        else:
            held = f"{hit.passage.document}\n{hit.passage.section}\n{hit.passage.text}"
            # An answer in a later passage of a document does not improve the rank of its first passage.
            relevant[source] = relevant.get(source, False) or gold.mentions(held, row.answers)
        if len(relevant) > _CUTS[-1]:
            break
    return tuple(list(relevant.values())[: _CUTS[-1]])


def _figures(found: Sequence[Found]) -> dict[str, Any]:
    languages: dict[str, list[Found]] = defaultdict(list)
    for one in found:
        languages[one.row.lang or detect(one.row.question)].append(one)
    return {
        **_scores(found),
        "by_language": {language: _scores(group) for language, group in sorted(languages.items())},
        "ms": figures.spread([one.milliseconds for one in found]),
    }


def _scores(found: Sequence[Found]) -> dict[str, Any]:
    return {
        "rows": len(found),
        "recall": {
            method: {
                str(cut): round(figures.mean([any(one.relevance[method][:cut]) for one in found]), 4)
                for cut in _CUTS
            }
            for method in METHODS
        },
        "mrr": {
            method: round(figures.mean([reciprocal_rank(one.relevance[method]) for one in found]), 4)
            for method in METHODS
        },
        "ndcg10": {
            method: round(figures.mean([gain(one.relevance[method], one.wanted) for one in found]), 4)
            for method in METHODS
        },
    }


def reciprocal_rank(relevance: Sequence[bool]) -> float:
    """One over the rank of the first relevant document, 0 if there is none."""
    return next((1.0 / rank for rank, relevant in enumerate(relevance, 1) if relevant), 0.0)


def gain(relevance: Sequence[bool], wanted: int) -> float:
    """NDCG: gain by rank over the best gain that `wanted` relevant documents could have, 0-1.

    Without ids the number of documents with the answer is unknown, so the found ones count. A search that
    returns fewer documents than there are relevant ones has missed the others.
    """
    reached = _discounted(rank for rank, relevant in enumerate(relevance, 1) if relevant)
    attainable = min(_CUTS[-1], max(wanted, sum(relevance)))
    ideal = _discounted(range(1, attainable + 1))
    return reached / ideal if ideal else 0.0


def _discounted(ranks: Iterable[int]) -> float:
    return sum(1.0 / math.log2(rank + 1) for rank in ranks)
