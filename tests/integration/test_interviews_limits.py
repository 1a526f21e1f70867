"""What interviews cost, and the limits of messages, tokens, patches and model steps."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import sqlalchemy as sa

from bot.service.interview_ports import InterviewLimitError
from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks
from bot.storage.database import Database
from bot.storage.interviews import StoredInterviews
from bot.storage.tables import interview_events, spending
from rag.interview.events import hash_state
from rag.interview.missions import SHIPPED, load_mission
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import ANN, BOB, EVERYTHING, attentive, changes, held_in
from tests.support.stored import Clock


async def test_limits_hold_before_anything_is_paid(database: Database) -> None:
    interviews, engine = held_in(database, sessions_per_day=2, messages_per_session=2)
    await interviews.create(ANN, "bug_report")
    view = await interviews.create(ANN, "bug_report")
    with pytest.raises(InterviewLimitError, match="2 interviews a day"):
        await interviews.create(ANN, "bug_report")
    await interviews.create(BOB, "bug_report")
    for text in ("the editor", "2.1"):
        await interviews.post(ANN, view.session.id, text)
    calls = len(engine.model.requests)
    with pytest.raises(InterviewLimitError, match="2 messages"):
        await interviews.post(ANN, view.session.id, "Linux")
    assert len(engine.model.requests) == calls


@pytest.mark.parametrize("bound", ["tokens_per_day", "tokens_per_session"])
async def test_tokens_are_counted_and_come_to_an_end(database: Database, clock: Clock, bound: str) -> None:
    bounds: dict[str, Any] = {bound: 10}
    interviews, _ = held_in(database, clock=clock, **bounds)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    with pytest.raises(InterviewLimitError, match="10 tokens"):
        await interviews.post(ANN, view.session.id, "2.1")
    clock.now += timedelta(days=1)
    if bound == "tokens_per_day":
        await interviews.post(ANN, view.session.id, "2.1")
    else:
        with pytest.raises(InterviewLimitError):
            await interviews.post(ANN, view.session.id, "2.1")


async def test_cost_is_written_down_once_with_its_turn(database: Database) -> None:
    interviews, engine = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    await interviews.post(ANN, view.session.id, "2.1", key="k")
    await interviews.post(ANN, view.session.id, "2.1", key="k")
    async with database.reading() as connection:
        rows = (await connection.execute(sa.select(spending))).all()
        tokens = await connection.scalar(sa.select(sa.func.sum(interview_events.c.tokens)))
    assert [(row.purpose, row.role, row.calls) for row in rows] == [("interview", "interviewer", 1)] * 2
    assert sum(row.input_tokens + row.output_tokens for row in rows) == tokens > 0
    assert len(engine.model.requests) == 2


@pytest.mark.parametrize(
    ("ops", "said"),
    [
        ([{"op": "add", "path": "/domain/product", "value": "the editor"}] * 51, "at most 50"),
        ([{"op": "add", "path": "/domain/product", "value": "x" * 65_537}], "at most 65536 characters"),
    ],
    ids=["51 operations", "more than 64 KB"],
)
async def test_patch_over_a_cap_is_refused_and_the_message_waits(
    database: Database, ops: list[dict[str, Any]], said: str
) -> None:
    is_large = [True]

    def script(request: ChatRequest) -> Reply:
        return changes(patch={"format": "json_patch", "ops": ops}) if is_large[0] else attentive(request)

    interviews, _ = held_in(database, script)
    begun = await interviews.create(ANN, "bug_report")
    view = await interviews.post(ANN, begun.session.id, "the editor")
    assert view.next_action.error is not None
    assert said in view.next_action.error.message
    assert hash_state(view.state) == hash_state(begun.state)
    is_large[0] = False
    view = await interviews.post(ANN, begun.session.id, "2.1")
    assert view.state.domain == {"product": "the editor", "version": "2.1"}


async def test_patch_at_its_cap_is_taken(database: Database) -> None:
    op = {"op": "add", "path": "/domain/product", "value": "the editor", "quote": "the editor"}
    interviews, _ = held_in(database, lambda _r: changes(patch={"format": "json_patch", "ops": [op] * 50}))
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    assert view.state.domain == {"product": "the editor"}


async def test_turn_takes_no_more_model_steps_than_its_limit(database: Database) -> None:
    _, engine = held_in(database)
    mission = load_mission(SHIPPED / "bug_report")
    limits = mission.limits.model_copy(update={"max_loops": 1})
    packs = MissionPacks({"bug_report": mission.model_copy(update={"limits": limits})})
    interviews = Interviews(engine, StoredInterviews(database), packs)
    view = await interviews.create(ANN, "bug_report", initial_message=f"{EVERYTHING} blocker")
    assert [request.purpose for request in engine.model.requests] == ["interpret"]
    assert (view.state.meta.status, view.next_action.kind) == ("gating", "proceed_to_gate")
    view = await interviews.check(ANN, view.session.id)
    assert [request.purpose for request in engine.model.requests] == ["interpret", "gate check"]
    assert view.state.meta.status == "ready"
