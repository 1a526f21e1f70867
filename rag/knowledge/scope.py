"""Searching in some documents only: the passages of a document set, and a corpus that shows no others."""

from __future__ import annotations

import sqlite3
import threading
from collections import OrderedDict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from rag.knowledge.embedder import Vectors
from rag.values import DocumentSet, Passage, PassageId

if TYPE_CHECKING:
    from rag.knowledge.search import KnowledgeBase, SearchResult


_SCOPES = 16
"""Document sets whose passages are remembered."""


@dataclass(slots=True)
class Scope:
    """The passages of a document set in one generation.

    Args:
        passages: Their ids.
        numbers: 1 at the number of each of them, 0 at that of others.
    """

    passages: frozenset[PassageId]
    numbers: bytes
    _rows: npt.NDArray[np.intp] | None = field(default=None, repr=False)

    @classmethod
    def read(cls, connection: sqlite3.Connection, documents: DocumentSet) -> Scope:
        """Find the passages of the documents whose files belong to a set.

        A file decides, not the key of a document: rows of a JSON Lines file name themselves.
        """
        wanted = {key for (key,) in connection.execute("SELECT key FROM files") if documents.holds(key)}
        held = {key for key, file in connection.execute("SELECT key, file FROM documents") if file in wanted}
        ids: list[PassageId] = []
        numbers: list[int] = []
        for number, passage, document in connection.execute("SELECT number, id, document FROM passages"):
            if document in held:
                ids.append(PassageId(passage))
                numbers.append(number)
        flags = bytearray(max(numbers, default=-1) + 1)
        for number in numbers:
            flags[number] = 1
        return cls(frozenset(ids), bytes(flags))

    def holds_number(self, number: int) -> bool:
        """Whether the passage with this number belongs to it."""
        return number < len(self.numbers) and self.numbers[number] == 1

    def rows(self, ids: Sequence[PassageId]) -> npt.NDArray[np.intp]:
        """The rows of its passages among those of the same generation."""
        if self._rows is None:
            self._rows = np.array([row for row, one in enumerate(ids) if one in self.passages], np.intp)
        return self._rows


class RecentScopes:
    """Remembers the passages of the document sets that were searched last; thread-safe."""

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[int, DocumentSet], Scope] = OrderedDict()
        self._lock = threading.Lock()

    def find(self, connection: sqlite3.Connection, generation: int, documents: DocumentSet) -> Scope:
        """Return the passages of a document set; those that are not remembered are read from the database."""
        key = (generation, documents)
        with self._lock:
            known = self._known.get(key)
        if known is None:
            known = Scope.read(connection, documents)
        with self._lock:
            self._known[key] = known
            self._known.move_to_end(key)
            while len(self._known) > _SCOPES:
                self._known.popitem(last=False)
        return known


class ScopedCorpus:
    """A knowledge base as a question sees it that may be answered from some documents only.

    Whoever searches here finds no other passage, so no step of the loop can forget the filter. How rare a
    word is and which languages the embedding knows are properties of the whole, and show no document.

    Args:
        whole: The knowledge base.
        documents: What of it may be found.
    """

    def __init__(self, whole: KnowledgeBase, documents: DocumentSet) -> None:
        self._whole = whole
        self._documents = documents

    @property
    def is_empty(self) -> bool:
        """Whether there is no passage at all; a set without any is searched in vain."""
        return self._whole.is_empty

    @property
    def main_language(self) -> str:
        """Main language of the whole knowledge base, documents outside the set included."""
        return self._whole.main_language

    def within(self, documents: DocumentSet) -> ScopedCorpus:
        """Return the same knowledge base with another set: sets are not combined."""
        return ScopedCorpus(self._whole, documents)

    async def search(
        self, queries: Sequence[str], limit: int = 20, exclude: Collection[PassageId] = ()
    ) -> SearchResult:
        """Find passages, as `KnowledgeBase.search` does."""
        return await self._whole.search(queries, limit, exclude, self._documents)

    async def retrieve(
        self,
        queries: Sequence[str],
        *,
        carried: Sequence[Passage] = (),
        exclude: Collection[PassageId] = (),
    ) -> tuple[Passage, ...]:
        """Find passages to read, as `KnowledgeBase.retrieve` does."""
        return await self._whole.retrieve(
            queries, carried=carried, exclude=exclude, documents=self._documents
        )

    async def document(self, key: str) -> tuple[Passage, ...]:
        """The passages of one document in order, as `KnowledgeBase.document` returns them."""
        return await self._whole.document(key, self._documents)

    async def find_changed(self, documents: Collection[str]) -> frozenset[str]:
        """The keys of those documents whose files are not as they were read."""
        return await self._whole.find_changed(documents)

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (len(texts), dimension)."""
        return await self._whole.embed_texts(texts)

    def knows(self, text: str) -> bool:
        """Whether the embedding knows the language of a text."""
        return self._whole.knows(text)

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return how rare index terms are in the whole corpus, 0 (everywhere) to 1 (nowhere)."""
        return self._whole.rarity(terms)
