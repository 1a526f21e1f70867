"""The claims of a text, and what is vetoed whatever a model says of it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.evidence.claims import TextClaim, is_not_vetoed, may_carry, split
from rag.steps.classify import classify
from rag.values import Passage, PassageId, Question

PIER = Passage(
    PassageId("pier"),
    "pier.md",
    "Service Pier",
    "Service Pier needs Java 17. Guests may not print. Olga Vetrova keeps the schedule.",
)
ASKED = classify(Question("Which Java does Service Pier need?"))
PIECES = st.sampled_from(
    ["port", "8443", "Olga Vetrova", "не", "三天", "35일", "[1]", "[2, 3]", "【1】", ".", "。", "?", ":", "\n", "- ", "# ", "| a |", "```"]
)  # fmt: skip
TEXTS = st.one_of(st.text(max_size=120), st.lists(PIECES, max_size=14).map(" ".join))


def claims(text: str, language: str = "en") -> list[str]:
    return [one.text for one in split(text, language)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("It needs Java 17. It runs on Linux.", ["It needs Java 17.", "It runs on Linux."]),
        ("# Set-up\n\nIt needs Java 17.", ["It needs Java 17."]),
        ("It needs:\n\n- Java 17\n- Linux", ["- Java 17", "- Linux"]),
        ("Do you need more? It needs Java 17.", ["It needs Java 17."]),
        ("I do not know. It needs Java 17.", ["It needs Java 17."]),
        ("需要 Java 17。在 Linux 上运行。", ["需要 Java 17。", "在 Linux 上运行。"]),
        ("", []),
    ],
    ids=["sentences", "heading", "lead-in", "question", "refusal", "zh", "nothing"],
)
def test_what_says_something_is_a_claim(text: str, expected: list[str]) -> None:
    assert claims(text, "zh" if "需" in text else "en") == expected


def test_markers_belong_to_the_claim_before_them_and_are_no_part_of_its_words() -> None:
    first, second = split("It needs Java 17 [1][3]. It runs on Linux. [2]", "en")
    assert (first.text, first.numbers) == ("It needs Java 17.", (1, 3))
    assert (second.text.strip(), second.numbers) == ("It runs on Linux.", (2,))


def test_claim_is_asked_about_by_what_stands_around_its_value() -> None:
    first, second = split("Service Pier needs Java 17. It runs on Linux.", "en")
    assert first.value("Which Java does Service Pier need?") == "17"
    assert "Linux" in second.value("")
    assert "Service Pier" in second.rest(""), "the claim before it names its subject"


@given(TEXTS, st.sampled_from(["en", "ru", "zh", "ko", ""]))
def test_claims_lie_inside_of_the_text_in_order(text: str, language: str) -> None:
    ends = [one.end for one in split(text, language)]
    assert ends == sorted(ends)
    assert all(0 < end <= len(text) for end in ends)
    for one in split(text, language):
        assert one.value(text) in one.text
        assert one.value(text)


@pytest.mark.parametrize(
    ("text", "language", "is_vetoed"),
    [
        ("Service Pier needs Java 17.", "en", False),
        ("Java 17", "en", False),
        ("Service Pier needs Java 11.", "en", True),
        ("Anna Berg keeps the schedule.", "en", True),
        ("Guests may print.", "en", True),
        ("Guests may not print.", "en", False),
        ("Service Pier does not need Java 17.", "en", True),
        ("Сервису Pier нужна Java 17.", "ru", False),
        ("Сервису Pier нужна Java 11.", "ru", True),
    ],
)
def test_figures_names_and_negation_of_a_claim_must_stand_in_its_passage(
    text: str, language: str, *, is_vetoed: bool
) -> None:
    assert is_not_vetoed(TextClaim(text, len(text), language=language), PIER) is not is_vetoed


def test_claim_beside_the_answer_needs_its_subject_in_the_passage() -> None:
    said = "It costs 300 euros."
    claim = TextClaim(said, len(said), language="en", before="Service Pier is old.")
    assert may_carry(claim, Passage(PassageId("pier"), "pier.md", "Service Pier", said), ASKED)
    assert not may_carry(claim, Passage(PassageId("dock"), "dock.md", "Dock", said), ASKED)


@given(TEXTS, TEXTS)
def test_veto_never_fails(text: str, passage: str) -> None:
    where = Passage(PassageId("any"), "any.md", "", passage)
    for one in split(text, "en"):
        is_not_vetoed(one, where)
        may_carry(one, where, ASKED)
