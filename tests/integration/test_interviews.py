"""Interviews through the service, in a real database of either kind: messages, turns, undoing and owners."""

from __future__ import annotations

import asyncio
import json
from datetime import timedelta
from pathlib import Path
from uuid import UUID

import pytest

from bot.service.interview_ports import InterviewUnknownError, StepsOffError
from bot.storage.database import Database, open_database
from bot.storage.interviews import StoredInterviews
from rag.errors import InputError, ModelUnavailableError
from rag.interview.events import fold, hash_state
from rag.interview.workflow import WrongQuestionError
from rag.models.scripted import Reply
from tests.support.interviews import ANN, BOB, attentive, changes, check_state, completed, held_in
from tests.support.stored import Clock


async def test_first_message_is_the_first_turn_and_the_reply_has_the_three_parts(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor is broken")
    shown = view.to_json_of_new()
    assert set(shown) == {"session_id", "state", "next_action"}
    assert str(UUID(shown["session_id"])) == shown["session_id"]
    check_state(shown["state"])
    assert shown["state"]["domain"] == {"product": "the editor"}
    assert [turn["role"] for turn in shown["state"]["dialogue"]["history"]] == ["user", "assistant"]
    assert shown["next_action"]["ask_user"]["path"] == "/version"


async def test_without_a_message_the_interview_begins_with_its_first_question(database: Database) -> None:
    interviews, engine = held_in(database)
    view = await interviews.create(ANN, "contract_ru")
    assert view.next_action.ask_user is not None
    assert view.next_action.ask_user.path == "/parties/0/role"
    assert engine.model.requests == []
    with pytest.raises(InputError, match="nothing has been said"):
        await interviews.undo(ANN, view.session.id)


async def test_state_is_the_same_after_a_restart(server: str, tmp_path: Path) -> None:
    async with open_database(tmp_path, server) as database:
        interviews, _ = held_in(database)
        view = await interviews.create(ANN, "bug_report", initial_message="the editor is broken")
        before = json.dumps(view.to_json())
    async with open_database(tmp_path, server) as database:
        again, _ = held_in(database)
        assert json.dumps((await again.get(ANN, view.session.id)).to_json()) == before


async def test_with_the_model_down_there_is_a_session_and_the_next_message_goes_on(
    database: Database,
) -> None:
    replies: list[Reply] = [ModelUnavailableError("down")]
    interviews, _ = held_in(database, lambda request: replies[0] if replies else attentive(request))
    view = await interviews.create(ANN, "bug_report", initial_message="the editor is broken")
    assert view.next_action.kind == "halt_error"
    assert view.next_action.error is not None
    assert view.next_action.error.code == "model_unavailable"
    assert (await interviews.get(ANN, view.session.id)).to_json() == view.to_json()
    replies.clear()
    view = await interviews.post(ANN, view.session.id, "it is version 2.1")
    assert view.state.domain == {"product": "the editor", "version": "2.1"}


async def test_question_that_is_not_open_is_refused_and_nothing_changes(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor is broken")
    with pytest.raises(WrongQuestionError):
        await interviews.post(ANN, view.session.id, "2.1", answer_to="q99")
    assert (await interviews.get(ANN, view.session.id)).to_json() == view.to_json()


async def test_interview_of_somebody_else_is_not_found(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report")
    for attempt in (
        interviews.get(BOB, view.session.id),
        interviews.post(BOB, view.session.id, "hello"),
        interviews.undo(BOB, view.session.id),
        interviews.check(BOB, view.session.id),
        interviews.close(BOB, view.session.id),
        interviews.get(ANN, "no-such-id"),
    ):
        with pytest.raises(InterviewUnknownError):
            await attempt
    assert await interviews.current(BOB) is None


async def test_same_key_twice_is_one_turn_and_the_same_reply(database: Database) -> None:
    interviews, engine = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor", key="k0")
    assert (
        await interviews.create(ANN, "bug_report", initial_message="the editor", key="k0")
    ).to_json() == view.to_json()
    first = await interviews.post(ANN, view.session.id, "2.1", key="k1")
    await interviews.post(ANN, view.session.id, "I press save", key="k2")
    assert (await interviews.post(ANN, view.session.id, "2.1", key="k1")).to_json() == first.to_json()
    assert len(engine.model.requests) == 3


async def test_two_messages_at_once_are_two_turns(database: Database) -> None:
    # Two services, as two machines would have them: nothing but the database is between them.
    one, _ = held_in(database)
    other, _ = held_in(database)
    view = await one.create(ANN, "bug_report", initial_message="the editor")
    await asyncio.gather(
        one.post(ANN, view.session.id, "it is version 2.1"), other.post(ANN, view.session.id, "on Linux")
    )
    after = await one.get(ANN, view.session.id)
    assert after.state.meta.state_version == view.state.meta.state_version + 2
    assert after.state.domain == {"product": "the editor", "version": "2.1", "environment": {"os": "Linux"}}


@pytest.mark.parametrize(
    "text", ["", " ", "a\x00b", "x" * 1_000_000, "\ud800"], ids=["empty", "spaces", "NUL", "1 MB", "half"]
)
async def test_message_that_is_no_text_is_refused_and_nothing_is_paid_or_kept(
    database: Database, text: str
) -> None:
    interviews, engine = held_in(database)
    view = await interviews.create(ANN, "bug_report")
    with pytest.raises(InputError):
        await interviews.post(ANN, view.session.id, text)
    if text.strip():
        with pytest.raises(InputError):
            await interviews.create(BOB, "bug_report", initial_message=text)
    assert engine.model.requests == []
    assert await interviews.current(BOB) is None
    assert (await interviews.get(ANN, view.session.id)).to_json() == view.to_json()


async def test_undo_takes_the_last_turn_back_once(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    before = hash_state(view.state.model_copy(update={"meta": view.state.meta}))
    await interviews.post(ANN, view.session.id, "2.1")
    after = await interviews.undo(ANN, view.session.id, key="u1")
    again = await interviews.undo(ANN, view.session.id, key="u1")
    assert after.to_json() == again.to_json()
    assert after.state.domain == {"product": "the editor"}
    assert after.next_action == view.next_action
    assert after.state.meta.state_version == 3
    assert before == hash_state(after.state.model_copy(update={"meta": view.state.meta}))


async def test_replay_of_the_log_gives_the_same_state(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await completed(interviews)
    stored = await StoredInterviews(database).events(view.session.id)
    assert hash_state(fold(stored)) == hash_state(view.state)


async def test_single_steps_are_off_unless_switched_on(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report")
    with pytest.raises(StepsOffError):
        await interviews.step(ANN, view.session.id, "GATE_CHECK")
    replies: list[Reply] = [ModelUnavailableError("down")]
    debugged, _ = held_in(
        database, lambda request: replies[0] if replies else attentive(request), single_steps=True
    )
    await debugged.post(ANN, view.session.id, "the editor")
    assert (await debugged.step(ANN, view.session.id, "INTERPRET")).next_action.kind == "halt_error"
    replies.clear()
    view = await debugged.step(ANN, view.session.id, "INTERPRET")
    assert view.state.domain == {"product": "the editor"}
    view = await debugged.step(ANN, view.session.id, "GATE_CHECK")
    assert view.state.gate is not None
    assert not view.state.gate.ready_for_skeleton


async def test_interviews_of_a_conversation_are_gone_on_with_one_at_a_time(
    database: Database, clock: Clock
) -> None:
    interviews, _ = held_in(database, clock=clock)
    bug = await interviews.create(ANN, "bug_report")
    clock.now += timedelta(minutes=1)
    onboarding = await interviews.create(ANN, "onboarding")
    current = await interviews.current(ANN)
    assert current is not None
    assert current.session.id == onboarding.session.id
    clock.now += timedelta(minutes=1)
    resumed = await interviews.resume(ANN, "bug_report")
    assert resumed is not None
    assert resumed.to_json() == bug.to_json()
    current = await interviews.current(ANN)
    assert current is not None
    assert current.session.id == bug.session.id
    assert await interviews.resume(ANN, "contract_ru") is None


async def test_old_interviews_are_forgotten_and_events_go_with_them(database: Database, clock: Clock) -> None:
    interviews, _ = held_in(database, clock=clock)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    stored = StoredInterviews(database, clock)
    clock.now += timedelta(days=10)
    assert await stored.prune(None) == 0
    assert await stored.prune(timedelta(days=11)) == 0
    assert await stored.prune(timedelta(days=9)) == 1
    assert await stored.events(view.session.id) == ()


async def test_model_that_says_at_once_that_all_is_done_is_asked_for_the_rest(database: Database) -> None:
    interviews, _ = held_in(database, lambda _r: changes(next_action={"kind": "proceed_to_skeleton"}))
    view = await interviews.create(ANN, "bug_report", initial_message="We are done, are we not?")
    assert view.state.meta.status == "collecting"
    assert view.next_action.kind == "ask_user"
