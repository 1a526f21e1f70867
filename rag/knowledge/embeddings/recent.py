"""Caches the vectors of recent questions, because a question is searched, judged and searched again."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Sequence
from concurrent.futures import Future

import numpy as np

from rag.knowledge.embedder import Embedder, Vectors

_KEPT = 512


class RecentVectors:
    """Embeds questions and sentences with a cache; thread-safe.

    A text that another thread is embedding is waited for: after a start, many questions at once want the same
    sixty example sentences, which take half a second of a core.
    """

    def __init__(self, embedder: Embedder) -> None:
        self.embedder = embedder
        self._recent: OrderedDict[str, Vectors] = OrderedDict()
        self._coming: dict[str, Future[Vectors]] = {}
        self._lock = threading.Lock()

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts as queries, shape (len(texts), dimension); `ModelError` if a server gives none."""
        if not texts:
            return np.empty((0, 0), np.float32)
        with self._lock:
            known = {text: self._recent[text] for text in texts if text in self._recent}
            missing = dict.fromkeys(text for text in texts if text not in known)
            awaited = {text: self._coming[text] for text in missing if text in self._coming}
            own = [text for text in missing if text not in awaited]
            self._coming |= {text: Future() for text in own}
        # Its own first: two threads that wait for each other would wait for ever.
        known |= self._embed(own)
        known |= {text: vector.result() for text, vector in awaited.items()}
        with self._lock:
            for text in texts:
                self._recent[text] = known[text]
                self._recent.move_to_end(text)
            while len(self._recent) > _KEPT:
                self._recent.popitem(last=False)
        return np.stack([known[text] for text in texts])

    def _embed(self, texts: Sequence[str]) -> dict[str, Vectors]:
        """Embed texts that no other thread is embedding, and hand them to those that wait."""
        if not texts:
            return {}
        try:
            vectors = dict(zip(texts, self.embedder.embed_queries(texts), strict=True))
        except BaseException as error:
            for text in texts:
                self._coming.pop(text).set_exception(error)
            raise
        with self._lock:
            self._recent |= vectors
        for text, vector in vectors.items():
            self._coming.pop(text).set_result(vector)
        return vectors
