"""Matches of queries in one generation: what words find, and what vectors find."""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from rag.knowledge import fusion, words
from rag.knowledge.embedder import Vectors
from rag.knowledge.generation import Generation
from rag.knowledge.scope import Scope
from rag.knowledge.vectors import VectorHit
from rag.language.detect import detect
from rag.language.recent_texts import cache_recent
from rag.language.scripts import dominant_script
from rag.language.words import content_terms, query_terms
from rag.values import PassageId

_DEPTH = 100
"""Maximum passages that each search contributes to the fusion."""

_PAIR_LANGUAGES = 2

KNOWN_LANGUAGE = 0.4
"""Weight of the vectors, 0-1, for a language that the embedding knows."""

_RELATED = 0.1
"""The same for other languages in Latin script with an English embedding; names and loan words help it."""


@dataclass(frozen=True, slots=True)
class View:
    """A snapshot of the knowledge base, and what is looked for in it.

    Args:
        vectors: Vectors of the queries, shape (queries, dimension); None: search by words only.
        scope: The passages that may be found; None: all.
    """

    connection: sqlite3.Connection
    generation: Generation
    vectors: Vectors | None
    scope: Scope | None = None

    @property
    def passages(self) -> int:
        """Number of passages that may be found."""
        return self.generation.passages if self.scope is None else len(self.scope.passages)

    @property
    def share(self) -> float:
        """Share of all passages that may be found, above 0."""
        return max(self.passages, 1) / max(self.generation.passages, 1)


def find_matches(
    view: View,
    queries: Sequence[str],
    limit: int,
    exclude: set[PassageId],
    nearest: Callable[[Vectors, int], list[VectorHit]],
) -> list[fusion.Found]:
    """The results of words and vectors for each query; `nearest` returns at most as many as asked for."""
    depth = max(_DEPTH, limit) + len(exclude)
    found: list[fusion.Found] = []
    for position, query in enumerate(queries):
        terms = query_terms(query, view.generation.characters)
        telling = view.generation.vocabulary.telling(terms, math.ceil(depth / view.share))
        by_words = words.search(
            view.connection,
            telling,
            depth,
            _bonuses(query, view.generation),
            None if view.scope is None else view.scope.numbers.__contains__,
        )
        meaning = meaning_weight(view.generation.state.embedding, query)
        vector = None if view.vectors is None or not meaning else view.vectors[position]
        near = [] if vector is None else nearest(vector, depth)
        by_meaning = [hit for hit in near if hit.id not in exclude]
        own = query_terms(query)
        weights = view.generation.vocabulary.weights(terms, own)
        found.append(
            fusion.Found(
                words={hit.id: hit.score for hit in by_words if hit.id not in exclude},
                similarities={hit.id: hit.similarity for hit in by_meaning},
                meaning=meaning,
                ordinary=_ordinary(by_meaning, max(0, view.passages - len(exclude))),
                telling=view.generation.vocabulary.telling_score(own),
                reach=by_words[0].share(weights) if by_words else 0.0,
            )
        )
    return found


@cache_recent  # the probe and the retrieval use the same question
def meaning_weight(embedding: str, query: str) -> float:
    """Weight of a query's vector, 0-1; 0 when the embedding does not know its language."""
    script = dominant_script(query)
    if embedding != "minilm" or not script:
        return KNOWN_LANGUAGE
    if script != "Latin":
        return 0.0
    return KNOWN_LANGUAGE if detect(query) == "en" else _RELATED


def _bonuses(query: str, generation: Generation) -> dict[tuple[str, str], float]:
    """Bonuses for neighbouring words of a question, stemmed as in the corpus' main languages."""
    bonuses: dict[tuple[str, str], float] = {}
    for language in itertools.islice(generation.characters, _PAIR_LANGUAGES):
        bonuses.update(generation.vocabulary.bonuses(content_terms(query, language)))
    return bonuses


def _ordinary(nearest: Sequence[VectorHit], passages: int) -> float:
    """Similarity of an unrelated passage: one far down the list, but at most half-way.

    It must not depend on how many passages were requested. Half of three are versions of one policy, so some
    imaginary passages are counted in; missing ones count as 0.
    """
    rank = min(_DEPTH, (passages + words.UNSEEN_PASSAGES) // 2 + 1)
    return nearest[rank - 1].similarity if rank <= len(nearest) else 0.0
