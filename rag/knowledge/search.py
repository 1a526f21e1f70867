"""The open knowledge base: questions in, passages out.

Every search sees one generation of the documents. When another process has indexed a new one, the next
search loads it; nothing has to be restarted.
"""

from __future__ import annotations

import asyncio
import math
import sqlite3
import threading
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Self, TypeVar

import structlog

from rag.errors import KnowledgeError, ModelError
from rag.knowledge import fusion
from rag.knowledge.asked_languages import AskedLanguages
from rag.knowledge.catalog import find_changed
from rag.knowledge.embedder import Vectors
from rag.knowledge.embeddings import open_embedder
from rag.knowledge.embeddings.recent import RecentVectors
from rag.knowledge.fusion import Found
from rag.knowledge.generation import Generation, read_document, read_placed_passages
from rag.knowledge.matching import View, find_matches, meaning_weight
from rag.knowledge.scope import Scope
from rag.knowledge.selection import PlacedPassage, parts, select
from rag.knowledge.store import State, Store, read_state
from rag.knowledge.upkeep import ChromaUpkeep
from rag.knowledge.vectors import ExactVectors, VectorHit
from rag.reasons import Reason
from rag.settings import Knowledge, Models
from rag.values import DocumentSet, Passage, PassageId

_CANDIDATES_PER_PASSAGE = 4  # some are dropped as near-duplicates or as too long

_REMEMBERED = 64
"""Look-ups that are kept, because the probe and the retrieval after it ask the same."""

_SCOPES = 16
"""Document sets whose passages are remembered."""

_SPARE = 1.5
"""More of the vector index than the share of a document set asks for, because sets are not spread evenly."""

_MOST_ASKED = 1000
"""Passages asked of the vector index; for a set that needs more, comparing all vectors is as fast."""

_CARRIED_WEIGHT = 0.3
"""Score of the previous turn's best passage; a clear hit scores more."""

_WITHOUT_DOCUMENTS = "multilingual"  # for texts in any language, as long as there is no corpus to choose by

_log = structlog.get_logger(__name__)

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Hit:
    """A passage that was found.

    Args:
        passage: The passage; its `score` is the fused one, 0-1.
        similarity: Cosine between the first query and the passage; 0 when it is not among the nearest.
        word_score: BM25 score for the first query; 0 when no word was found.
    """

    passage: Passage
    similarity: float
    word_score: float


@dataclass(frozen=True, slots=True)
class SearchResult:
    """Hits in fused order, best first."""

    hits: tuple[Hit, ...]


@dataclass(frozen=True, slots=True)
class Stats:
    """Figures of the knowledge base: counts, the embedding's name, languages by their share of the text."""

    documents: int
    chunks: int
    generation: int
    embedding: str
    languages: dict[str, float]


@dataclass(slots=True)
class _Memory:
    """What a knowledge base and its parts (`KnowledgeBase.within`) have in memory together."""

    generation: Generation
    exact: tuple[int, ExactVectors] | None = None
    embedders: dict[str, RecentVectors] = field(default_factory=dict)
    scopes: dict[object, Scope] = field(default_factory=dict)
    found: dict[object, list[Found]] = field(default_factory=dict)
    lock: threading.Lock = field(default_factory=threading.Lock)

    def remember(self, known: dict[object, T], key: object, most: int, make: Callable[[], T]) -> T:
        """Return the value of a key; make it if it is not one of the latest `most`."""
        with self.lock:
            value = known.pop(key, None)
        value = make() if value is None else value
        with self.lock:
            known[key] = value
            if len(known) > most:
                known.pop(next(iter(known)))
        return value


