from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import ModelReplyError, ModelUnavailableError
from rag.loop import refining
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.runs.candidates import Candidate
from rag.runs.run import Run
from rag.settings import Critique, Review
from rag.values import Answer, Draft, Evidence, Question, Turn, Verdict
from tests.support.loop import QUESTION, engine, purposes, scripted

DRAFT = "FxStore is a shop for small programs, and it was written in Java long ago."
BETTER = "FxStore is a shop for small programs. It was written in Java, long ago, by a team."
BEST = "FxStore is a shop for small programs; a team wrote it in Java, and that was long ago."
CONVERSATION = replace(QUESTION, history=(Turn("user", "Hello!"), Turn("assistant", "Hello.")))


def score(value: float, *issues: str) -> dict[str, Any]:
    return {
        "accuracy": value,
        "helpfulness": value,
        "completeness": value,
        "issues": list(issues or ["it is vague"]),
    }


def written(text: Reply) -> Reply:
    """What the refiner replies when it writes a text; anything else is a fault of its own."""
    return {"answer": text} if isinstance(text, str) else text


async def careful(
    critiques: Reply | Sequence[Reply],
    refined: Reply | list[str] = BETTER,
    question: Question = QUESTION,
    critique: Critique | None = None,
    **replies: Reply | Sequence[Reply],
) -> tuple[Answer, list[str], ScriptedModel]:
    versions = [written(text) for text in refined] if isinstance(refined, list) else written(refined)
    model = scripted(**{"draft": DRAFT, "critique": critiques, "refine": versions, **replies})
    answer = await engine(model, mode="careful", critique=critique).answer(question)
    return answer, [name for name in purposes(model) if name not in {"draft", "review"}], model


@pytest.fixture(autouse=True)
def _common(verdict_of: dict[str, Any]) -> dict[str, Any]:
    return verdict_of


async def test_good_score_leaves_the_answer_as_it_is() -> None:
    answer, asked, _ = await careful(score(0.8))
    assert asked == ["critique"]
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.8)


async def test_low_score_is_refined_and_the_better_version_goes_out() -> None:
    answer, asked, _ = await careful([score(0.5), score(0.9)])
    assert asked == ["critique", "refine", "critique"]
    assert answer.text == BETTER
    assert answer.score == pytest.approx(0.9)
    assert answer.label == "general"


async def test_scores_are_in_the_trail() -> None:
    answer, _, _ = await careful([score(0.5), score(0.9)])
    details = [step.detail for step in answer.trace if step.step == "critique"]
    assert [detail.values["score"] for detail in details] == [50, 90]


async def test_low_score_without_anything_to_improve_is_not_refined() -> None:
    said = {**score(0.1), "issues": [], "suggestions": []}
    answer, asked, _ = await careful(said)
    assert asked == ["critique"]
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.1)


async def test_version_that_scores_less_is_thrown_away() -> None:
    answer, _, _ = await careful([score(0.5), score(0.4)])
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.5)


async def test_version_that_scores_the_same_is_kept() -> None:
    answer, _, _ = await careful([score(0.5), score(0.5)])
    assert answer.text == BETTER


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        pytest.param(QUESTION, ["critique", "refine", "critique"], id="one round elsewhere"),
        pytest.param(
            CONVERSATION, ["critique", "refine", "critique", "refine", "critique"], id="two in a conversation"
        ),
    ],
)
async def test_rounds_are_bounded(question: Question, expected: list[str]) -> None:
    _, asked, _ = await careful(score(0.1), [BETTER, BEST, DRAFT, BETTER], question)
    assert asked == expected


async def test_best_version_is_sent_and_not_the_last() -> None:
    answer, _, _ = await careful([score(0.3), score(0.6), score(0.5)], [BETTER, BEST], CONVERSATION)
    assert answer.text == BETTER
    assert answer.score == pytest.approx(0.6)


@pytest.mark.parametrize(
    ("value", "asked"), [(0.74, ["critique", "refine", "critique"]), (0.75, ["critique"])]
)
async def test_threshold_is_three_quarters(value: float, asked: list[str]) -> None:
    assert (await careful([score(value), score(0.9)]))[1] == asked


async def test_threshold_is_a_setting() -> None:
    _, asked, _ = await careful(score(0.5), critique=Critique(threshold=0.5))
    assert asked == ["critique"]


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


@pytest.mark.parametrize("mode", ["quick", "balanced"])
async def test_other_modes_ask_no_critic(mode: str) -> None:
    model = scripted(draft=DRAFT, critique=score(0.1))
    answer = await engine(model, mode=mode).answer(QUESTION)
    assert purposes(model) == ["draft"]
    assert answer.score is None


