"""The input of a comparison: the question, the passages, the conversation and vectors. No I/O here."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

import numpy as np

from rag.knowledge.embedder import Vectors
from rag.values import Classification, Passage, Turn

Rarity = Callable[[Iterable[str]], Mapping[str, float]]
"""How rare index terms are in the corpus: 0 (in every passage) to 1 (in none)."""


class Hit(Protocol):
    """A passage that a search found, with its similarity to the question."""

    @property
    def passage(self) -> Passage:
        """The passage."""
        ...

    @property
    def similarity(self) -> float:
        """Cosine similarity of the question and the passage, -1 to 1."""
        ...


@dataclass(frozen=True, slots=True)
class Landmarks:
    """Vectors of known texts, which make similarities of different embeddings comparable.

    Cosines of two embeddings cannot be compared: unrelated sentences have 0.05 with one and 0.78 with the
    other. So every similarity is scaled between two marks: questions with other questions' answers (0), and
    questions with their own answers (1).

    Args:
        unrelated: Mean cosine of a question and another question's answer.
        related: Mean cosine of a question and its own answer.
    """

    unrelated: float
    related: float

    @classmethod
    def of(cls, vectors: Vectors) -> Landmarks:
        """Measure the marks with the vectors of `bank.pairs`: one row a text, questions first."""
        questions, answers = np.split(vectors, 2)
        cosines = questions @ answers.T
        own = float(np.diag(cosines).mean())
        others = float((cosines.sum() - np.trace(cosines)) / (cosines.size - len(cosines)))
        return cls(others, own)

    def scaled(self, cosine: float) -> float:
        """Return a cosine as a share of the way from "unrelated" to "question and answer", -0.5 to 1.3."""
        width = max(self.related - self.unrelated, 1e-3)
        return float(np.clip((cosine - self.unrelated) / width, -0.5, 1.3))


@dataclass(frozen=True, slots=True)
class Material:
    """Everything that a comparison uses.

    Args:
        question: The message, verbatim.
        history: The turns before it that can support an answer.
        hits: The probe's passages, best first.
        question_vector: Vector of the standalone question, shape (dimension,).
        draft_vector: Vector of the beginning of the draft, shape (dimension,); None for a refusal.
        landmarks: The embedding's known points; they and the vectors are None when no embedding
            answered, or it does not know the language.
        shown: The passages that the draft was written from; empty for a draft without documents.
        summary: Summary of the turns before the history.
    """

    question: str
    classification: Classification
    history: Sequence[Turn]
    hits: Sequence[Hit]
    question_vector: Vectors | None
    draft_vector: Vectors | None
    rarity: Rarity
    landmarks: Landmarks | None
    shown: Sequence[Passage] = field(default=())
    summary: str = ""
