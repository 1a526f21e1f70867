from __future__ import annotations

import numpy as np
import pytest

from rag.evidence import bank
from rag.evidence.material import Landmarks


@pytest.mark.parametrize("language", bank.languages())
def test_every_language_has_texts_of_every_kind(language: str) -> None:
    phrasing = bank.phrasing(language)
    assert (
        min(len(phrasing.refusals), len(phrasing.pairs), len(phrasing.everyday), len(phrasing.particular))
        >= 4
    )
    assert all(text.strip() for text in phrasing.texts)
    assert len(set(phrasing.texts)) == len(phrasing.texts)


def test_unknown_language_borrows_the_english_texts() -> None:
    assert bank.phrasing("xx") == bank.phrasing("en")


def test_landmarks_read_a_cosine_between_unrelated_and_related() -> None:
    phrasing = bank.phrasing("en")
    pairs, others = len(phrasing.pairs), np.eye(64, dtype=np.float32)
    vectors = np.zeros((len(phrasing.texts), 64), np.float32)
    start = len(phrasing.refusals)
    vectors[: len(phrasing.refusals)] = others[60]
    vectors[start : start + pairs] = others[:pairs]
    vectors[start + pairs : start + 2 * pairs] = others[:pairs] * 0.6  # own answers: 0.6, other answers: 0
    vectors[start + 2 * pairs :] = others[61]
    vectors[-len(phrasing.particular) :] = others[62]

    landmarks = Landmarks.of(phrasing, vectors)

    assert landmarks.scaled(0.0) == pytest.approx(0.0, abs=1e-6)
    assert landmarks.scaled(0.3) == pytest.approx(0.5, abs=1e-6)
    assert landmarks.scaled(0.6) == pytest.approx(1.0, abs=1e-6)
    assert landmarks.everydayness(others[61]) > 0.9
    assert landmarks.everydayness(others[62]) < -0.9


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("tasks", "What is 17 times 3?"),
        ("tasks", "17 × 3"),
        ("tasks", "сколько будет 17 умножить на 3?"),
        ("tasks", "17乘以3等于多少？"),
        ("tasks", "Translate 'good night' to Spanish."),
        ("tasks", "Напиши стихотворение про осень"),
        ("recent", "Who won the most recent championship?"),
        ("recent", "最新版本是多少？"),
        ("ours", "Who leads our accounting department?"),
        ("amounts", "How many days are backups kept?"),
        ("amounts", "Сколько хранятся копии?"),
        ("amounts", "备份保留多少天？"),
        ("amounts", "¿Cuánto cuesta el billete?"),
        ("amounts", "요금은 얼마인가요?"),
    ],
)
def test_question_is_recognised_by_its_words(key: str, text: str) -> None:
    assert any(pattern.search(bank.fold(text)) for pattern in getattr(bank.patterns(), key))


@pytest.mark.parametrize(
    ("key", "text"),
    [
        ("tasks", "Which port does the service listen on?"),
        ("tasks", "Who is on call from 10-12?"),
        ("recent", "Which Java does Pier need?"),
        ("amounts", "Who keeps the schedule?"),
        ("amounts", "Кто ведёт расписание?"),
    ],
)
def test_other_questions_are_not_taken_for_it(key: str, text: str) -> None:
    assert not any(pattern.search(bank.fold(text)) for pattern in getattr(bank.patterns(), key))
