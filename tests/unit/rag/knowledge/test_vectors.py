"""Exact search by meaning."""

from __future__ import annotations

import numpy as np
import pytest

from rag.errors import KnowledgeError
from rag.knowledge.embedder import Vectors
from rag.knowledge.vectors import ExactVectors
from rag.values import PassageId

IDS = [PassageId(name) for name in "abc"]


def unit(*values: float) -> Vectors:
    vector: Vectors = np.array(values, np.float32) / np.linalg.norm(values)
    return vector


MATRIX = np.stack([unit(1, 0, 0), unit(1, 1, 0), unit(0, 0, 1)])


def test_nearest_passages_come_first_with_their_cosine() -> None:
    hits = ExactVectors(IDS, MATRIX).nearest(unit(1, 0, 0), 2)
    assert [hit.id for hit in hits] == ["a", "b"]
    assert [hit.similarity for hit in hits] == pytest.approx([1.0, 2**-0.5])


def test_more_than_there_are_is_all_of_them() -> None:
    assert len(ExactVectors(IDS, MATRIX).nearest(unit(0, 1, 0), 50)) == 3


def test_an_empty_index_finds_nothing() -> None:
    assert ExactVectors([], np.empty((0, 0), np.float32)).nearest(unit(1, 0, 0), 5) == []


def test_a_vector_of_another_length_is_refused_with_what_to_do() -> None:
    with pytest.raises(
        KnowledgeError, match=r"length 3.* gives 2: .* with `AnswerEngine\.sync\(rebuild=True\)`"
    ):
        ExactVectors(IDS, MATRIX).nearest(unit(1, 0), 2)
