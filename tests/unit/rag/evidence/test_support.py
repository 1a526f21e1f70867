from __future__ import annotations

import pytest

from rag.evidence import support
from rag.evidence.coverage import Claim
from rag.language.units import units
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


def compared(question: str, claim: str = "") -> support.ComparedPassages:
    return support.ComparedPassages([HANDBOOK], weights(question), units(claim, "en"), "en")


def measured(question: str, claim: str) -> support.Support:
    facts = units(claim, "en")
    of_facts = {term for fact in facts for term in content_terms(fact.text, "en")}
    words = {term: weight for term, weight in weights(claim).items() if term not in of_facts}
    return compared(question, claim).support(Claim(words, facts))


def test_claim_beside_the_words_of_the_question_is_supported() -> None:
    found = measured("How long are backups kept?", "35 days")
    assert found.supported == 1.0
    assert found.anchored > 0.5
    assert found.lacking == ()


def test_changed_number_costs_more_than_its_share_of_the_words() -> None:
    found = measured("How long are backups kept?", "53 days")
    assert found.supported < 0.2
    assert [fact.text for fact in found.lacking] == ["53 days"]


def test_fact_in_another_spelling_is_found() -> None:
    assert measured("How long are backups kept?", "thirty-five days").lacking == ()


def test_fact_that_stands_nowhere_is_absent() -> None:
    assert {fact.text for fact in compared("How long are backups kept?", "35 days, not 53 days").absent} == {
        "53 days"
    }


def test_claim_far_from_the_words_of_the_question_is_hardly_anchored() -> None:
    near = measured("Who keeps the schedule?", "Olga Vetrova")
    far = measured("Which telescope does the observatory own?", "Olga Vetrova")
    assert near.anchored > 2 * far.anchored


def test_question_about_something_else_is_not_covered() -> None:
    assert compared("How tall is the lighthouse?").covered == 0.0


@pytest.mark.parametrize("claim", ["", "  "], ids=["empty", "blank"])
def test_draft_without_a_claim_has_no_support(claim: str) -> None:
    assert measured("How long are backups kept?", claim).supported == 0.0


def test_no_passages_means_no_support() -> None:
    empty = support.ComparedPassages([], {"a": 1.0}, [], "en")
    assert empty.covered == 0.0
    assert empty.support(Claim({"b": 1.0})) == support.Support()
