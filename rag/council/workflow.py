"""A council from beginning to end. Read `hold` from top to bottom."""

from __future__ import annotations

import asyncio
import secrets
from contextlib import suppress
from dataclasses import replace

from rag.council.aggregation import rank_members
from rag.council.conclude import conclude
from rag.council.correct import correct
from rag.council.members import Assignment
from rag.council.propose import propose
from rag.council.record import stage_to_json
from rag.council.review import review
from rag.errors import BudgetExhaustedError, ModelError, OperatorError
from rag.events import CouncilEvent
from rag.knowledge.search import SearchResult
from rag.loop import composing
from rag.loop.checking import check_text
from rag.loop.state import State
from rag.reasons import Reason
from rag.runs.run import Outcome, Run, Tools
from rag.steps.classify import classify
from rag.steps.retrieve import retrieve
from rag.steps.verify import covers
from rag.values import Answer, Draft, ModelCall
from rag.values.council import (
    Correction,
    CouncilRecord,
    Degradation,
    Response,
    Seat,
    Skip,
    StageName,
)

_CHECKING_CALLS = 6
"""Calls that the checks of the conclusion may make: judge, second reading, and their repair requests."""


def with_budget(tools: Tools) -> Tools:
    """Return the tools of a council: for each member 3 calls and as many repairs, and the end."""
    members = len(tools.council.members)
    calls = 6 * members + 1 + _CHECKING_CALLS
    budget = tools.budget.model_copy(
        update={
            "calls": max(tools.budget.calls, calls),
            "tokens": max(tools.budget.tokens, tools.council.tokens),
            "seconds": max(tools.budget.seconds, tools.council.seconds),
        }
    )
    return replace(tools, budget=budget)


async def hold(run: Run) -> Answer:
    """Let the council answer the run's question.

    Args:
        run: The question's run, with the tools of `with_budget`; its events tell of each stage and member.

    Raises:
        ModelError: no member answered.
        ThinkTwiceError: the knowledge base or the set-up is broken.
    """
    seats = tuple(Seat(name) for name in dict.fromkeys(run.tools.council.members))
    assignment, probe = await prepare(run)
    record = CouncilRecord(assignment.start_value)

    run.emit(CouncilEvent("stage1_start", {"seats": list(seats)}))
    responses = await propose(run, assignment, seats)
    record = replace(record, stage1=responses, degraded=_failed_members(responses))
    _complete(run, record, "stage1")
    usable = tuple(response for response in responses if response.is_usable)
    if not usable:
        raise ModelError(Reason("council-no-member"))

    record = await _criticise(run, assignment, usable, record)
    record = await _self_correct(run, assignment, usable, record)

    _start(run, "stage3")
    chairman = Seat(run.tools.council.chairman)
    conclusion, failed = await conclude(run, assignment, record.stage2_5, record.standings, chairman)
    record = replace(record, stage3=conclusion, degraded=(*record.degraded, *failed))
    _complete(run, record, "stage3")

    answer = await check(run, assignment, probe, conclusion.text, conclusion.model)
    answer = replace(answer, council=record)
    run.emit(CouncilEvent("complete", {"label": answer.label}))
    return answer


async def prepare(run: Run) -> tuple[Assignment, SearchResult | None]:
    """Classify the question, and read the documents if they cover it."""

    async def read() -> Outcome[tuple[Assignment, SearchResult | None]]:
        classification = await asyncio.to_thread(classify, run.question, run.tools.corpus)
        start_value = secrets.randbelow(2**31)
        if classification.intent == "small_talk" or run.tools.corpus.is_empty:
            return Outcome(
                (Assignment(classification, (), start_value), None), Reason("council-no-documents")
            )
        probe = await run.tools.corpus.search(classification.queries)
        calls: tuple[ModelCall, ...] = ()
        # What nobody could read may answer.
        with suppress(ModelError, BudgetExhaustedError, OperatorError):
            covered = await covers(run, classification, [hit.passage for hit in probe.hits])
            calls = covered.calls
            if not covered.value:
                return Outcome(
                    (Assignment(classification, (), start_value), probe),
                    Reason("council-no-documents"),
                    calls,
                )
        found = await retrieve(run, classification, (), frozenset())
        return Outcome(
            (Assignment(classification, found.value.passages, start_value), probe),
            found.detail,
            calls,
        )

    return await run.step("assign", read)


