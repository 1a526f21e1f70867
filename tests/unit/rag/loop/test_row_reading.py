"""Questions about all rows of a table: code answers, whatever a model says."""

from __future__ import annotations

import pytest

from rag.values import Passage, PassageId, Question
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import MemoryCorpus, engine, purposes, scripted

PLANS = Passage(
    PassageId("p1"),
    "plans.md",
    "Plans",
    "| Plan | Price | Users |\n| --- | --- | --- |\n| Start | 9 € | 3 |\n| Team | 29 € | 25 |",
    source="plans.md",
)
OTHER = Passage(PassageId("p2"), "other.md", "Plans", PLANS.text.replace("9 €", "8 €"), source="other.md")
CHEAPEST = Question("Which plan is the cheapest?")


@pytest.mark.parametrize("answer_from", ["writer", "reader"])
async def test_row_goes_out_verified_whatever_the_draft_says(answer_from: str) -> None:
    model = scripted(draft="Team is the cheapest plan.")
    answer = await engine(model, MemoryCorpus((PLANS,)), answer_from=answer_from).answer(CHEAPEST)
    assert answer.label == "verified"
    assert answer.text.startswith("Start: Price 9 €")
    assert answer.citations[0].quote == "| Start | 9 € | 3 |"
    assert "regenerate" not in purposes(model)


async def test_rows_are_counted_without_a_model() -> None:
    model = scripted()
    asked = Question("How many plans are there?", quote_only=True)
    answer = await engine(model, MemoryCorpus((PLANS,))).answer(asked)
    assert (answer.label, purposes(model)) == ("verified", [])
    assert "Start, Team" in answer.text


async def test_two_documents_that_answer_leave_it_open() -> None:
    knowing = ScriptedVerifier({"Which plan": "Start"})
    corpus = MemoryCorpus((PLANS, OTHER))
    answer = await engine(scripted(), corpus, answer_from="reader", verifier=knowing).answer(CHEAPEST)
    assert answer.label == "unverified"
