"""The second reading: what becomes of a text when a blind reading of its passage agrees with it, or not."""

from __future__ import annotations

import pytest

from rag.errors import ModelUnavailableError
from rag.models.scripted import Reply
from rag.settings import Budget
from rag.values import Passage, PassageId, Question
from tests.support.loop import MemoryCorpus, engine, purposes, scripted

QUESTION = Question("Which Java does Service Pier need?")
PASSAGES = (
    Passage(
        PassageId("p1"),
        "pier.md",
        "Set-up",
        "Service Pier needs Java 17 and PostgreSQL 15.",
        source="pier.md",
    ),
    Passage(PassageId("p2"), "desk.md", "Desk", "The desk is open from nine to five.", source="desk.md"),
    Passage(PassageId("p3"), "mail.md", "Mail", "Letters go out at noon.", source="mail.md"),
)
RIGHT, WRONG = "Service Pier needs Java 17.", "Service Pier needs Java 15."


def corpus() -> MemoryCorpus:
    return MemoryCorpus(PASSAGES)


async def test_draft_is_verified_when_a_blind_reading_of_its_passage_says_the_same() -> None:
    model = scripted(draft=RIGHT, read="17")
    answer = await engine(model, corpus()).answer(QUESTION)
    assert purposes(model, with_readings=True) == ["draft", "read"]
    assert (answer.label, answer.citations[0].document) == ("verified", "pier.md")
    assert answer.usage.by_role["reader"].calls == 1, "it stands in the ledger"
    assert ("read", "the passage says “17”") in [(step.step, str(step.detail)) for step in answer.trace]
    reading = next(request for request in model.requests if request.purpose == "read")
    assert RIGHT not in reading.messages[-1].text, "the reader is not shown what it checks"


async def test_wrong_neighbour_is_caught_and_the_documents_are_read() -> None:
    model = scripted(draft=WRONG, read="Java 17", regenerate="Service Pier needs Java 17 [1].")
    answer = await engine(model, corpus()).answer(QUESTION)
    assert (answer.label, answer.text) == ("verified", "Service Pier needs Java 17 [1].")
    assert purposes(model, with_readings=True) == ["draft", "read", "regenerate"], "the passage is read once"


async def test_text_that_stays_disputed_goes_out_unverified_and_tells_both() -> None:
    model = scripted(draft="I do not know.", read="Java 17", regenerate="Service Pier needs Java 15 [1].")
    answer = await engine(model, corpus()).answer(QUESTION)
    assert answer.label == "unverified"
    assert "Service Pier needs Java 15" in answer.text
    assert "A second reading of [1] says something else: “Java 17”" in answer.text
    assert purposes(model).count("regenerate") == 2, "it is written once more"
    again = [request for request in model.requests if request.purpose == "regenerate"][-1].messages[-1].text
    assert "Service Pier needs Java 15" in again, "the writer is shown its own words"
    assert "Java 17" in again.split("<defect>")[-1], "and what was read"


@pytest.mark.parametrize(
    "reply",
    [
        pytest.param(ModelUnavailableError("the reader is away"), id="a reader that fails"),
        pytest.param("not stated", id="a passage that does not state it"),
    ],
)
async def test_reading_that_confirms_nothing_is_never_a_pass(reply: Reply) -> None:
    model = scripted(draft=RIGHT, read=reply, regenerate="Service Pier needs Java 17 [1].")
    answer = await engine(model, corpus()).answer(QUESTION)
    assert answer.label == "unverified"


async def test_text_goes_out_unverified_when_the_budget_allows_no_reading() -> None:
    model = scripted(draft=RIGHT, read="17")
    answer = await engine(model, corpus(), budget=Budget(calls=1)).answer(QUESTION)
    assert (answer.label, answer.text) == ("unverified", f"{RIGHT.removesuffix('.')} [1].")
    assert answer.verdict.quality == "unchecked"


async def test_mode_quick_asks_nobody() -> None:
    model = scripted(draft=RIGHT)
    await engine(model, corpus(), mode="quick").answer(QUESTION)
    assert "read" not in purposes(model, with_readings=True)


async def test_second_reading_is_switched_off_by_a_setting() -> None:
    model = scripted(draft=RIGHT)
    await engine(model, corpus(), second_reading="never").answer(QUESTION)
    assert "read" not in purposes(model, with_readings=True)


async def test_small_talk_and_general_knowledge_are_not_read_again() -> None:
    model = scripted(draft="The capital of France is Paris.")
    answer = await engine(model, MemoryCorpus(())).answer(Question("What is the capital of France?"))
    assert (answer.label, purposes(model, with_readings=True)) == ("general", ["draft"])
