from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

import pytest

from rag import evidence
from rag.evidence import Material
from rag.steps.classify import classify
from rag.values import Passage, PassageId, Question, Turn

PIER = Passage(
    PassageId("pier"),
    "pier.md",
    "Service Pier: requirements",
    "The service Pier needs Java 17 and PostgreSQL 15. Its default port is 8443. "
    "The on-call schedule of Pier is kept by Olga Vetrova. Backups of Pier are kept for 35 days.",
)
COMMON_WORDS = frozenset(["service", "port", "day", "default", "need", "kept", "backup", "schedul"])


class Found:
    def __init__(self, passage: Passage) -> None:
        self.passage = passage
        self.similarity = 0.5


def rarity(terms: Iterable[str]) -> Mapping[str, float]:
    return {term: 0.5 if term in COMMON_WORDS else 0.9 for term in terms}


def material(question: str, *history: tuple[str, str], shown: bool = False) -> Material:
    turns = tuple(Turn("user" if role == "user" else "assistant", text) for role, text in history)
    classification = classify(Question(question, turns))
    return Material(
        question, classification, turns, [Found(PIER)], None, None, rarity, None, [PIER] if shown else ()
    )


def quality(question: str, draft: str, *history: tuple[str, str], shown: bool = False) -> str:
    found = evidence.compare(material(question, *history, shown=shown), draft)
    return evidence.decide(found, has_documents=shown).quality


@pytest.mark.parametrize("shown", [False, True], ids=["fast-path", "from-documents"])
@pytest.mark.parametrize(
    ("question", "draft", "expected"),
    [
        ("Which Java does Pier need?", "Pier needs Java 17.", "adequate"),
        ("Which Java does Pier need?", "Pier needs Java 11.", "hallucination"),
        ("Who keeps the on-call schedule of Pier?", "Olga Vetrova.", "adequate"),
        ("Who keeps the on-call schedule of Pier?", "Peter Holloway.", "hallucination"),
        ("Which Java does Pier need?", "I'm sorry, I don't have that information.", "needs_docs"),
    ],
    ids=["right", "changed-number", "right-name", "wrong-name", "refusal"],
)
def test_draft_is_judged_by_the_passages(question: str, draft: str, expected: str, shown: bool) -> None:
    assert quality(question, draft, shown=shown) == expected


def test_draft_that_contradicts_the_passage_is_a_hallucination() -> None:
    found = evidence.compare(
        material("What is the default port of Pier?"), "The default port of Pier is 8080."
    )
    verdict = evidence.decide(found, has_documents=False)
    assert (verdict.quality, verdict.source) == ("hallucination", "evidence")
    assert verdict.confidence >= 0.7


def test_follow_up_that_repeats_the_conversation_is_adequate() -> None:
    history = ("user", "Who won the regatta?"), ("assistant", "In short: Brunhilde Ottensen.")
    assert quality("And in one word?", "Ottensen.", *history) == "adequate"


def test_follow_up_that_says_something_new_is_not_excused_by_the_history() -> None:
    history = ("user", "Which Java does Pier need?"), ("assistant", "Java 17.")
    assert quality("Are you sure?", "Pier needs Java 21.", *history) != "adequate"


DECIDED = ("user", "Anna decided that the team stays on FxStore 0.2.9 until June."), ("assistant", "Noted.")


def is_repeated(question: str, draft: str, *history: tuple[str, str], summary: str = "") -> bool:
    asked = replace(material(question, *history), summary=summary)
    return evidence.is_repeated(evidence.compare(asked, draft))


STAYS = "Anna decided that the team stays on FxStore 0.2.9 until June."


@pytest.mark.parametrize(
    ("question", "draft", "expected"),
    [
        pytest.param("What did Anna decide about the FxStore version?", STAYS, True, id="the same words"),
        pytest.param("What did Anna decide about FxStore?", "To stay on 0.2.9.", True, id="a part of it"),
        pytest.param("What did Anna decide about FxStore?", "To move to 0.3.1.", False, id="another fact"),
        pytest.param("What did Anna decide about FxStore?", "To stay until July.", False, id="another month"),
        pytest.param("Who keeps the backups of Harbour?", STAYS, False, id="another question"),
    ],
)
def test_question_that_stands_alone_is_answered_by_what_was_said_of_it(
    question: str, draft: str, expected: bool
) -> None:
    assert is_repeated(question, draft, *DECIDED) == expected
    assert is_repeated(question, draft, ("user", "Hello!"), summary=f"The user is Anna. {STAYS}") == expected
    assert not is_repeated(question, draft, ("user", "Hello!"))


def test_what_was_said_is_an_answer_also_where_it_is_written_with_passages_at_hand() -> None:
    question = "What did Anna decide about the FxStore version?"
    assert quality(question, STAYS, *DECIDED, shown=True) == "adequate"
    assert quality(question, STAYS, shown=True) == "hallucination"


