from __future__ import annotations

from dataclasses import replace

import pytest

from rag.reasons import Reason
from rag.runs import candidates
from rag.runs.candidates import Candidate
from rag.values import (
    Citation,
    Draft,
    Intent,
    Label,
    Passage,
    PassageId,
    Quality,
    ReadingOutcome,
    SecondReading,
    Verdict,
)

PASSAGE = Passage(PassageId("p1"), "guide.md", "Set-up", "FxStore needs Java 17.")
CITATION = Citation(1, "guide.md", "Set-up", "FxStore needs Java 17.", PASSAGE.id)


def candidate(
    quality: Quality,
    *,
    text: str = "Java 17.",
    written: bool = False,
    cited: bool = False,
    covered: bool = False,
    defective: bool = False,
    reading: ReadingOutcome | None = None,
    unconfirmed: tuple[str, ...] = (),
    reason: str = "because",
) -> Candidate:
    return Candidate(
        draft=Draft(text, (PASSAGE,) if written else ()),
        verdict=Verdict(quality, Reason(reason), 0.9, "evidence"),
        evidence=None,
        citations=(CITATION,) if cited else (),
        is_covered=covered,
        is_defective=defective,
        second_reading=SecondReading(reading, 1, "17") if reading else None,
        unconfirmed=unconfirmed,
    )


@pytest.mark.parametrize(
    ("given", "has_read", "expected"),
    [
        pytest.param(candidate("adequate"), False, "general", id="general knowledge"),
        pytest.param(
            candidate("adequate", covered=True, cited=True),
            False,
            "unverified",
            id="a draft nobody read again",
        ),
        pytest.param(
            candidate("adequate", covered=True, cited=True, reading="agrees"),
            False,
            "verified",
            id="confirmed",
        ),
        pytest.param(
            candidate("adequate", covered=True, cited=True, reading="failed"),
            False,
            "unverified",
            id="read in vain",
        ),
        pytest.param(
            candidate("needs_docs", written=True, cited=True, reading="not_stated"),
            True,
            "unverified",
            id="an answer that a second reading does not find is no statement about the documents",
        ),
        pytest.param(
            candidate("adequate", covered=True),
            False,
            "unverified",
            id="only a judge found it good, though covered",
        ),
        pytest.param(
            candidate("adequate", written=True, cited=True, reading="agrees"),
            True,
            "verified",
            id="from documents",
        ),
        pytest.param(candidate("adequate", written=True), True, "unverified", id="every citation failed"),
        pytest.param(
            candidate("adequate", cited=True, reading="agrees", unconfirmed=("It is old.",)),
            False,
            "partly",
            id="the answer is carried, the sentence behind it is not",
        ),
        pytest.param(
            candidate("needs_docs", written=True), True, "not_in_documents", id="documents do not say"
        ),
        pytest.param(candidate("needs_docs"), False, "unverified", id="no retry was allowed to search"),
        pytest.param(candidate("hallucination"), True, "unverified", id="invented"),
        pytest.param(candidate("off_topic"), True, "unverified", id="beside the question"),
        pytest.param(candidate("unchecked"), True, "unverified", id="the judge failed"),
        pytest.param(
            candidate("unchecked", written=True, cited=True),
            True,
            "unverified",
            id="the judge failed, though cited",
        ),
    ],
)
def test_label_says_what_stands_behind_an_answer(given: Candidate, has_read: bool, expected: Label) -> None:
    assert candidates.choose_label(given, "question", has_read=has_read) == expected


@pytest.mark.parametrize(
    ("reason", "intent", "expected"),
    [("because", "small_talk", "general"), ("verdict-said", "follow_up", "conversation")],
    ids=["small talk", "what the conversation has said"],
)
def test_what_needs_no_document_is_labelled_as_such(reason: str, intent: Intent, expected: Label) -> None:
    assert candidates.choose_label(candidate("adequate", reason=reason), intent, has_read=False) == expected


@pytest.mark.parametrize("quality", ["adequate", "unchecked"])
def test_answer_written_from_documents_beats_the_refusal_of_the_fast_path(quality: Quality) -> None:
    refusal = candidate("needs_docs", text="I do not know.")
    written = candidate(quality, text="Java 17.", written=True)
    entries: list[tuple[Candidate, Label]] = [(refusal, "not_in_documents"), (written, "unverified")]
    assert candidates.pick_best(entries)[0] is written


def test_best_answer_is_the_one_with_the_best_label() -> None:
    draft = candidate("hallucination", text="Java 11.")
    refusal = candidate("needs_docs", text="The documents do not say.", written=True)
    entries: list[tuple[Candidate, Label]] = [(draft, "unverified"), (refusal, "not_in_documents")]
    assert candidates.pick_best(entries)[0] is refusal
    assert candidates.pick_best(entries[::-1])[0] is refusal


def test_of_unverified_answers_an_invention_is_the_last_choice() -> None:
    invented = candidate("hallucination", text="Java 11.")
    unjudged = candidate("unchecked", text="Java 17.")
    assert candidates.pick_best([(unjudged, "unverified"), (invented, "unverified")])[0] is unjudged


def test_answer_that_a_passage_disputes_is_worse_than_a_refusal() -> None:
    refusal = candidate("needs_docs", text="I do not know.")
    disputed = candidate("hallucination", written=True, cited=True, reading="differs")
    entries: list[tuple[Candidate, Label]] = [(disputed, "unverified"), (refusal, "not_in_documents")]
    assert candidates.pick_best(entries)[0] is refusal


def test_of_equal_answers_the_one_from_documents_then_the_later_is_best() -> None:
    first, second = candidate("unchecked", text="one"), candidate("unchecked", text="two")
    read = candidate("unchecked", text="read", written=True)
    assert candidates.pick_best([(first, "unverified"), (second, "unverified")])[0] is second
    assert candidates.pick_best([(read, "unverified"), (second, "unverified")])[0] is read


def test_a_faulty_text_loses_against_any_whole_one_but_an_invention() -> None:
    cut = candidate("unchecked", text="cut o", defective=True)
    unsure = candidate("unchecked", text="Java 17.")
    invented = candidate("hallucination", text="Java 11.")
    assert candidates.pick_best([(unsure, "unverified"), (cut, "unverified")])[0] is unsure
    assert candidates.pick_best([(cut, "unverified"), (invented, "unverified")])[0] is cut


def test_doubt_decides_only_between_equals() -> None:
    doubted = replace(candidate("adequate", text="one", cited=True), doubt="it says no twice")
    other = candidate("adequate", text="two", cited=True)
    assert candidates.pick_best([(other, "verified"), (doubted, "verified")])[0] is other
    assert candidates.pick_best([(doubted, "verified"), (other, "unverified")])[0] is doubted
