"""An embedding without a model, for tests: texts that share words get similar vectors."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence

import numpy as np

from rag.knowledge.embedder import Vectors
from rag.language.recent_texts import cache_up_to
from rag.language.words import terms


class HashedEmbedder:
    """Gives every word a fixed direction, by `fingerprint`, and adds them up; keeps the texts that it got."""

    def __init__(self, fingerprint: str = "hashed-1", dimension: int = 64) -> None:
        self.fingerprint = fingerprint
        self.dimension = dimension
        self.texts: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts, shape (len(texts), dimension)."""
        self.texts.extend(texts)
        return np.array([self._embed(text) for text in texts], np.float32)

    embed_queries = embed_passages

    def _embed(self, text: str) -> Vectors:
        summed = _direction("", self.fingerprint, self.dimension)
        for term in terms(text):
            summed = summed + _direction(term, self.fingerprint, self.dimension)
        unit: Vectors = summed / np.linalg.norm(summed)
        return unit


@cache_up_to(100)
def _direction(term: str, fingerprint: str, dimension: int) -> Vectors:
    seed = int.from_bytes(hashlib.sha256(f"{fingerprint} {term}".encode()).digest()[:8], "big")
    direction: Vectors = np.random.default_rng(seed).standard_normal(dimension).astype(np.float32)
    return direction
