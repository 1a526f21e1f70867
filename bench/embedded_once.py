"""Embeds each text once per process, because sets share passages, questions and texts of the evidence."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

import numpy as np

from rag.knowledge.embedder import Embedder, Vectors
from rag.knowledge.embeddings.minilm import MiniLM
from rag.knowledge.embeddings.multilingual import Multilingual

_Embed: TypeAlias = Callable[[Embedder, Sequence[str]], Vectors]


def install() -> None:
    """Make the bundled embeddings of this process cache their vectors; for a few thousand texts."""
    for kind in (MiniLM, Multilingual):
        remember(kind)


def remember(kind: type[Embedder]) -> None:
    """Make an embedding, which has one instance in a process, keep the vector of each text."""
    for name in ("embed_passages", "embed_queries"):
        setattr(kind, name, _remembering(getattr(kind, name)))


def _remembering(embed: _Embed) -> _Embed:
    known: dict[str, Vectors] = {}

    def remembered(embedder: Embedder, texts: Sequence[str]) -> Vectors:
        if missing := [text for text in dict.fromkeys(texts) if text not in known]:
            known.update(zip(missing, embed(embedder, missing), strict=True))
        return np.stack([known[text] for text in texts])

    return remembered