async def _criticise(
    run: Run,
    assignment: Assignment,
    usable: tuple[Response, ...],
    record: CouncilRecord,
) -> CouncilRecord:
    """Stage 2; a single answer has no peers."""
    _start(run, "stage2")
    if len(usable) < 2:
        record = _skip(record, Skip("stage2", Reason("council-one-answer")))
        _complete(run, record, "stage2")
        return record
    reviews = await review(run, assignment, usable)
    # Two members only see each other's answer: there is nothing to rank.
    standings = rank_members(reviews, [one.seat for one in usable]) if len(usable) > 2 else ()
    abstained = tuple(
        Degradation("stage2", one.reviewer, one.abstention) for one in reviews if one.abstention is not None
    )
    record = replace(record, stage2=reviews, standings=standings, degraded=(*record.degraded, *abstained))
    if len(usable) == 2:
        record = _skip(record, Skip("ranking", Reason("council-two-answers")))
    _complete(run, record, "stage2")
    return record


async def _self_correct(
    run: Run,
    assignment: Assignment,
    usable: tuple[Response, ...],
    record: CouncilRecord,
) -> CouncilRecord:
    """Stage 2.5; without reviews, or by setting, the first answers go on as they are."""
    _start(run, "stage2_5")
    reason: Reason | None = None
    if len(usable) < 2:
        reason = Reason("council-one-answer")
    elif not run.tools.council.self_correction:
        reason = Reason("council-correction-off")
    if reason is not None:
        unchanged = tuple(Correction(one.seat, one.text, "", one.text, "no_feedback") for one in usable)
        record = _skip(replace(record, stage2_5=unchanged), Skip("stage2_5", reason))
        _complete(run, record, "stage2_5")
        return record
    corrections = await correct(run, assignment, usable, record.stage2)
    fallen_back = tuple(
        Degradation("stage2_5", one.seat, one.fallback) for one in corrections if one.fallback is not None
    )
    record = replace(record, stage2_5=corrections, degraded=(*record.degraded, *fallen_back))
    _complete(run, record, "stage2_5")
    return record


def _start(run: Run, stage: StageName) -> None:
    run.emit(CouncilEvent(f"{stage}_start", {}))


def _complete(run: Run, record: CouncilRecord, stage: StageName) -> None:
    run.emit(CouncilEvent(f"{stage}_complete", stage_to_json(record, stage)))


def _skip(record: CouncilRecord, skip: Skip) -> CouncilRecord:
    return replace(record, skipped=(*record.skipped, skip))


async def check(
    run: Run, assignment: Assignment, probe: SearchResult | None, text: str, model: str
) -> Answer:
    """Check a text like any answer, and give it its label."""
    state = State(assignment.reading, probe=probe, passages=assignment.passages)
    state.has_searched = bool(assignment.passages)
    draft = Draft(text, assignment.passages, "stop", model)
    try:
        state.candidates.append(await check_text(run, state, draft))
    except BudgetExhaustedError:
        return composing.compose_without_text(run, state)
    if composing.should_quote_instead(state):
        return composing.compose_without_text(run, state)
    candidate, label = composing.keep_to_documents(run, state, *composing.choose_best(state))
    return composing.compose_from_text(run, state, candidate, label)


def _failed_members(responses: tuple[Response, ...]) -> tuple[Degradation, ...]:
    return tuple(Degradation("stage1", one.seat, one.status) for one in responses if not one.is_usable)
