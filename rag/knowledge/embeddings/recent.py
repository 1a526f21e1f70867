"""Caches the vectors of recent questions, because a question is searched, judged and searched again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from rag.knowledge.embedder import Embedder, Vectors

_KEPT = 512


class RecentVectors:
    """Embeds questions and sentences with a cache; thread-safe."""

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._recent: OrderedDict[str, Vectors] = OrderedDict()
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts as queries, shape (len(texts), dimension).

        Raises:
            ModelError: The embedding server gave no vectors.
        """
        with self._lock:
            known = {text: self._recent[text] for text in texts if text in self._recent}
        missing = list(dict.fromkeys(text for text in texts if text not in known))
        if missing:
            known.update(zip(missing, self.embedder.embed_queries(missing), strict=True))
        with self._lock:
            for text in texts:
                self._recent[text] = known[text]
                self._recent.move_to_end(text)
            while len(self._recent) > _KEPT:
                self._recent.popitem(last=False)
        if not texts:
            return np.empty((0, self.embedder.dimension), np.float32)
        return np.stack([known[text] for text in texts])