async def test_critic_is_switched_off_by_one_setting() -> None:
    answer, asked, _ = await careful(score(0.1), critique=Critique(enabled=False))
    assert (answer.text, asked, answer.score) == (DRAFT, [], None)


async def test_no_rounds_only_score() -> None:
    answer, asked, _ = await careful(score(0.1), critique=Critique(rounds=0))
    assert (answer.text, asked) == (DRAFT, ["critique"])
    assert answer.score == pytest.approx(0.1)


async def test_critic_reads_the_beginning_of_a_long_question_and_answer() -> None:
    long = replace(QUESTION, text="Why so? " + "q" * 3000)
    _, asked, model = await careful(score(0.1), question=long, draft="A " * 1500 + "end.")
    shown = model.requests[-1].messages[-1].text
    assert shown.count("q") <= 510
    assert 990 <= shown.count("A ") <= 1010, "2,000 characters"
    assert asked == ["critique"], "what is not read to its end is not written anew"


@pytest.mark.parametrize(
    ("refined", "said"),
    [
        pytest.param("Ich weiß.", "faulty", id="a fault in it"),
        pytest.param("It may be so that FxStore is a shop, who knows.", "hallucination", id="worse verdict"),
        pytest.param(f"{DRAFT} Please note that this may be outdated.", "adequate", id="a disclaimer"),
    ],
)
async def test_refinement_that_code_finds_worse_is_not_even_scored(
    verdict_of: dict[str, Any], refined: str, said: str
) -> None:
    verdict_of[refined] = said
    answer, asked, _ = await careful([score(0.5), score(1.0)], refined)
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.5)
    assert asked == ["critique", "refine"]
    assert any(step.detail.code == "change-refused" for step in answer.trace)


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


@pytest.mark.parametrize(
    ("critiques", "refined"),
    [
        pytest.param(score(0.5), ModelUnavailableError("down"), id="the refiner fails"),
        pytest.param([score(0.5), ModelReplyError("no JSON")], BETTER, id="the second critique fails"),
        pytest.param(score(0.5), DRAFT, id="the refiner changes nothing"),
        pytest.param(score(0.5), " ", id="the refiner says nothing"),
        pytest.param(score(0.5), {"text": BETTER}, id="the refiner writes another form"),
        pytest.param(score(0.5), f"<answer>\n{DRAFT}\n</answer>\n{BETTER}", id="the refiner echoes"),
    ],
)
async def test_refinement_that_fails_leaves_the_scored_answer(
    critiques: Reply | Sequence[Reply], refined: Reply
) -> None:
    answer, _, _ = await careful(critiques, refined)
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.5)


async def test_second_critic_weights_the_score() -> None:
    settings = Critique(recursive=True)
    answer, asked, _ = await careful(score(0.1), critique=settings, second_opinion={"agreement": 0.0})
    assert asked == ["critique", "second_opinion"]
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.75)


async def test_second_critic_that_agrees_lets_it_be_refined() -> None:
    answer, asked, _ = await careful([score(0.1), score(0.9)], critique=Critique(recursive=True))
    assert asked == ["critique", "second_opinion", "refine", "critique", "second_opinion"]
    assert answer.text == BETTER


@pytest.mark.parametrize(
    "refined",
    [
        pytest.param("Hamlet was written by Christopher Marlowe around 1600, so they say.", id="a name"),
        pytest.param("Hamlet was written by William Shakespeare around 1700, so they say.", id="a number"),
    ],
)
async def test_refiner_that_lies_spoils_no_answer_though_the_critic_likes_it(refined: str) -> None:
    draft = "Hamlet was written by William Shakespeare around the year 1600."
    question = replace(QUESTION, text="Who wrote Hamlet?")
    answer, _, _ = await careful([score(0.5), score(1.0)], refined, question, draft=draft)
    assert answer.text == draft
    assert any("only the refiner says" in str(step.detail) for step in answer.trace)


async def test_refiner_may_name_what_the_passages_state(verdict_of: dict[str, Any]) -> None:
    draft = "FxStore needs some version of Java, and it has to be a new one."
    verdict_of[draft] = Verdict("off_topic", as_written("not sure"), 0.4, "evidence")
    refined = "FxStore needs Java 17, which is some version of Java, and a new one."
    answer, _, _ = await careful([score(0.5), score(1.0)], refined, draft=draft)
    assert answer.text == refined


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


