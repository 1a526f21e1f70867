"""A question that is taken up again after a crash ends as it would have ended."""

from __future__ import annotations

import asyncio
import pickle
from collections import Counter
from collections.abc import Awaitable, Callable
from contextvars import ContextVar
from dataclasses import replace
from typing import Any

import pytest

from rag.errors import ModelReplyError, ModelUnavailableError, ThinkTwiceError
from rag.models.chat import ChatRequest, Completion
from rag.models.scripted import Reply, ScriptedModel
from rag.reasons import as_written
from rag.settings import Budget, Critique, Models
from rag.values import Answer, Passage, Question, Turn, Verdict
from tests.support.loop import PASSAGES, QUESTION, MemoryCorpus, engine

pytestmark = pytest.mark.usefixtures("no_blocking")

_STEP: ContextVar[str] = ContextVar("step")
LONG = "It needs Java 17, and no other version of Java is known to work with it."
BETTER = "It needs Java 17. No other version of Java is known to work with it at all."
UNSURE = Verdict("off_topic", as_written("not sure"), 0.4, "evidence")


class Recorder:
    """Carries out steps and records what comes of them, as bytes; a known step is handed back."""

    def __init__(self, known: dict[str, bytes] | None = None) -> None:
        self.records = dict(known or {})
        self.carried_out: list[str] = []

    async def __call__(
        self, name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Any:
        if name not in self.records:
            self.carried_out.append(name)
            _STEP.set(name)
            try:
                outcome: object = await work()
            except ThinkTwiceError as exc:
                outcome = exc
            self.records[name] = pickle.dumps(outcome)
        outcome = pickle.loads(self.records[name])
        if isinstance(outcome, ThinkTwiceError):
            raise outcome
        return outcome


class StepModel:
    """Says what the script has for the step at work, whatever was asked before."""

    def __init__(self, script: dict[str, Reply]) -> None:
        self._script = script
        self.asked: list[str] = []

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        self.asked.append(_STEP.get())
        reply = self._script[_STEP.get()]
        return await ScriptedModel(lambda _request: reply).complete(request, on_text)


def told(answer: Answer) -> object:
    """Everything of an answer but the clock."""
    trace = tuple(replace(step, milliseconds=0.0) for step in answer.trace)
    usage = replace(answer.usage, seconds=0.0, by_role={})
    return replace(answer, trace=trace, usage=usage, seconds=0.0), Counter(
        {role: usage.tokens for role, usage in answer.usage.by_role.items()}
    )


WAYS: dict[str, tuple[dict[str, Reply], dict[str, Any], dict[str, Any]]] = {
    "two corrections": (
        {
            "draft": "It needs Java 11.",
            "regenerate": "The documents do not say.",
            "rewrite": {"query": "FxStore runtime"},
            "regenerate 2": "It needs Java 17 [1].",
        },
        {
            "It needs Java 11.": "hallucination",
            "The documents do not say.": "needs_docs",
            "It needs Java 17 [1].": "cited",
        },
        {},
    ),
    "a judge that fails": (
        {"draft": "Perhaps.", "judge": ModelReplyError("no JSON")},
        {"Perhaps.": UNSURE},
        {},
    ),
    "off topic": (
        {
            "draft": "Perhaps.",
            "judge": {"answer_quality": "off_topic", "reason": "why", "confidence": 0.9},
            "classify 2": {"intent": "question", "question": "Which Java?"},
            "draft 2": "17",
        },
        {"Perhaps.": UNSURE},
        {},
    ),
    "a text that is cut off twice": (
        {"draft": "One. Two", "continue": "and three", "draft 2": "One, two, three."},
        {"One. Two": "cut", "One. and three": "cut"},
        {},
    ),
    "a model that dies": (
        {"draft": "It needs Java 11.", "regenerate": ModelUnavailableError("down")},
        {"It needs Java 11.": "hallucination"},
        {},
    ),
    "no model at all": (
        {"draft": ModelUnavailableError("down"), "regenerate": ModelUnavailableError("down")},
        {},
        {"model_settings": Models(writer="ollama:other")},
    ),
    "a budget that ends": (
        {"draft": "It needs Java 11.", "regenerate": "It needs Java 17 [1]."},
        {"It needs Java 11.": "hallucination", "It needs Java 17 [1].": "hallucination"},
        {"budget": Budget(calls=2), "max_retries": 5},
    ),
    "a failed call that uses up the budget": (
        {"draft": ModelUnavailableError("down")},
        {},
        {"budget": Budget(calls=1)},
    ),
    "a reviewer that mends, and a judge that doubts": (
        {
            "draft": LONG,
            "review": {
                "status": "flag_to_judge",
                "issues": [{"type": "logic", "severity": "complex", "description": "says no twice"}],
            },
            "judge": {"answer_quality": "hallucination", "reason": "why", "confidence": 0.9},
            "draft 2": BETTER,
            "review 2": {"status": "pass"},
            "critique": {"accuracy": 1.0, "helpfulness": 1.0, "completeness": 1.0},
        },
        {},
        {"mode": "careful"},
    ),
    "a refinement in two rounds, with second opinions": (
        {
            "draft": LONG,
            "review": ModelReplyError("no JSON"),
            "critique": {"accuracy": 0.5, "helpfulness": 0.5, "completeness": 0.5, "issues": ["vague"]},
            "second_opinion": {"agreement": 1.0},
            "refine": {"answer": BETTER},
            "critique 2": {"accuracy": 0.6, "helpfulness": 0.6, "completeness": 0.6, "issues": ["vague"]},
            "second_opinion 2": {"agreement": 0.9},
            "refine 2": ModelUnavailableError("down"),
        },
        {},
        {"mode": "careful", "critique": Critique(recursive=True)},
    ),
}


@pytest.mark.parametrize(
    ("script", "said", "settings"), [pytest.param(*way, id=name) for name, way in WAYS.items()]
)
async def test_answer_is_the_same_after_a_crash_behind_any_step(
    verdict_of: dict[str, Any], script: dict[str, Reply], said: dict[str, Any], settings: dict[str, Any]
) -> None:
    verdict_of.update(said)
    question = replace(
        QUESTION, history=(Turn("user", "Hello, what is FxStore?"), Turn("assistant", "A store."))
    )
    first, model = Recorder(), StepModel(script)
    answer = await engine(model, **settings).answer(question, run_step=first)
    assert set(model.asked) == set(script), "the way that the table means"
    for length in range(len(first.carried_out) + 1):
        known = {name: first.records[name] for name in first.carried_out[:length]}
        again, rest = Recorder(known), StepModel(script)
        repeated = await engine(rest, **settings).answer(question, run_step=again)
        assert told(repeated) == told(answer), first.carried_out[:length]
        assert sorted(again.carried_out) == sorted(first.carried_out[length:])
        assert not set(rest.asked) & set(known), "nothing is paid for twice"


async def test_time_out_of_a_step_is_recorded_as_what_came_of_it(verdict_of: dict[str, Any]) -> None:
    async def hang(_request: ChatRequest) -> Reply:
        await asyncio.Event().wait()
        return ""

    slow = Recorder()
    answer = await engine(ScriptedModel(hang), budget=Budget(seconds=0.05)).answer(QUESTION, run_step=slow)
    assert "used up" in answer.text
    assert answer.label == "unverified"
    # The machine is quick this time, and the model would answer: the question goes its recorded way.
    quick = Recorder(slow.records)
    repeated = await engine(ScriptedModel("17")).answer(QUESTION, run_step=quick)
    assert repeated.text == answer.text
    assert quick.carried_out == []
    assert repeated.usage.calls == answer.usage.calls == 1


async def test_question_that_a_step_cannot_take_up_again_costs_what_failed(
    verdict_of: dict[str, Any],
) -> None:
    failed = ModelReplyError("no JSON")
    failed.calls, failed.input_tokens, failed.output_tokens = 2, 100, 20
    verdict_of["Perhaps."] = UNSURE
    recorder = Recorder()
    await engine(StepModel({"draft": "Perhaps.", "judge": failed})).answer(QUESTION, run_step=recorder)
    answer = await engine(StepModel({})).answer(Question(QUESTION.text), run_step=Recorder(recorder.records))
    judged = answer.usage.by_role["judge"]
    assert (judged.calls, judged.input_tokens, judged.output_tokens) == (2, 100, 20)
    assert next(step.tokens for step in answer.trace if step.step == "judge") == 120


@pytest.mark.parametrize(("before", "after"), [((), PASSAGES), (PASSAGES, ())], ids=["come", "go"])
@pytest.mark.usefixtures("verdict_of")
async def test_question_goes_its_recorded_way_when_documents_come_or_go(
    before: tuple[Passage, ...], after: tuple[Passage, ...]
) -> None:
    first = Recorder()
    answer = await engine(StepModel({"draft": "Hello there."}), MemoryCorpus(before), judge=False).answer(
        QUESTION, run_step=first
    )
    known = {name: first.records[name] for name in ("classify", "draft")}
    again = Recorder(known)
    repeated = await engine(StepModel({}), MemoryCorpus(after), judge=False).answer(QUESTION, run_step=again)
    # What the search finds now is read, if it finds anything.
    ways = [[step.step for step in one.trace if step.step != "cover"] for one in (repeated, answer)]
    assert ways[0] == ways[1]
