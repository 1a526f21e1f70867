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