@dataclass(frozen=True, eq=False, repr=False)
class KnowledgeBase:
    """Searches by words and meaning; safe for concurrent tasks.

    Raises:
        KnowledgeError: A method finds the database unreadable, or with vectors of another embedding.
    """

    _store: Store
    _settings: Knowledge
    _models: Models
    _upkeep: ChromaUpkeep | None
    _asked: AskedLanguages | None
    _memory: _Memory
    _documents: DocumentSet | None = None

    @classmethod
    def open(
        cls,
        data_dir: Path,
        settings: Knowledge,
        models: Models,
        *,
        use_chroma: bool = True,
        asked: AskedLanguages | None = None,
    ) -> Self:
        """Open the knowledge base in a data folder; blocking, up to a second.

        Args:
            data_dir: The data folder; an empty folder means an empty knowledge base.
            use_chroma: Build the Chroma index in the background; without it search is exact.
            asked: Notes the languages of questions; None in a measurement, so that it can be repeated.

        Raises:
            KnowledgeError: The database cannot be used, or was indexed with another embedding.
            OperatorError: The embedding cannot be loaded.
        """
        store = Store(data_dir)
        try:
            upkeep = ChromaUpkeep(store, data_dir) if use_chroma else None
            with store.reading() as connection:
                memory = _Memory(Generation.read(connection))
            base = cls(store, settings, models, upkeep, asked, memory)
            base._accept(memory.generation)
        except BaseException:
            store.close()
            raise
        return base

    def close(self) -> None:
        """Stop the background work and close the files."""
        if self._upkeep is not None:
            self._upkeep.close()
        self._store.close()

    def wait_for_chroma(self, seconds: float) -> bool:
        """Wait until the Chroma index is complete, and return whether it is. Searching does not need it."""
        return self._upkeep is not None and self._upkeep.wait(seconds)

    def refresh(self) -> None:
        """Load a new generation now, instead of with the next search; blocking."""
        with self._store.reading() as connection:
            self._generation_of(connection)

    @property
    def _generation(self) -> Generation:
        return self._memory.generation

    @property
    def is_empty(self) -> bool:
        """Whether there was no passage at all at the last search, inside of a document set or not."""
        return not self._generation.passages

    @property
    def main_language(self) -> str:
        """Language of at least 90 % of the text, as ISO 639-1 code; English if there is no such language."""
        return self._generation.main_language

    def stats(self) -> Stats:
        """The figures of the knowledge base at the last search."""
        generation = self._generation
        total = sum(generation.characters.values()) or 1
        return Stats(
            documents=generation.documents,
            chunks=generation.passages,
            generation=generation.state.generation,
            embedding=generation.state.embedding,
            languages={code: length / total for code, length in generation.characters.items()},
        )

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return how rare index terms are in the corpus, 0 (everywhere) to 1 (nowhere)."""
        return self._generation.vocabulary.rarity(terms)

    def knows(self, text: str) -> bool:
        """Whether the embedding knows the language of a text; otherwise its vectors are meaningless."""
        return meaning_weight(self._generation.state.embedding, text) > 0.0

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, to compare with passages, shape (len(texts), dimension); raises `ModelError`."""
        return await asyncio.to_thread(self._embedder(self._generation.state).embed, texts)

    def within(self, documents: DocumentSet) -> Self:
        """This knowledge base with some of its documents only; sets are not combined.

        Whoever searches it finds no other passage, so no step of the loop can forget the filter. How rare a
        word is and which languages the embedding knows are properties of the whole, and show no document.
        """
        return replace(self, _documents=documents)

    async def search(
        self, queries: Sequence[str], limit: int = 20, exclude: Collection[PassageId] = ()
    ) -> SearchResult:
        """Find passages; the first query weighs most."""
        return await asyncio.to_thread(self._search, queries, limit, parts(exclude))

    async def retrieve(
        self,
        queries: Sequence[str],
        *,
        carried: Sequence[Passage] = (),
        exclude: Collection[PassageId] = (),
    ) -> tuple[Passage, ...]:
        """Find passages for a model to read: without near-duplicates, neighbours joined, cut to the budget.

        Also considered are those of the previous turn in `carried`, best first.
        """
        return await asyncio.to_thread(self._retrieve, queries, carried, parts(exclude))

    async def document(self, key: str) -> tuple[Passage, ...]:
        """The stored passages of one document by its key, in order; empty for one that is not there."""
        return await asyncio.to_thread(self._document, key)

    async def find_changed(self, documents: Collection[str]) -> frozenset[str]:
        """The keys of those documents whose files are not as they were read."""
        return await asyncio.to_thread(self._find_changed, documents)

    def _find_changed(self, documents: Collection[str]) -> frozenset[str]:
        with self._store.reading() as connection:
            return find_changed(connection, documents, self._store.path.parent)

    def _document(self, key: str) -> tuple[Passage, ...]:
        with self._view(()) as view:
            passages = read_document(view.connection, key)
            return tuple(one for one in passages if view.scope is None or one.id in view.scope.passages)

    def _search(self, queries: Sequence[str], limit: int, exclude: set[PassageId]) -> SearchResult:
        with self._view(queries) as view:
            found = self._find(view, queries, limit, exclude)
            scores = fusion.fuse(found)
            best = fusion.ranked(scores)[:limit]
            placed = read_placed_passages(view.connection, best)
        if queries and self._asked is not None and view.generation.passages:
            self._asked.note(queries[0], view.generation.state.embedding)
        return SearchResult(
            tuple(
                Hit(
                    passage=replace(placed[passage].passage, score=scores[passage]),
                    similarity=found[0].similarities.get(passage, 0.0),
                    word_score=found[0].words.get(passage, 0.0),
                )
                for passage in best
                if passage in placed
            )
        )

    def _retrieve(
        self, queries: Sequence[str], carried: Sequence[Passage], exclude: set[PassageId]
    ) -> tuple[Passage, ...]:
        count = self._settings.top_k * _CANDIDATES_PER_PASSAGE
        with self._view(queries) as view:
            scores = fusion.fuse(self._find(view, queries, count, exclude))
            for position, passage in enumerate(carried):
                for part in parts([passage.id]) - exclude:
                    if view.scope is not None and part not in view.scope.passages:
                        continue
                    scores[part] = scores.get(part, 0.0) + _CARRIED_WEIGHT * (1 - position / len(carried))
            best = fusion.ranked(scores)[: count + len(carried)]
            placed = read_placed_passages(view.connection, best)
        ordered = [
            PlacedPassage(replace(placed[passage].passage, score=scores[passage]), placed[passage].ordinal)
            for passage in best
            if passage in placed
        ]
        return select(ordered, self._settings.top_k, self._settings.passage_budget_tokens)

    def _find(self, view: View, queries: Sequence[str], limit: int, exclude: set[PassageId]) -> list[Found]:
        asked = (view.vectors is None, (*queries,), limit, frozenset(exclude), self._documents)
        return self._memory.remember(
            self._memory.found,
            (view.generation.state, *asked),
            _REMEMBERED,
            lambda: find_matches(view, queries, limit, exclude, partial(self._nearest, view)),
        )

    @contextmanager
    def _view(self, queries: Sequence[str]) -> Iterator[View]:
        # Outside of the transaction, because an embedding server may be slow.
        state = self._generation.state
        vectors = self._query_vectors(state, queries)
        with self._store.reading() as connection:
            generation = self._generation_of(connection)
            if generation.state.fingerprint != state.fingerprint:
                vectors = self._query_vectors(generation.state, queries)
            documents, scope = self._documents, None
            if documents is not None:
                key = (generation.state.generation, documents)
                read = partial(Scope.read, connection, documents)
                scope = self._memory.remember(self._memory.scopes, key, _SCOPES, read)
            yield View(connection, generation, vectors, scope)

    def _generation_of(self, connection: sqlite3.Connection) -> Generation:
        """The generation that this connection sees; loaded again after another process has made a new one."""
        number = read_state(connection).generation
        with self._memory.lock:
            if number == self._generation.state.generation:
                return self._generation
        generation = Generation.read(connection)
        self._accept(generation)
        with self._memory.lock:
            if number > self._generation.state.generation:
                self._memory.generation = generation
        return generation

    def _accept(self, generation: Generation) -> None:
        """Refuse a generation whose vectors cannot be compared with ours; prepare to use any other."""
        state = generation.state
        if not generation.passages:
            return
        if self._settings.embedding not in {"auto", state.embedding}:
            raise KnowledgeError(
                Reason("embedding-changed", {"indexed": state.embedding, "wanted": self._settings.embedding})
            )
        if self._embedder(state).embedder.fingerprint != state.fingerprint:
            raise KnowledgeError(Reason("embedding-version", {"embedding": state.embedding}))
        if self._upkeep is not None:
            self._upkeep.want(state.generation)

    def _embedder(self, state: State) -> RecentVectors:
        name = state.embedding or (
            _WITHOUT_DOCUMENTS if self._settings.embedding == "auto" else self._settings.embedding
        )
        with self._memory.lock:
            if name not in self._memory.embedders:
                self._memory.embedders[name] = RecentVectors(open_embedder(name, self._models))
            return self._memory.embedders[name]

    def _query_vectors(self, state: State, queries: Sequence[str]) -> Vectors | None:
        try:
            return self._embedder(state).embed(queries)
        except ModelError as error:
            _log.warning("no embedding, searching by words only", reason=str(error))
            return None

    def _nearest(self, view: View, vector: Vectors, limit: int) -> list[VectorHit]:
        state, scope = view.generation.state, view.scope
        index = None if self._upkeep is None else self._upkeep.index_of(state.generation)
        # The index knows no documents: it is asked for more, and what is left must be as much as was wanted.
        asked = limit if scope is None else math.ceil(_SPARE * limit / view.share)
        if index is not None and asked <= _MOST_ASKED:
            try:
                found = index.nearest(vector, asked)
            except KnowledgeError as error:
                _log.warning("chroma search failed, searching exactly", reason=str(error))
            else:
                hits = found if scope is None else [hit for hit in found if hit.id in scope.passages]
                if scope is None or len(hits) >= min(limit, len(scope.passages)):
                    return hits[:limit]
        with self._memory.lock:
            if self._memory.exact is None or self._memory.exact[0] != state.generation:
                self._memory.exact = (
                    state.generation,
                    ExactVectors.read(view.connection, state.fingerprint),
                )
            exact = self._memory.exact[1]
        return exact.nearest(vector, limit, None if scope is None else scope.rows(exact.ids))
