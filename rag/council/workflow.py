"""A council from beginning to end. Read `hold` from top to bottom."""

from __future__ import annotations

import secrets
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from pydantic import TypeAdapter

from rag.council.aggregation import rank_members
from rag.council.conclude import conclude
from rag.council.correct import correct
from rag.council.members import Assignment
from rag.council.propose import propose
from rag.council.review import review
from rag.council.values import (
    Correction,
    CouncilRecord,
    Degradation,
    Response,
    Seat,
    StageName,
)
from rag.errors import BudgetExhaustedError, ModelError
from rag.events import CouncilEvent
from rag.knowledge.search import SearchResult
from rag.loop import composing
from rag.loop.checking import checked
from rag.loop.run import Outcome, Run, Tools
from rag.loop.state import State
from rag.reasons import Reason
from rag.steps.classify import classify
from rag.steps.evaluate import covers
from rag.steps.retrieve import retrieve
from rag.values import Answer, Draft

_CHECKING_CALLS = 6
"""Calls that the checks of the conclusion may make: judge, second reading, and their repair asks."""

_JSON: TypeAdapter[CouncilRecord] = TypeAdapter(CouncilRecord)

Announce = Callable[[CouncilEvent], None]


def with_budget(tools: Tools) -> Tools:
    """Return the tools of a council: the budget holds 3 calls a member with a repair each, and the end."""
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


async def hold(run: Run, announce: Announce) -> Answer:
    """Let the council answer the run's question.

    Args:
        run: The question's run, with the tools of `with_budget`.
        announce: Told of each stage as it begins and ends.

    Raises:
        ModelError: no member answered.
        ThinkTwiceError: the knowledge base or the set-up is broken.
    """
    seats = tuple(Seat(name) for name in dict.fromkeys(run.tools.council.members))
    assignment, probe = await _prepare(run)
    record = CouncilRecord(assignment.start_value)

    announce(CouncilEvent("stage1_start", {"members": len(seats)}))
    responses = await propose(run, assignment, seats)
    record = replace(record, stage1=responses, degraded=_failed_members(responses))
    announce(CouncilEvent("stage1_complete", _data(record, "stage1", "degraded")))
    usable = tuple(response for response in responses if response.is_usable)
    if not usable:
        raise ModelError(Reason("council-no-member"))

    record = await _criticise(run, assignment, usable, record, announce)
    record = await _self_correct(run, assignment, usable, record, announce)

    announce(CouncilEvent("stage3_start", {}))
    chairman = Seat(run.tools.council.chairman)
    conclusion, failed = await conclude(run, assignment, record.stage2_5, record.standings, chairman)
    record = replace(record, stage3=conclusion, degraded=(*record.degraded, *failed))
    announce(CouncilEvent("stage3_complete", _data(record, "stage3", "degraded")))

    answer = replace(await _check(run, assignment, probe, record), council=record)
    announce(CouncilEvent("complete", {"label": answer.label}))
    return answer


async def _prepare(run: Run) -> tuple[Assignment, SearchResult | None]:
    """Classify the question, and read the documents if they cover it."""

    async def read() -> Outcome[tuple[Assignment, SearchResult | None]]:
        reading = classify(run.question)
        start_value = secrets.randbelow(2**31)
        if reading.intent == "small_talk" or run.tools.corpus.is_empty:
            return Outcome((Assignment(reading, (), start_value), None), Reason("council-no-documents"))
        probe = await run.tools.corpus.search(reading.queries)
        if not (await covers(run, reading, probe)).value:
            return Outcome((Assignment(reading, (), start_value), probe), Reason("council-no-documents"))
        found = await retrieve(run, reading, (), frozenset())
        return Outcome(
            (Assignment(reading, found.value.passages, start_value), probe),
            found.detail,
        )

    return await run.step("assign", read)


async def _criticise(
    run: Run,
    assignment: Assignment,
    usable: tuple[Response, ...],
    record: CouncilRecord,
    announce: Announce,
) -> CouncilRecord:
    """Stage 2; a single answer has no peers."""
    announce(CouncilEvent("stage2_start", {}))
    if len(usable) < 2:
        return _skip(record, "stage2", "only one member answered", announce)
    reviews = await review(run, assignment, usable)
    # Two members only see each other's answer: there is nothing to rank.
    standings = rank_members(reviews, [one.seat for one in usable]) if len(usable) > 2 else ()
    abstained = tuple(
        Degradation("stage2", one.reviewer, one.abstention) for one in reviews if one.abstention is not None
    )
    record = replace(record, stage2=reviews, standings=standings, degraded=(*record.degraded, *abstained))
    announce(CouncilEvent("stage2_complete", _data(record, "stage2", "standings", "degraded")))
    return record


async def _self_correct(
    run: Run,
    assignment: Assignment,
    usable: tuple[Response, ...],
    record: CouncilRecord,
    announce: Announce,
) -> CouncilRecord:
    """Stage 2.5; without reviews, or by setting, the first answers go on as they are."""
    announce(CouncilEvent("stage2_5_start", {}))
    reason = ""
    if len(usable) < 2:
        reason = "only one member answered"
    elif not run.tools.council.self_correction:
        reason = "switched off by the setting council.self_correction"
    if reason:
        unchanged = tuple(Correction(one.seat, one.text, "", one.text, "no_feedback") for one in usable)
        return _skip(replace(record, stage2_5=unchanged), "stage2_5", reason, announce)
    corrections = await correct(run, assignment, usable, record.stage2)
    fallen_back = tuple(
        Degradation("stage2_5", one.seat, one.fallback) for one in corrections if one.fallback is not None
    )
    record = replace(record, stage2_5=corrections, degraded=(*record.degraded, *fallen_back))
    announce(CouncilEvent("stage2_5_complete", _data(record, "stage2_5", "degraded")))
    return record


def _skip(record: CouncilRecord, stage: StageName, reason: str, announce: Announce) -> CouncilRecord:
    announce(CouncilEvent(f"{stage}_complete", {"skipped": reason}))
    return replace(record, skipped=(*record.skipped, (stage, reason)))


async def _check(
    run: Run, assignment: Assignment, probe: SearchResult | None, record: CouncilRecord
) -> Answer:
    """Check the conclusion like any answer, and give it its label."""
    assert record.stage3 is not None  # a council without an answer has ended before
    state = State(assignment.reading, probe=probe, passages=assignment.passages)
    state.has_searched = bool(assignment.passages)
    draft = Draft(record.stage3.text, assignment.passages, "stop", record.stage3.model)
    try:
        state.candidates.append(await checked(run, state, draft))
    except BudgetExhaustedError:
        return composing.without_text(run, state)
    if composing.is_better_quoted(state):
        return composing.without_text(run, state)
    candidate, label = composing.best(state)
    return composing.with_text(run, state, candidate, label, None)


def _failed_members(responses: tuple[Response, ...]) -> tuple[Degradation, ...]:
    return tuple(Degradation("stage1", one.seat, one.status) for one in responses if not one.is_usable)


def _data(record: CouncilRecord, *fields: str) -> Mapping[str, Any]:
    """The parts of a record as plain data."""
    whole = _JSON.dump_python(record, mode="json")
    return {name: whole[name] for name in fields}
