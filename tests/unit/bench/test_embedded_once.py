from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from bench import embedded_once
from rag.knowledge.embedder import Vectors


class Counting:
    fingerprint = "counting-1"

    def __init__(self) -> None:
        self.embedded: list[str] = []

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return np.array([[len(text), 0] for text in texts], np.float32)

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        self.embedded += texts
        return np.array([[0, len(text)] for text in texts], np.float32)


def test_each_text_is_embedded_once_as_a_passage_and_once_as_a_question() -> None:
    embedded_once.remember(Counting)
    once = Counting()
    assert once.embed_passages(["a", "bb", "a"]).tolist() == [[1, 0], [2, 0], [1, 0]]
    assert once.embed_passages(["bb", "ccc"]).tolist() == [[2, 0], [3, 0]]
    assert once.embed_queries(["a"]).tolist() == [[0, 1]]
    assert once.embed_queries(["a"]).tolist() == [[0, 1]]
    assert once.embedded == ["a", "bb", "ccc", "a"]
