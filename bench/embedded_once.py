"""Embeds each text once per process, because sets share passages, questions and texts of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from rag.knowledge import search as searches
from rag.knowledge import sync as syncs
from rag.knowledge.embedder import Embedder, Vectors
from rag.knowledge.embeddings import open_embedder
from rag.settings import Models

_Embed: TypeAlias = Callable[[Sequence[str]], Vectors]


class EmbeddedOnce:
    """An embedding that caches everything; for a few thousand texts."""

    def __init__(self, embedder: Embedder) -> None:
        self.fingerprint = embedder.fingerprint
        self.embed_passages = _remembering(embedder.embed_passages)
        self.embed_queries = _remembering(embedder.embed_queries)


def _remembering(embed: _Embed) -> _Embed:
    known: dict[str, Vectors] = {}

    def remembered(texts: Sequence[str]) -> Vectors:
        if missing := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(zip(missing, embed(missing), strict=True))
        return np.stack([known[text] for text in texts])

    return remembered


def install() -> None:
    """Make every embedding that this process opens from now on cache its vectors."""
    known: dict[str, Embedder] = {}

    def remembering(name: str, models: Models) -> Embedder:
        if name not in known:
            known[name] = EmbeddedOnce(open_embedder(name, models))
        return known[name]

    searches.open_embedder = syncs.open_embedder = remembering  # type: ignore[attr-defined] # in their place
