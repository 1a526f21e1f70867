"""A message with several questions gets one answer, in which each question is checked by itself."""

from __future__ import annotations

import pytest

from rag.evidence import citations
from rag.evidence.citations import CitedText
from rag.values import Citation, Label, Passage, PassageId
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import MemoryCorpus, engine, purposes, scripted

MILAN = Passage(PassageId("p1"), "leave.md", "Leave", "Marco Rossi approves leave for the Milan office.")
DESK = Passage(PassageId("p2"), "desk.md", "Desk", "The desk costs 5 euros a day.")
WHO = "Who approves leave in Milan"
READER = ScriptedVerifier({"Who approves": "Marco Rossi", "does the desk": "5 euros"})


@pytest.mark.parametrize(
    ("message", "label", "ending"),
    [
        (f"{WHO} and what does the desk cost?", "verified", "“The desk costs **5 euros** a day.” [2]"),
        (
            f"{WHO}? And what does a parking permit cost?",
            "partly",
            "Not confirmed by the documents: “What does a parking permit cost?”",
        ),
    ],
)
async def test_each_question_is_answered_and_checked(message: str, label: Label, ending: str) -> None:
    model = scripted(draft="I do not know.")
    product = engine(model, MemoryCorpus((MILAN, DESK)), answer_from="reader", verifier=READER)
    answer = await product.answer(message)
    assert (answer.question, answer.label) == (message, label)
    assert answer.text.startswith(f"**{WHO}?**\n\n“**Marco Rossi** approves leave for the Milan office.” [1]")
    assert answer.text.endswith(ending)
    assert [cited.document for cited in answer.citations] == ["leave.md", "desk.md"][: len(answer.citations)]
    assert (purposes(model) == []) is (label == "verified")


async def test_later_question_is_drafted_after_the_answer_to_the_one_before_it() -> None:
    model = scripted(draft="He does it within a week.")
    product = engine(model, MemoryCorpus((MILAN, DESK)), verifier=READER, answer_from="reader")
    await product.answer(f"{WHO}, and within how many days does he decide on it?")
    asked, said, *_ = next(one for one in model.requests if one.purpose == "draft").messages
    assert asked.text == f"{WHO}?"
    assert said.text.startswith("“**Marco Rossi** approves")


def test_joined_texts_number_their_citations_anew_and_leave_code_alone() -> None:
    def cited(n: int, quote: str) -> Citation:
        return Citation(n, "a.md", "", quote, PassageId("p1"))

    first = CitedText("One [1], two [2].", (cited(1, "one"), cited(2, "two")))
    second = CitedText("Two again [1], three [2][1]; `a[1]`.", (cited(1, "two"), cited(2, "three")))
    joined = citations.join([first, second])
    assert joined.text == "One [1], two [2].\n\nTwo again [2], three [3][2]; `a[1]`."
    assert [(one.n, one.quote) for one in joined.citations] == [(1, "one"), (2, "two"), (3, "three")]
