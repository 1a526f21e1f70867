"""Embeds each text once per process, because sets share passages, questions and texts of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from rag.knowledge import search as searches
from rag.knowledge import sync as syncs
from rag.knowledge.embedder import Embedder, Vectors
from rag.knowledge.embeddings import open_embedder
from rag.settings import Models


class EmbeddedOnce:
    """An embedding that caches everything; for a few thousand texts."""

    def __init__(self, embedder: Embedder) -> None:
        self.name = embedder.name
        self.fingerprint = embedder.fingerprint
        self.dimension = embedder.dimension
        self._embedder = embedder
        self._passages: dict[str, Vectors] = {}
        self._queries: dict[str, Vectors] = {}

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (len(texts), dimension)."""
        return self._remembered(texts, self._passages, self._embedder.embed_passages)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimension)."""
        return self._remembered(texts, self._queries, self._embedder.embed_queries)

    def _remembered(
        self, texts: Sequence[str], known: dict[str, Vectors], embed: Callable[[Sequence[str]], Vectors]
    ) -> Vectors:
        missing = [text for text in dict.fromkeys(texts) if text not in known]
        if missing:
            known.update(zip(missing, embed(missing), strict=True))
        if not texts:
            return np.empty((0, self.dimension), np.float32)
        return np.stack([known[text] for text in texts])


def install() -> None:
    """Make every embedding that this process opens from now on cache its vectors."""
    known: dict[str, Embedder] = {}

    def remembering(name: str, models: Models) -> Embedder:
        if name not in known:
            known[name] = EmbeddedOnce(open_embedder(name, models))
        return known[name]

    searches.open_embedder = syncs.open_embedder = remembering  # type: ignore[attr-defined] # in their place