@given(st.lists(st.tuples(st.floats(0, 1), st.sampled_from([DRAFT, BETTER, BEST])), min_size=6, max_size=6))
def test_what_goes_out_never_scores_less_than_what_came_in(rounds: list[tuple[float, str]]) -> None:
    critiques = [score(value) for value, _ in rounds]
    texts = [text for _, text in rounds]
    model = scripted(draft=DRAFT, critique=critiques, refine=[written(text) for text in texts])
    product = engine(model, mode="careful", critique=Critique(rounds=5))
    answer = asyncio.run(product.answer(QUESTION))
    asked = purposes(model).count("critique")
    assert len(model.requests) <= 8
    assert answer.score is not None
    assert answer.score >= rounds[0][0] - 1e-9
    assert answer.score == pytest.approx(max(value for value, _ in rounds[:asked]))


async def test_unsure_verdict_of_a_judge_is_kept_for_the_refined_text(verdict_of: dict[str, Any]) -> None:
    verdict_of.update(
        dict.fromkeys([DRAFT, BETTER], Verdict("off_topic", as_written("not sure"), 0.4, "evidence"))
    )
    answer, _, _ = await careful([score(0.5), score(0.9)])
    assert (answer.text, answer.verdict.source) == (BETTER, "judge")


@pytest.mark.parametrize(
    ("judge", "quality"),
    [
        pytest.param(
            {"answer_quality": "hallucination", "reason": "invented", "confidence": 0.9},
            "hallucination",
            id="the judge was against it",
        ),
        pytest.param(ModelReplyError("no JSON"), "unchecked", id="the judge failed"),
    ],
)
async def test_refined_text_that_the_evidence_leaves_open_is_not_taken_for_better(
    verdict_of: dict[str, Any], judge: Reply, quality: str
) -> None:
    verdict_of[DRAFT] = Verdict("off_topic", as_written("not sure"), 0.4, "evidence")
    verdict_of[BETTER] = Verdict("adequate", as_written("not sure"), 0.4, "evidence")
    model = scripted(draft=DRAFT, judge=judge, critique=[score(0.5), score(0.9)], refine={"answer": BETTER})
    answer = await engine(model, mode="careful", max_retries=0).answer(QUESTION)
    assert (answer.text, answer.label, answer.verdict.quality) == (BETTER, "unverified", quality)


async def test_refined_text_that_the_evidence_is_less_sure_of_is_refused(verdict_of: dict[str, Any]) -> None:
    verdict_of[BETTER] = Verdict("adequate", as_written("not sure"), 0.4, "evidence")
    answer, asked, _ = await careful([score(0.5), score(0.9)])
    assert (answer.text, asked) == (DRAFT, ["critique", "refine"])
    assert any("less sure" in str(step.detail) for step in answer.trace)


async def test_faulty_text_is_scored_but_not_refined_because_nothing_can_be_compared_with_it(
    verdict_of: dict[str, Any],
) -> None:
    verdict_of[DRAFT] = "faulty"
    model = scripted(draft=DRAFT, critique=[score(0.2), score(0.9)], refine={"answer": BETTER})
    answer = await engine(model, mode="careful", max_retries=0).answer(QUESTION)
    assert purposes(model) == ["draft", "critique"]
    assert answer.text == DRAFT
    assert answer.score == pytest.approx(0.2)


async def test_refined_answer_keeps_the_text_before_it() -> None:
    answer, _, _ = await careful([score(0.3), score(0.6), score(0.7)], [BETTER, BEST], CONVERSATION)
    assert (answer.text, answer.unrefined) == (BEST, DRAFT)


@pytest.mark.parametrize("critiques", [score(0.8), [score(0.5), score(0.4)], ModelReplyError("no JSON")])
async def test_answer_that_went_out_as_it_was_names_no_other_version(
    critiques: Reply | Sequence[Reply],
) -> None:
    answer, _, _ = await careful(critiques)
    assert (answer.text, answer.unrefined) == (DRAFT, "")


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


async def test_critique_without_a_point_that_stands_is_not_refined() -> None:
    answer, asked, _ = await careful(
        score(0.1),
        critique=Critique(recursive=True),
        second_opinion={"agreement": 0.9, "rejected": [1]},
    )
    assert asked == ["critique", "second_opinion"]
    assert answer.text == DRAFT


async def test_points_of_the_critic_are_in_the_trail() -> None:
    answer, _, _ = await careful([score(0.5, "It is vague."), score(0.9)])
    first = next(step for step in answer.trace if step.step == "critique")
    assert [note.values["text"] for note in first.notes] == ["It is vague."]
