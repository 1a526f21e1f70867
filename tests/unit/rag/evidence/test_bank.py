from __future__ import annotations

import numpy as np
import pytest

from rag.evidence import bank
from rag.evidence.material import Landmarks


@pytest.mark.parametrize("language", bank.languages())
def test_every_language_has_pairs_of_questions_and_answers(language: str) -> None:
    texts = bank.pairs(language)
    assert len(texts) >= 8
    assert len(texts) % 2 == 0
    assert all(text.strip() for text in texts)
    assert len(set(texts)) == len(texts)


def test_unknown_language_borrows_the_english_texts() -> None:
    assert bank.pairs("xx") == bank.pairs("en")


def test_landmarks_read_a_cosine_between_unrelated_and_related() -> None:
    questions = np.eye(8, dtype=np.float32)
    landmarks = Landmarks.of(np.concatenate([questions, questions * 0.6]))  # own answers: 0.6, others: 0
    assert landmarks.scaled(0.0) == pytest.approx(0.0, abs=1e-6)
    assert landmarks.scaled(0.3) == pytest.approx(0.5, abs=1e-6)
    assert landmarks.scaled(0.6) == pytest.approx(1.0, abs=1e-6)


@pytest.mark.parametrize(
    "text",
    [
        "What is 17 times 3?",
        "17 × 3",
        "сколько будет 17 умножить на 3?",
        "17乘以3等于多少？",
        "Translate 'good night' to Spanish.",
        "Напиши стихотворение про осень",
    ],
)
def test_question_is_recognised_by_its_words(text: str) -> None:
    assert any(pattern.search(bank.fold(text)) for pattern in bank.patterns().tasks)


@pytest.mark.parametrize(
    "text",
    [
        "Which port does the service listen on?",
        "Who is on call from 10-12?",
    ],
)
def test_other_questions_are_not_taken_for_it(text: str) -> None:
    assert not any(pattern.search(bank.fold(text)) for pattern in bank.patterns().tasks)
