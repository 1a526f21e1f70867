from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import pytest

from rag.errors import ModelUnavailableError
from rag.evidence import Gatherer, compare, decide
from rag.knowledge.embedder import Vectors
from rag.steps.classify import classify
from rag.values import Question


class Corpus:
    """An embedding made of hashes: the same text always has the same vector."""

    def __init__(self) -> None:
        self.salt = ""
        self.asked: list[Sequence[str]] = []
        self.is_away = False
        self.is_known = True

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        if self.is_away:
            raise ModelUnavailableError
        self.asked.append(texts)
        vectors = []
        for text in texts:
            seed = int.from_bytes(hashlib.sha256((self.salt + text).encode()).digest()[:4], "big")
            vector = np.random.default_rng(seed).normal(size=32)
            vectors.append(vector / np.linalg.norm(vector))
        return np.array(vectors, dtype=np.float32)

    def knows(self, text: str) -> bool:
        return self.is_known

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        return dict.fromkeys(terms, 1.0)


@pytest.fixture
def corpus() -> Corpus:
    return Corpus()


QUESTION = Question("Which Java does the server need?")
READING = classify(QUESTION)


async def test_question_and_draft_are_embedded_together(corpus: Corpus) -> None:
    material = await Gatherer(corpus).gather(QUESTION, READING, "Java 17.", ())
    assert {QUESTION.text, "Java 17."} < set(corpus.asked[0])
    assert material.landmarks is not None


async def test_landmarks_are_embedded_once_for_a_language(corpus: Corpus) -> None:
    gatherer = Gatherer(corpus)
    first = await gatherer.gather(QUESTION, READING, "Java 17.", ())
    second = await gatherer.gather(QUESTION, READING, "Java 11.", ())
    assert len(corpus.asked) == 3  # the landmarks only with the first draft
    assert second.landmarks is first.landmarks


async def test_landmarks_follow_a_corpus_that_changes_its_embedding(corpus: Corpus) -> None:
    gatherer = Gatherer(corpus)
    first = await gatherer.gather(QUESTION, READING, "Java 17.", ())
    corpus.salt = "another model"
    second = await gatherer.gather(QUESTION, READING, "Java 17.", ())
    assert second.landmarks is not first.landmarks


async def test_without_an_embedding_the_words_decide(corpus: Corpus) -> None:
    corpus.is_away = True
    material = await Gatherer(corpus).gather(QUESTION, READING, "I don't have that information.", ())
    assert material.draft_vector is None
    verdict = decide(compare(material, "I don't have that information."), has_documents=False)
    assert verdict.quality == "needs_docs"


async def test_embedding_that_does_not_know_the_language_is_not_asked(corpus: Corpus) -> None:
    corpus.is_known = False
    gatherer = Gatherer(corpus)
    await gatherer.prepare(READING)
    material = await gatherer.gather(QUESTION, READING, "Java 17.", ())
    assert (material.landmarks, material.question_vector, material.draft_vector) == (None, None, None)
    assert not corpus.asked


async def test_only_the_beginning_of_a_long_draft_is_embedded(corpus: Corpus) -> None:
    await Gatherer(corpus).gather(QUESTION, READING, "word " * 1000, ())
    assert len(corpus.asked[0][1]) < 1000


async def test_draft_that_says_it_does_not_know_is_not_embedded(corpus: Corpus) -> None:
    refusal = "I do not know that."
    material = await Gatherer(corpus).gather(QUESTION, READING, refusal, ())
    assert material.draft_vector is None
    assert not any(refusal in asked for asked in corpus.asked)