@pytest.mark.parametrize("question", ["What did Anna decide on FxStore?", "and what did she decide?"])
def test_question_that_somebody_asked_is_no_statement(question: str) -> None:
    history = ("user", "Did Anna decide on FxStore 0.2.9?"), ("assistant", "I do not know.")
    assert not is_repeated(question, "Anna decided on FxStore 0.2.9.", *history)


def test_documents_that_answer_with_another_fact_outweigh_the_conversation() -> None:
    history = ("user", "Pier has 8080 as its default port now."), ("assistant", "Noted.")
    assert quality("What is the default port of Pier?", "The default port of Pier is 8080.", *history) == (
        "hallucination"
    )
    assert quality("What is the default port of Pier?", "The default port of Pier is 8443.", *history) == (
        "adequate"
    )


@pytest.mark.parametrize("shown", [False, True], ids=["fast-path", "from-documents"])
@pytest.mark.parametrize("text", ["The documents do not say it.", "I do not know who approves it."])
def test_text_that_declines_is_not_adequate_because_the_conversation_declined(text: str, shown: bool) -> None:
    history = ("user", "Who approves leave in Milan?"), ("assistant", text)
    assert quality("and in Berlin?", text, *history, shown=shown) == "needs_docs"
    assert quality("Who approves leave in Berlin?", text, *history, shown=shown) == "needs_docs"


def test_text_that_declines_in_words_that_stand_in_a_passage_about_something_else_still_declines() -> None:
    passage = replace(PIER, section="", text="What the documents do not say, the head of the office decides.")
    asked = replace(material("Who approves leave in Berlin?"), hits=[Found(passage)], shown=[passage])
    found = evidence.compare(asked, "The documents do not say it.")
    assert evidence.decide(found, has_documents=True).quality == "needs_docs"


def test_question_about_what_most_documents_name_is_no_common_knowledge() -> None:
    asked = material("In which year was Pier founded?")
    everywhere = replace(asked, rarity=lambda terms: dict.fromkeys(terms, 0.2))
    verdict = evidence.decide(evidence.compare(everywhere, "In 2014."), has_documents=False)
    assert (verdict.quality, verdict.reason.code) == ("hallucination", "verdict-absent")
    assert evidence.is_covered(evidence.compare(everywhere, "In 2014."))


def test_number_in_the_name_of_a_product_gives_no_answer_away() -> None:
    question = "Which Java does Think Twice need on Pier?"
    found = evidence.compare(material(question), "Think Twice needs 2 servers on Pier.")
    assert found.signals["has_fact"] == 1.0, "the 2 is a claim, although the product is called Twice"


def test_denial_that_the_passages_carry_is_an_answer_although_it_sounds_like_a_refusal() -> None:
    passage = replace(PIER, text="Guests of Pier cannot see the invoices of customers.")
    asked = replace(material("What is hidden from guests of Pier?"), hits=[Found(passage)])
    found = evidence.compare(asked, "They cannot see the invoices of customers.")
    sounding = evidence.score_evidence({**found.signals, "refusal": 1.2}, found)
    assert evidence.decide(sounding, has_documents=True).quality == "adequate"


@pytest.mark.parametrize(
    ("question", "text", "draft"),
    [
        (
            "Is there information on salaries in the handbook?",
            "The handbook has no information on salaries; ask Dana.",
            "The handbook has no information on salaries.",
        ),
        ("Есть ли доступ к архиву?", "У стажёров нет доступа к архиву.", "У стажёров нет доступа к архиву."),
        ("访客可以访问这些数据吗？", "访客无法访问其他团队的数据。", "访客无法访问这些数据。"),
        (
            "Apakah ada akses ke arsip?",
            "Magang tidak memiliki akses ke arsip.",
            "Magang tidak memiliki akses ke arsip.",
        ),
    ],
    ids=["en", "ru", "zh", "id"],
)
def test_denial_is_an_answer_where_the_passages_carry_it_and_a_refusal_elsewhere(
    question: str, text: str, draft: str
) -> None:
    asked = replace(material(question), hits=[Found(replace(PIER, text=text))])
    assert evidence.decide(evidence.compare(asked, draft), has_documents=True).quality == "adequate"
    elsewhere = evidence.decide(evidence.compare(material(question), draft), has_documents=True)
    assert elsewhere.quality == "needs_docs"


@pytest.mark.parametrize("draft", ["No, never.", "Never.", "Нет, никогда."])
def test_bare_no_is_left_to_others_and_is_no_refusal(draft: str) -> None:
    passage = replace(PIER, text="Never delete the Pier folder before the backup.")
    asked = replace(material("Can I delete the Pier folder?"), hits=[Found(passage)])
    found = evidence.compare(asked, draft)
    sounding = evidence.score_evidence({**found.signals, "refusal": 1.2}, found)
    verdict = evidence.decide(sounding, has_documents=False)
    assert (verdict.quality, verdict.confidence) == ("adequate", 0.5)
