"""A judge, reviewer, critic or refiner that hangs, from its very first call on, keeps nobody waiting."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Collection
from dataclasses import replace
from typing import Any

import pytest

from rag.engine import AnswerEngine
from rag.errors import ModelUnavailableError
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.settings import Critique, Models, Price, Prices, Review, SelfCorrection
from rag.values import Answer, Question, Verdict
from rag.verifier.scripted import ScriptedVerifier
from tests.support.loop import PROMPTS, QUESTION, MemoryCorpus

pytestmark = pytest.mark.usefixtures("no_blocking")

DRAFT = "It needs Java 11, which is what most of the machines in this house have."
UNSURE = Verdict("off_topic", as_written("not sure"), 0.4, "evidence")
REPLIES: dict[str, Reply] = {
    "draft": DRAFT,
    "review": {"status": "pass"},
    "judge": {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9},
    "critique": {"accuracy": 0.2, "helpfulness": 0.2, "completeness": 0.2, "issues": ["It is vague."]},
    "second_opinion": {"agreement": 1.0},
    "refine": {"answer": DRAFT},
}
HUNG_TEST_SECONDS = 60.0


def engine(hanging: Collection[str], **settings: Any) -> AnswerEngine:
    """A product whose model hangs in some steps, and of whose pace nothing is known."""

    async def forever() -> Reply:
        await asyncio.Event().wait()
        raise AssertionError("nobody sets it")

    def reply(request: ChatRequest) -> Reply | Awaitable[Reply]:
        return forever() if request.purpose in hanging else REPLIES[request.purpose]

    return AnswerEngine(
        ScriptedModel(reply),
        MemoryCorpus(),
        PROMPTS,
        self_correction=SelfCorrection(mode="careful", judge_patience_seconds=0.0),
        review=Review(patience_seconds=0.0),
        critique=Critique(patience_seconds=0.0, recursive=True),
        model_settings=Models(first_patience_seconds=0.05, default="openai:small"),
        verifier=lambda _asker: ScriptedVerifier(),
        **settings,
    )


async def answered(product: AnswerEngine) -> Answer:
    async with asyncio.timeout(HUNG_TEST_SECONDS):
        return await product.answer(Question(QUESTION.text))


def failed(answer: Answer) -> list[str]:
    return [line.step for line in answer.trace if "did not answer in" in str(line.detail)]


@pytest.mark.parametrize("step", ["review", "critique", "second_opinion", "refine"])
async def test_layer_that_hangs_from_its_first_call_leaves_the_answer_as_it_was(
    verdict_of: dict[str, Any], step: str
) -> None:
    answer = await answered(engine([step]))
    assert answer.text == DRAFT
    assert answer.label == "general"
    assert failed(answer) == [step]
    assert (answer.score is None) == (step in {"critique", "second_opinion"})


@pytest.mark.parametrize(
    "hanging", [["judge"], ["review", "judge", "critique"]], ids=["alone", "all at once"]
)
async def test_judge_that_hangs_from_its_first_call_leaves_the_answer_unchecked(
    verdict_of: dict[str, Any], hanging: list[str]
) -> None:
    verdict_of[DRAFT] = UNSURE
    answer = await answered(engine(hanging))
    assert (answer.text, answer.label, answer.verdict.quality) == (DRAFT, "unverified", "unchecked")
    assert failed(answer) == hanging


async def test_what_a_call_that_was_given_up_has_read_is_counted_as_the_least_it_cost(
    verdict_of: dict[str, Any],
) -> None:
    verdict_of[DRAFT] = UNSURE
    prices = Prices(models={"openai:small": Price(input=1.0, output=1.0)})
    answer = await answered(engine(["judge"], prices=prices))
    judge = answer.usage.by_role["judge"]
    assert judge.input_tokens > 100, "the prompt was sent"
    assert (judge.output_tokens, judge.unpriced_calls) == (0, 1)
    assert judge.cost == pytest.approx(judge.input_tokens / 1_000_000)


async def test_time_out_of_the_client_counts_as_a_call_that_was_given_up(verdict_of: dict[str, Any]) -> None:
    late = ModelUnavailableError("the server did not answer in 120 s")
    late.timed_out = True
    product = engine([])
    product.tools.models._script = lambda request: (  # type: ignore[attr-defined]  # the scripted model's
        late if request.purpose == "critique" else REPLIES[request.purpose]
    )
    answer = await answered(product)
    assert answer.score is None
    assert product.tools.pace.expected("critic", product.tools.model_settings.named("critic"), 32.0) == 16.0
    assert answer.usage.by_role["critic"].input_tokens > 100


@pytest.mark.parametrize("step", ["review", "critique", "refine", "second_opinion"])
async def test_ceiling_holds_from_the_first_call_however_long_calls_usually_take(
    verdict_of: dict[str, Any], step: str
) -> None:
    product = engine([step])
    product.tools = replace(
        product.tools,
        review=Review(ceiling_seconds=0.05),
        critique=Critique(ceiling_seconds=0.05, recursive=True),
        model_settings=Models(first_patience_seconds=3600.0, default="openai:small"),
    )
    for role in ("reviewer", "critic", "writer"):
        for _ in range(5):
            product.tools.pace.record(role, "openai:small", 3600.0)
    answer = await answered(product)
    assert answer.text == DRAFT
    (given_up,) = [line for line in answer.trace if "as long as it may take" in str(line.detail)]
    assert given_up.step == step
