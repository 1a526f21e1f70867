from __future__ import annotations

import pytest

from rag.evidence import rivals
from rag.language.units import units
from rag.language.words import content_terms

NEEDS = "The service needs Java 17 and PostgreSQL 15."


@pytest.mark.parametrize(
    ("text", "question", "claim", "language"),
    [
        (NEEDS, "Which Java does it need?", "15", "en"),
        ("Для запуска нужны Java 17 и PostgreSQL 15.", "Какая Java нужна?", "15", "ru"),
        ("幼崽出生时体重约100克，成年后每天吃38千克竹子。", "幼崽出生时体重多少？", "38千克", "zh"),
    ],
    ids=["en", "ru", "zh"],
)
def test_fact_of_something_else_in_the_same_sentence_has_a_rival(
    text: str, question: str, claim: str, language: str
) -> None:
    asked = dict.fromkeys(content_terms(question, language), 1.0)
    assert rivals.measure_rival_advantage(text, units(claim, language), asked, language) > 0.1


def test_fact_beside_the_words_of_the_question_has_none() -> None:
    asked = dict.fromkeys(content_terms("Which Java does it need?", "en"), 1.0)
    assert rivals.measure_rival_advantage(NEEDS, units("17", "en"), asked, "en") == 0.0


def test_only_fact_of_a_sentence_has_no_rival() -> None:
    assert (
        rivals.measure_rival_advantage("Backups are kept for 35 days.", units("35 days"), {"kept": 1.0}, "en")
        == 0.0
    )
