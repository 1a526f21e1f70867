"""The critic scores the answers that need it, and a second critic says which of its points stand."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from typing import Any

import pytest

from rag.errors import ModelReplyError, ModelUnavailableError
from rag.loop import refining
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.settings import Critique, Review
from rag.values import Draft, Evidence, Verdict
from tests.support.careful_answers import BETTER, DRAFT, careful, score
from tests.support.loop import QUESTION, engine, purposes, scripted


@pytest.fixture(autouse=True)
def _common(verdict_of: dict[str, Any]) -> dict[str, Any]:
    return verdict_of


RECURSIVE = Critique(recursive=True)


@pytest.mark.parametrize(
    ("said", "settings", "opinion", "expected"),
    [
        pytest.param(score(0.8), None, None, 0.8, id="a good score"),
        pytest.param({**score(0.1), "issues": []}, None, None, 0.1, id="nothing to improve"),
        pytest.param(score(0.5), Critique(threshold=0.5), None, 0.5, id="good enough for the setting"),
        pytest.param(score(0.1), Critique(rounds=0), None, 0.1, id="no rounds only score"),
        pytest.param(score(0.1), RECURSIVE, {"agreement": 0.0}, 0.75, id="the second critic disagrees"),
        pytest.param(score(0.1), RECURSIVE, {"agreement": 0.9, "rejected": [1]}, 0.165, id="no point stands"),
    ],
)
async def test_answer_that_is_not_refined_goes_out_as_it_is_with_its_score(
    said: Reply, settings: Critique | None, opinion: Reply | None, expected: float
) -> None:
    replies: dict[str, Any] = {} if opinion is None else {"second_opinion": opinion}
    answer, asked, _ = await careful(said, critique=settings, **replies)
    assert asked == ["critique", *replies]
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(expected)


async def test_scores_and_points_of_the_critic_are_in_the_trail() -> None:
    answer, _, _ = await careful([score(0.5, "It is vague."), score(0.9)])
    steps = [step for step in answer.trace if step.step == "critique"]
    assert [step.detail.values["score"] for step in steps] == [50, 90]
    assert [note.values["text"] for note in steps[0].notes] == ["It is vague."]


@pytest.mark.parametrize(
    ("value", "asked"), [(0.74, ["critique", "refine", "critique"]), (0.75, ["critique"])]
)
async def test_threshold_is_three_quarters(value: float, asked: list[str]) -> None:
    assert (await careful([score(value), score(0.9)]))[1] == asked


async def test_short_answer_passes_untouched() -> None:
    answer, asked, _ = await careful(score(0.1), draft="x" * 48 + ".")
    assert asked == []
    assert answer.score is None
    assert (await careful(score(0.9), draft="x" * 49 + "."))[1] == ["critique"]


async def test_verified_answer_is_not_criticised(verdict_of: dict[str, Any]) -> None:
    verdict_of[DRAFT] = "cited"
    answer, asked, _ = await careful(score(0.1))
    assert (asked, answer.label, answer.score) == ([], "verified", None)


async def test_honest_refusal_is_not_criticised(verdict_of: dict[str, Any]) -> None:
    refusal = "The documents that I have been shown do not say which Java FxStore needs."
    verdict_of.update({DRAFT: "needs_docs", refusal: "needs_docs"})
    answer, asked, _ = await careful(score(0.1), regenerate=refusal, read="not stated")
    assert answer.label == "not_in_documents"
    assert "critique" not in asked


@pytest.mark.parametrize(("refusal", "wanted"), [(0.0, True), (0.3, True), (0.5, False), (1.0, False)])
def test_text_that_declines_is_not_criticised_whatever_its_label(refusal: float, wanted: bool) -> None:
    verdict = Verdict("needs_docs", as_written("it declines"), 0.9, "evidence")
    text = "I do not know how many days ahead a holiday has to be asked for."
    candidate = Candidate(Draft(text), verdict, Evidence(covered=1.0, supported=0.0, refusal=refusal))
    run = Run(replace(QUESTION, mode="careful"), engine(scripted()).tools)
    assert refining.needs_critic(run, candidate, "unverified", "question") is wanted


async def test_critic_reads_the_beginning_of_a_long_question_and_answer() -> None:
    long = replace(QUESTION, text="Why so? " + "q" * 3000)
    _, asked, model = await careful(score(0.1), question=long, draft="A " * 1500 + "end.")
    shown = model.requests[-1].messages[-1].text
    assert shown.count("q") <= 510
    assert 990 <= shown.count("A ") <= 1010, "2,000 characters"
    assert asked == ["critique"], "what is not read to its end is not written anew"


@pytest.mark.parametrize(
    "fault",
    [
        pytest.param(ModelReplyError("no JSON"), id="garbage"),
        pytest.param(ModelUnavailableError("too slow"), id="slow"),
        pytest.param({"accuracy": "NaN"}, id="no score"),
        pytest.param("Great answer!", id="no JSON"),
    ],
)
async def test_critic_that_fails_leaves_the_answer_visibly_unscored(fault: Reply) -> None:
    answer, asked, _ = await careful(fault)
    assert (answer.text, answer.score, answer.failure) == (DRAFT, None, None)
    assert asked == ["critique"]
    assert any(step.step == "critique" and step.detail.code == "step-failed" for step in answer.trace)


async def test_second_critic_that_agrees_lets_it_be_refined() -> None:
    answer, asked, _ = await careful([score(0.1), score(0.9)], critique=Critique(recursive=True))
    assert asked == ["critique", "second_opinion", "refine", "critique", "second_opinion"]
    assert answer.text == BETTER


@pytest.mark.parametrize("agreement", [0.1, 0.5, 1.0])
async def test_worse_version_gets_no_better_by_doubts_about_its_critique(agreement: float) -> None:
    answer, _, _ = await careful(
        [score(0.7), score(0.0)],
        critique=Critique(recursive=True),
        second_opinion=[{"agreement": 1.0}, {"agreement": agreement}],
    )
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.7)


@pytest.mark.parametrize("role", ["reviewer", "critic"])
async def test_layer_that_hangs_is_left_out_when_it_takes_longer_than_usual(role: str) -> None:
    async def reply(request: ChatRequest) -> Reply:
        if request.role == role:
            await asyncio.Event().wait()
        if request.purpose == "review":
            return {"status": "pass"}
        return score(0.9) if request.purpose == "critique" else DRAFT

    product = engine(
        ScriptedModel(reply),
        mode="careful",
        review=Review(patience_seconds=0.0),
        critique=Critique(patience_seconds=0.0),
    )
    for _ in range(5):
        product.tools.pace.record(role, product.tools.model_settings.named(role), 0.01)
    answer = await product.answer(QUESTION)
    assert answer.text == DRAFT
    assert (answer.score is None) == (role == "critic")
    assert any("longer than it usually takes" in str(step.detail) for step in answer.trace)


async def test_faulty_text_is_scored_but_not_refined_because_nothing_can_be_compared_with_it(
    verdict_of: dict[str, Any],
) -> None:
    verdict_of[DRAFT] = "faulty"
    model = scripted(draft=DRAFT, critique=[score(0.2), score(0.9)], refine={"answer": BETTER})
    answer = await engine(model, mode="careful", max_retries=0).answer(QUESTION)
    assert purposes(model) == ["draft", "critique"]
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.2)


async def test_points_that_the_second_critic_rejects_do_not_reach_the_refiner() -> None:
    said = {**score(0.1, "It is vague.", "It names no figure."), "suggestions": ["Name the team.", "Add 42."]}
    answer, _, model = await careful(
        [said, score(0.9)],
        critique=Critique(recursive=True),
        second_opinion=[
            {"agreement": 0.8, "reasoning": "No figure was asked for.", "rejected": [2, "4", 9, "x", None]},
            {"agreement": 1.0, "rejected": "none"},
        ],
    )
    told = next(request for request in model.requests if request.purpose == "refine").messages[-1].text
    assert ("It is vague." in told, "Name the team." in told) == (True, True)
    assert ("no figure" in told, "42" in told) == (False, False)
    asked = next(request for request in model.requests if request.purpose == "second_opinion")
    for point in ("1. It is vague.", "2. It names no figure.", "3. Name the team.", "4. Add 42."):
        assert point in asked.messages[-1].text
    first = next(step for step in answer.trace if step.step == "second_opinion")
    assert [(note.code, note.values["text"]) for note in first.notes] == [
        ("second-critic-said", "No figure was asked for."),
        ("critic-point-rejected", "It names no figure."),
        ("critic-point-rejected", "Add 42."),
    ]
    assert answer.text == BETTER
