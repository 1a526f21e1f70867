"""The budget of a question: what it cuts off, what is sent when it ends, and what is counted."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from rag.knowledge.search import SearchResult
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.runs import work as work_module
from rag.settings import Budget
from rag.values import Verdict
from tests.support.loop import QUESTION, MemoryCorpus, engine, scripted

pytestmark = pytest.mark.usefixtures("no_blocking")


async def test_budget_that_ends_before_the_writer_leaves_the_passages_to_the_reader(
    verdicts: list[str],
) -> None:
    verdicts[:] = ["needs_docs"]
    answer = await engine(scripted(), budget=Budget(calls=1)).answer(QUESTION)
    assert "FxStore needs Java 17." in answer.text
    assert "budget" in answer.text
    assert answer.label == "unverified"


@pytest.mark.parametrize(
    ("budget", "calls"),
    [
        pytest.param(Budget(calls=1), 1, id="calls"),
        pytest.param(Budget(tokens=1), 1, id="tokens"),
        pytest.param(Budget(calls=2), 2, id="one correction"),
    ],
)
async def test_used_up_budget_sends_the_best_answer_so_far(
    verdicts: list[str], budget: Budget, calls: int
) -> None:
    verdicts[:] = ["hallucination"] * 5
    model = scripted()
    answer = await engine(model, budget=budget, max_retries=5).answer(QUESTION)
    assert len(model.requests) == calls
    assert answer.usage.calls == calls
    assert answer.label == "unverified"
    assert any("budget" in str(step.detail) for step in answer.trace)


async def test_model_that_hangs_is_cut_off_by_the_budget(verdicts: list[str]) -> None:
    async def hang(_request: object) -> Reply:
        await asyncio.Event().wait()
        return ""

    answer = await engine(ScriptedModel(hang), budget=Budget(seconds=0.05)).answer(QUESTION)
    assert answer.label == "unverified"
    assert "used up" in answer.text


async def test_embedding_server_that_hangs_is_cut_off_by_the_budget(
    verdicts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    class HangingCorpus(MemoryCorpus):
        async def search(self, *args: Any, **kwargs: Any) -> SearchResult:
            await asyncio.Event().wait()
            raise AssertionError

    monkeypatch.setattr(work_module, "_GRACE_SECONDS", 0.05)
    answer = await engine(scripted(), HangingCorpus(), budget=Budget(seconds=0.05)).answer(QUESTION)
    assert answer.label == "unverified"
    assert any("budget" in str(step.detail) for step in answer.trace if step.step == "probe")


async def test_call_that_the_budget_ends_is_counted(
    verdicts: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The step's own end comes a moment later than the call's, also without the seconds of grace."""

    async def hang(_request: object) -> Reply:
        await asyncio.Event().wait()
        return ""

    monkeypatch.setattr(work_module, "_GRACE_SECONDS", 0.0)
    answer = await engine(ScriptedModel(hang), budget=Budget(seconds=0.2)).answer(QUESTION)
    assert answer.usage.by_role["draft"].calls == 1
    assert answer.usage.by_role["draft"].input_tokens > 0


async def test_ledger_tells_calls_and_tokens_by_role(verdicts: list[Any]) -> None:
    verdicts[:] = [Verdict("off_topic", as_written("not sure"), 0.4, "evidence"), "cited"]
    model = scripted(judge={"answer_quality": "needs_docs", "reason": "vague", "confidence": 0.9})
    answer = await engine(model).answer(QUESTION)
    assert {role: usage.calls for role, usage in answer.usage.by_role.items()} == {
        "draft": 1,
        "judge": 1,
        "writer": 1,
    }
    assert answer.usage.tokens == sum(usage.tokens for usage in answer.usage.by_role.values())
