from __future__ import annotations

import pytest

from rag.evidence import support
from rag.language.words import content_terms
from rag.values import Passage, PassageId

HANDBOOK = Passage(
    PassageId("1"),
    "handbook.md",
    "Service Pier",
    "The service needs Java 17 and PostgreSQL 15. Backups are kept for 35 days. "
    "The schedule is kept by Olga Vetrova. Lunch is served at noon.",
)


def weights(text: str) -> dict[str, float]:
    return dict.fromkeys(content_terms(text, "en"), 1.0)


def measured(question: str, claim: str) -> support.Support:
    asked = weights(question)
    claimed = {term: weight for term, weight in weights(claim).items() if term not in asked}
    return support.measure([HANDBOOK], asked, claimed, "en")


def test_claim_beside_the_words_of_the_question_is_supported() -> None:
    found = measured("How long are backups kept?", "35 days")
    assert found.supported == 1.0
    assert found.anchored == found.covered > 0.5


def test_changed_number_costs_more_than_its_share_of_the_words() -> None:
    assert measured("How long are backups kept?", "53 days").supported < 0.2


def test_claim_far_from_the_words_of_the_question_is_hardly_anchored() -> None:
    near = measured("Who keeps the schedule?", "Olga Vetrova")
    far = measured("Which telescope does the observatory own?", "Olga Vetrova")
    assert near.joint > 2 * far.joint


def test_question_about_something_else_is_not_covered() -> None:
    assert measured("How tall is the lighthouse?", "thirty metres").covered == 0.0


@pytest.mark.parametrize("claim", ["", "  "], ids=["empty", "blank"])
def test_draft_without_a_claim_has_no_support(claim: str) -> None:
    assert measured("How long are backups kept?", claim).supported == 0.0


def test_no_passages_means_no_support() -> None:
    assert support.measure([], {"a": 1.0}, {"b": 1.0}, "en") == support.Support()
