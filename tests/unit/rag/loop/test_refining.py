"""An answer that the critic finds poor is written anew, and the best version of it goes out."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rag.errors import ModelReplyError, ModelUnavailableError
from rag.models.scripted import Reply
from rag.reasons import as_written
from rag.settings import Critique
from rag.values import Question, Verdict
from tests.support.careful_answers import BEST, BETTER, CONVERSATION, DRAFT, careful, score, written
from tests.support.loop import QUESTION, UndecidedVerifier, engine, purposes, scripted


@pytest.fixture(autouse=True)
def _common(verdict_of: dict[str, Any]) -> dict[str, Any]:
    return verdict_of


async def test_low_score_is_refined_and_the_better_version_goes_out() -> None:
    answer, asked, _ = await careful([score(0.5), score(0.9)])
    assert asked == ["critique", "refine", "critique"]
    assert answer.text == BETTER
    assert answer.score == pytest.approx(0.9)
    assert answer.label == "general"


@pytest.mark.parametrize(("second", "text"), [(0.4, DRAFT), (0.5, BETTER)], ids=["less", "the same"])
async def test_version_is_thrown_away_if_it_scores_less(second: float, text: str) -> None:
    answer, _, _ = await careful([score(0.5), score(second)])
    assert answer.text == text
    assert answer.score == pytest.approx(0.5)


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
    ("refined", "said"),
    [
        pytest.param("Ich weiß.", "faulty", id="a fault in it"),
        pytest.param("It may be so that FxStore is a shop, who knows.", "hallucination", id="worse verdict"),
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
    answer, _, _ = await careful([score(0.5), score(1.0)], refined, draft=draft, verifier=UndecidedVerifier())
    assert answer.text == refined


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


async def test_refined_answer_keeps_the_text_before_it() -> None:
    answer, _, _ = await careful([score(0.3), score(0.6), score(0.7)], [BETTER, BEST], CONVERSATION)
    assert (answer.text, answer.unrefined) == (BEST, DRAFT)


@pytest.mark.parametrize("critiques", [score(0.8), [score(0.5), score(0.4)], ModelReplyError("no JSON")])
async def test_answer_that_went_out_as_it_was_names_no_other_version(
    critiques: Reply | Sequence[Reply],
) -> None:
    answer, _, _ = await careful(critiques)
    assert (answer.text, answer.unrefined) == (DRAFT, "")
