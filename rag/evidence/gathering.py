"""Collect the material of a comparison. This is the only part of the evidence that does I/O."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import Protocol

import numpy as np

from rag.errors import ModelError
from rag.evidence import bank, statements
from rag.evidence.decision import REFUSAL_THRESHOLD
from rag.evidence.material import Hit, Landmarks, Material
from rag.knowledge.embedder import Vectors
from rag.values import Classification, Passage, Question

_PADDING = 0.02
"""Maximum difference of two vectors of the same text; padding changes the last digits."""
_EMBEDDED_CHARACTERS = 400
"""Maximum characters of a draft that are embedded: the beginning shows the topic, and length costs time. One
that says it does not know is not embedded: its verdict does not depend on that."""


class Corpus(Protocol):
    """The knowledge base, as the comparison needs it."""

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (len(texts), dimension)."""
        ...

    def knows(self, text: str) -> bool:
        """Return whether the embedding supports the language of a text."""
        ...

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return how rare index terms are in the corpus, 0 (everywhere) to 1 (nowhere)."""
        ...


class Gatherer:
    """Gathers material from one corpus, and caches the embedded landmarks of each language."""

    def __init__(self, corpus: Corpus) -> None:
        self.corpus = corpus
        self._landmarks: dict[str, tuple[Vectors, Landmarks]] = {}

    async def prepare(self, classification: Classification) -> None:
        """Embed the landmarks of a language before the first comparison, while a model writes."""
        if not self.corpus.knows(classification.standalone):
            return
        with suppress(ModelError):  # the comparison meets the same error and handles it
            await self.landmarks(classification.language)

    async def landmarks(self, language: str) -> Landmarks:
        """Return the landmarks of a language, or those of `bank.FALLBACK` if it has none.

        Raises:
            ModelError: The embedding server gave no vectors.
        """
        known = _known_language(language)
        (mark,) = await self.corpus.embed_texts([bank.pairs(known)[0]])
        return await self._landmarks_of(known, mark)

    async def gather(
        self,
        question: Question,
        classification: Classification,
        draft: str,
        hits: Sequence[Hit],
        shown: Sequence[Passage] = (),
    ) -> Material:
        """Embed the texts that are needed, and collect the material.

        Args:
            question: The question, with the part of its conversation that can support an answer.
            hits: The probe's passages, best first.
            shown: Passages that the draft was written from, if any.
        """
        if not self.corpus.knows(classification.standalone):
            return self._material(question, classification, hits, shown)
        language = _known_language(classification.language)
        # The mark is embedded too, to detect that the corpus has changed its embedding.
        texts = [classification.standalone, bank.pairs(language)[0]]
        if statements.read(draft, classification.language).ignorant < REFUSAL_THRESHOLD:
            texts.append(draft[:_EMBEDDED_CHARACTERS])
        try:
            vectors = await self.corpus.embed_texts(texts)
            landmarks = await self._landmarks_of(language, vectors[1])
        except ModelError:  # the embedding server is unreachable: compare by words alone
            return self._material(question, classification, hits, shown)
        return self._material(question, classification, hits, shown, vectors, landmarks)

    def _material(
        self,
        question: Question,
        classification: Classification,
        hits: Sequence[Hit],
        shown: Sequence[Passage],
        vectors: Vectors | None = None,
        landmarks: Landmarks | None = None,
    ) -> Material:
        return Material(
            question=question.text,
            classification=classification,
            history=question.history,
            hits=hits,
            question_vector=None if vectors is None else vectors[0],
            draft_vector=None if vectors is None or len(vectors) < 3 else vectors[2],
            rarity=self.corpus.rarity,
            landmarks=landmarks,
            shown=shown,
            summary=question.summary,
        )

    async def _landmarks_of(self, language: str, mark: Vectors) -> Landmarks:
        known = self._landmarks.get(language)
        if known is None or not _is_same_embedding(known[0], mark):
            vectors = await self.corpus.embed_texts(bank.pairs(language))
            known = self._landmarks[language] = (mark, Landmarks.of(vectors))
        return known[1]


def _known_language(language: str) -> str:
    return language if language in bank.languages() else bank.FALLBACK


def _is_same_embedding(one: Vectors, other: Vectors) -> bool:
    return one.shape == other.shape and bool(np.max(np.abs(one - other)) <= _PADDING)
