from __future__ import annotations

from collections.abc import Iterable

import pytest

from bot.evaluate import grading
from bot.evaluate.rows import LabelledQuestion
from rag.values import Label, Passage, PassageId


def row(kind: str = "docs", **more: object) -> LabelledQuestion:
    return LabelledQuestion.model_validate(
        {"id": "1", "kind": kind, "lang": "en", "question": "Which Java does Pier need?", **more}
    )


def even(terms: Iterable[str]) -> dict[str, float]:
    return dict.fromkeys(terms, 1.0)


def graded(asked: LabelledQuestion, text: str, label: Label = "verified", *, cites: bool = False) -> str:
    return grading.grade(asked, text, label, even, cites=cites)


REFERENCE = "Pier needs Java 17, and the memory must be at least eight gigabytes."


@pytest.mark.parametrize(
    ("asked", "text", "outcome"),
    [
        (row(answers=["17", "Java 17"]), "It needs java 17!", "right"),
        (row(answers=["17"]), "It needs Java 11.", "wrong"),
        (row(answers=["1"]), "It needs Java 11 [1].", "wrong"),  # the marker is no answer
        (row(answers=["17"]), "I do not know which Java it needs.", "refused_wrongly"),
        (row(answers=["17"]), "", "refused_wrongly"),
        (row("unanswerable"), "I do not know which Java it needs.", "refused_rightly"),
        (row("unanswerable"), "It needs Java 17.", "wrong"),
        (row("unanswerable", answers=["17"]), "It needs Java 17.", "right"),  # known without the documents
        (row("underspecified"), "Which of the two services do you mean?", "refused_rightly"),
        (row("underspecified"), "It needs Java 17.", "wrong"),
        (row("answerable", reference=REFERENCE), "Java 17, with a memory of eight gigabytes.", "right"),
        (row("answerable", reference=REFERENCE), "Java 11, with a memory of four gigabytes.", "wrong"),
        (row("answerable", reference=REFERENCE), "Ask the team of the harbour.", "wrong"),
        (row("small_talk"), "Hello! How can I help?", "right"),
        (row("small_talk"), "I do not know.", "refused_wrongly"),
    ],
    ids=str,
)  # fmt: skip
def test_outcome(asked: LabelledQuestion, text: str, outcome: str) -> None:
    assert graded(asked, text) == outcome


BADGE = "Guests may not use the printer without a badge."


def guests(polarity: str | None = "no", sentence: str = BADGE, **more: object) -> LabelledQuestion:
    question = "May guests use the printer without a badge?"
    return row("docs", question=question, polarity=polarity, sentence=sentence, **more)


@pytest.mark.parametrize(
    ("asked", "text", "outcome"),
    [
        (guests(), f"The documents say: “{BADGE}” [1]", "right"),
        (guests(), f"No [1]. {BADGE}", "right"),
        (guests(), "No [1].", "right"),
        (guests(), f"Yes. {BADGE}", "wrong"),
        (guests(), "Yes, they may.", "wrong"),
        (guests("yes"), f"No: {BADGE}", "wrong"),
        (guests(), "They need a badge.", "wrong"),
        (guests(answers=["need a badge"]), "They need a badge.", "right"),
        (guests(answers=["No"]), "There is no badge for guests.", "wrong"),
        (guests(answers=["No"]), "I do not know.", "refused_wrongly"),
        (guests(answers=["No"]), "No, the documents do not say whether they may.", "refused_wrongly"),
        (guests(None, sentence="Guests have no access."), "Guests have no access.", "right"),
        (guests(None, sentence="Pier needs Java 17.", answers=["17"]), "Pier needs Java 17 [2].", "right"),
        (guests(None, sentence="Pier needs Java 17.", answers=["17"]), "Pier needs Java 11.", "wrong"),
        (
            guests(None, sentence="The port is open at night for ships of Milan.", answers=["Milan"]),
            "The port is open at night for ships of",
            "wrong",
        ),
        (row("unanswerable", answers=["No"], polarity="no"), "Yes.", "wrong"),
    ],
    ids=[
        "quoted", "no and quoted", "bare no", "yes before the quotation", "wrong yes", "wrong no",
        "neither", "gold string", "a no in the sentence", "declines", "no, but declines",
        "quotation that sounds like a refusal", "quoted fact", "another fact", "quoted without the answer",
        "wrong yes to what nobody can answer",
    ],
)  # fmt: skip
def test_outcome_of_quotations_and_of_yes_and_no(asked: LabelledQuestion, text: str, outcome: str) -> None:
    assert graded(asked, text) == outcome


@pytest.mark.parametrize(
    ("text", "is_brief"),
    [
        ("The documents say:\n\n[1]\n\n> One is open. Two is shut. Three is new.", True),
        ("One is open [1]. Two is shut. Three is new. Four is old. Five is far.", False),
        ("一号开门。二号关门。三号是新的。四号是旧的。五号很远。", False),
        ("", True),
    ],
    ids=["quotation of three sentences", "five sentences", "five Chinese sentences", "nothing"],
)
def test_answer_of_many_sentences_is_not_brief(text: str, is_brief: bool) -> None:
    assert grading.is_brief(text) is is_brief


def test_quotation_in_an_answer_that_denies_to_be_one_is_a_refusal() -> None:
    assert graded(guests(), BADGE, "not_in_documents") == "refused_wrongly"


@pytest.mark.parametrize(
    ("text", "label", "is_open"),
    [
        ("Pier needs Java 17.", "verified", False),
        ("Pier needs Java 17.", "general", False),
        ("Pier needs Java 17.", "unverified", True),
        ("Nearest: pier.md", "not_in_documents", True),
        ("I do not know which Java it needs [1].", "verified", True),
    ],
)
def test_answer_is_left_open_by_its_label_or_by_its_text(text: str, label: Label, is_open: bool) -> None:
    assert grading.is_left_open(text, label, "en") is is_open


def test_answer_labelled_as_not_in_the_documents_is_a_refusal_whatever_sources_it_names() -> None:
    asked = row(answers=["17"])
    assert graded(asked, "Nearest: java-17.md", "not_in_documents") == "refused_wrongly"


def test_greeting_with_sources_is_wrong() -> None:
    assert graded(row("small_talk"), "Hello [1]", cites=True) == "wrong"


@pytest.mark.parametrize(
    ("asked", "held"),
    [
        (row(passages=["a"]), True),
        (row(passages=["b"], answers=["17"]), False),
        (row(answers=["17"]), True),
        (row(answers=["11"]), False),
        (row(reference="x"), None),
        (row(sentence="Pier needs Java 17.", answers=["11"]), True),
        (row(sentence="Pier needs Java 11."), False),
    ],
    ids=["id", "other id", "string", "other string", "nothing to go by", "sentence", "other sentence"],
)
def test_cited_passage_holds_the_gold(asked: LabelledQuestion, held: bool | None) -> None:
    passage = Passage(PassageId("p"), "Pier", "", "Pier needs Java 17.", source="a")
    assert grading.holds_gold(asked, passage) is held


@pytest.mark.parametrize(
    ("asked", "gradable"),
    [
        (row(), False),
        (row(answers=["x"]), True),
        (row(reference="x"), True),
        (row(sentence="x"), True),
        (row(polarity="no"), True),
        (row("small_talk"), True),
        (row("unanswerable"), True),
    ],
)
def test_row_can_be_graded_when_it_says_what_is_right(asked: LabelledQuestion, gradable: bool) -> None:
    assert grading.can_grade(asked) is gradable
