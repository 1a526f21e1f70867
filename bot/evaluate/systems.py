"""Builds the compared systems: one never retrieves, one always retrieves, one corrects itself.

All three use the same models, prompts and corpus. *Always* is the common design with a judge: retrieve for
every message, write from the passages, ask a judge about every answer. It makes no second attempt, so it
is cheaper than the loops that it represents.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from copy import copy
from dataclasses import replace
from typing import Literal, get_args

from rag.engine import AnswerEngine
from rag.errors import BudgetExhaustedError, ModelError
from rag.runs import candidates
from rag.runs.run import Run, Tools
from rag.steps.classify import classify
from rag.steps.draft import draft
from rag.steps.evaluate import evaluate, judge, unchecked
from rag.steps.regenerate import regenerate
from rag.steps.retrieve import retrieve
from rag.values import Answer, Question

SystemName = Literal["never", "always", "self"]
SYSTEMS: tuple[SystemName, ...] = get_args(SystemName)

System = Callable[[Question], Awaitable[Answer]]


def systems(engine: AnswerEngine) -> dict[SystemName, System]:
    """Return the three systems with the same tools; `self` is the engine unchanged."""
    unchecking = copy(engine)
    settings = engine.tools.self_correction.model_copy(update={"enabled": False, "fast_path": "always"})
    unchecking.tools = replace(engine.tools, self_correction=settings)
    return {
        "never": unchecking.answer,
        "always": lambda question: _always(question, engine.tools),
        "self": engine.answer,
    }


def without_model(engine: AnswerEngine) -> dict[SystemName, System]:
    """Return the product alone, answering without a model by quoting the documents."""
    return {"self": lambda question: engine.answer(replace(question, quote_only=True))}


async def _always(question: Question, tools: Tools) -> Answer:
    limit = tools.self_correction.history_limit
    run = Run(replace(question, history=question.history[-limit:] if limit else ()), tools)
    classification = classify(question, tools.corpus)
    found = await run.step("retrieve", lambda: retrieve(run, classification, (), frozenset()))
    if found.passages:
        text = await run.step("regenerate", lambda: regenerate(run, classification, found.passages))
    else:
        text = await run.step("draft", lambda: draft(run, classification))
    # The free checks repair the text and verify its citations here too; only their verdict is ignored.
    candidate = await run.step("evaluate", lambda: evaluate(run, classification, text, None))
    try:
        candidate = await run.step("judge", lambda: judge(run, classification, candidate, None))
    except (ModelError, BudgetExhaustedError) as exc:
        candidate = unchecked(candidate, exc.reason)
    return Answer(
        question=question.text,
        text=candidate.draft.text,
        label=candidates.choose_label(candidate, classification.intent, has_read=True),
        language=classification.language,
        verdict=candidate.verdict,
        citations=candidate.citations,
        passages=found.passages,
        used_documents=bool(found.passages),
        retries=0,
        usage=run.ledger.usage(),
        seconds=run.ledger.seconds,
        trace=run.trace,
    )
