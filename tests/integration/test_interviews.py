"""Interviews through the service, in a real database of either kind, with a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any
from uuid import UUID

import jsonschema
import pytest
import sqlalchemy as sa

from bot.service.interview_ports import (
    InterviewLimitError,
    InterviewOverError,
    InterviewUnknownError,
    StepsOffError,
)
from bot.service.interview_reports import describe, export_json, export_page
from bot.service.interview_values import Party, View
from bot.service.interview_why import explain_turn, find_turn
from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks, PackUnknownError
from bot.storage.database import Database, open_database
from bot.storage.interviews import StoredInterviews
from bot.storage.tables import interview_events, spending
from rag.errors import InputError, ModelError, ModelUnavailableError
from rag.interview.documents import Issue
from rag.interview.events import TurnApplied, fold, hash_state
from rag.interview.missions import SHIPPED, Migration, Mission, load_mission
from rag.interview.registry import IncompatibleVersionError, open_registry
from rag.interview.workflow import WrongQuestionError
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import ANN, FACTS, attentive, changes, held_in, objects, passes
from tests.support.stored import Clock

BOB = Party("telegram:8", "telegram:8:0")
EVERYTHING = ", ".join(FACTS.values())


async def completed(interviews: Interviews, party: Party = ANN) -> View:
    """A bug report in which everything is said."""
    view = await interviews.create(party, "bug_report", initial_message=EVERYTHING)
    return await interviews.post(party, view.session.id, "1")


async def test_first_message_is_the_first_turn_and_the_reply_has_the_three_parts(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor is broken")
    shown = view.to_json_of_new()
    assert set(shown) == {"session_id", "state", "next_action"}
    assert str(UUID(shown["session_id"])) == shown["session_id"]
    assert open_registry().validate("pre_skeleton_state", shown["state"]).is_valid
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


async def test_complete_state_is_checked_by_the_model_closed_and_fits_its_schemas(database: Database) -> None:
    interviews, engine = held_in(database)
    view = await completed(interviews)
    assert view.state.meta.status == "ready"
    assert view.next_action.kind == "proceed_to_skeleton"
    assert view.state.gate is not None
    assert view.state.gate.summary == "All is clear."
    (request,) = (request for request in engine.model.requests if request.purpose == "gate check")
    assert '"status": "ready"' in request.messages[-1].text
    closed = await interviews.close(ANN, view.session.id)
    with pytest.raises(InterviewOverError):
        await interviews.post(ANN, closed.session.id, "one more thing")
    exported = json.loads(export_json(closed))
    registry = open_registry([load_mission(SHIPPED / "bug_report")])
    assert registry.validate("pre_skeleton_state", exported["state"]).is_valid
    assert registry.validate("bug_report", exported["state"]["domain"]).is_valid
    assert len(exported["events"]) == 3


async def test_message_after_ready_opens_the_interview_again(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await completed(interviews)
    view = await interviews.post(ANN, view.session.id, "it is the editor after all")
    assert view.session.is_open
    assert view.state.meta.status == "ready"
    assert view.state.meta.state_version == 3


async def test_finishing_names_what_is_missing_and_asks_nothing_twice(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    checked = await interviews.check(ANN, view.session.id)
    assert checked.state.gate is not None
    missing = [blocker.path for blocker in checked.state.gate.blockers or ()]
    assert missing == ["/version", "/steps", "/expected", "/actual", "/severity", "/environment/os"]
    assert checked.next_action == view.next_action
    assert checked.state.dialogue == view.state.dialogue


async def test_failed_gate_check_is_no_pass_and_no_block_for_ever(database: Database) -> None:
    replies: list[Reply] = [ModelUnavailableError("down")]

    def script(request: ChatRequest) -> Reply:
        return replies[0] if replies and request.purpose == "gate check" else attentive(request)

    interviews, _ = held_in(database, script)
    view = await completed(interviews)
    assert view.state.meta.status == "gating"
    assert view.next_action.kind == "proceed_to_gate"
    assert view.state.domain["severity"] == "blocker"
    assert (await interviews.check(ANN, view.session.id)).state.meta.status == "gating"
    replies.clear()
    assert (await interviews.check(ANN, view.session.id)).state.meta.status == "ready"


@pytest.mark.parametrize(
    ("answer", "status", "product"),
    [("Leave it as it is", "ready", "the editor"), ("Answer anew", "collecting", None)],
)
async def test_objection_at_the_gate_is_asked_once_and_the_person_decides(
    database: Database, answer: str, status: str, product: str | None
) -> None:
    def script(request: ChatRequest) -> Reply:
        return objects("/product", "Which editor?") if request.purpose == "gate check" else attentive(request)

    interviews, _ = held_in(database, script)
    view = await completed(interviews)
    question = view.next_action.ask_user
    assert question is not None
    assert (question.path, question.facet) == ("/product", "objection")
    assert "Which editor?" in question.question_text
    assert [blocker.path for blocker in view.state.gate.blockers or ()] == ["/product"]  # type: ignore[union-attr]  # it was looked at
    view = await interviews.post(ANN, view.session.id, answer)
    assert view.state.meta.status == status
    assert view.state.domain.get("product") == product
    assert [issue.status for issue in view.state.issues] == ["dismissed" if product else "resolved"]


@pytest.mark.parametrize(("severity", "is_asked"), [("critical", True), ("high", True), ("med", False)])
async def test_grave_objection_is_asked_about_and_a_small_one_only_noted(
    database: Database, severity: str, is_asked: bool
) -> None:
    def script(request: ChatRequest) -> Reply:
        is_check = request.purpose == "gate check"
        return objects("/product", severity=severity) if is_check else attentive(request)

    interviews, _ = held_in(database, script)
    view = await completed(interviews)
    assert view.state.meta.status == ("collecting" if is_asked else "ready")
    assert (view.next_action.kind == "ask_user") == is_asked
    assert [issue.key for issue in view.state.issues] == ["objection:/product"]


async def test_objection_is_answered_in_words_and_may_change_what_was_confirmed(database: Database) -> None:
    def script(request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return objects("/product")
        if "the viewer" in request.messages[-1].text.rpartition("<last_message>")[2]:
            return changes({"/product": "the viewer"})
        return attentive(request)

    interviews, _ = held_in(database, script)
    view = await completed(interviews)
    view = await interviews.post(ANN, view.session.id, "No, I mean the viewer")
    assert view.state.domain["product"] == "the viewer"
    assert view.state.meta.status == "ready"
    assert [issue.status for issue in view.state.issues] == ["resolved"]


@pytest.mark.parametrize(
    "reply",
    [
        passes(patch={"format": "json_patch", "ops": [{"op": "remove", "path": "/domain/product"}]}),
        passes(step="INTERPRET"),
        passes(next_action={"kind": "proceed_to_gate"}),
        objects("/meta/status"),
        "ready!",
    ],
    ids=["patch", "step", "names nothing", "no path of the domain", "prose"],
)
async def test_gate_check_that_is_none_opens_nothing_and_changes_nothing(
    database: Database, reply: Reply
) -> None:
    def script(request: ChatRequest) -> Reply:
        return reply if request.purpose == "gate check" else attentive(request)

    interviews, _ = held_in(database, script)
    view = await completed(interviews)
    assert view.state.meta.status == "gating"
    assert view.state.domain["product"] == "the editor"


async def test_grave_issue_that_no_question_can_settle_does_not_block(database: Database) -> None:
    issue = {"severity": "critical", "title": "I have a feeling", "why_it_matters": "It nags."}

    def script(request: ChatRequest) -> Reply:
        reply = attentive(request)
        assert isinstance(reply, dict)
        return reply if request.purpose == "gate check" else {**reply, "issue_updates": [issue]}

    interviews, _ = held_in(database, script)
    view = await completed(interviews)
    assert view.state.meta.status == "ready"
    assert {issue.severity for issue in view.state.issues} == {"high"}


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


async def test_undo_behind_the_gate_takes_its_look_back_as_well(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await completed(interviews)
    view = await interviews.check(ANN, view.session.id)
    view = await interviews.undo(ANN, view.session.id)
    assert view.state.meta.status == "collecting"
    assert "severity" not in view.state.domain
    assert view.next_action.ask_user is not None
    assert view.next_action.ask_user.path == "/severity"


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


class Killed(BaseException):
    """The process is killed."""


class Recorder:
    """Records steps as the durable runner does, light ones with the next that is recorded; dies where it is told."""

    def __init__(self) -> None:
        self.records: list[tuple[str, Any, dict[str, Any]]] = []
        self.dies_at = ("", "")
        self.names: list[str] = []

    def begin(self) -> None:
        self._position = 0
        self._known = {name: value for _, _, before in self.records for name, value in before.items()}
        self._passed: dict[str, Any] = {}

    async def __call__(
        self, name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Any:
        if is_light:
            if name not in self._known:
                self._known[name] = self._passed[name] = await self._carry_out(name, work)
            return self._known[name]
        if self._position < len(self.records):
            known, value, _ = self.records[self._position]
            assert known == name, "a step that comes in another order is begun anew"
            self._position += 1
            return value
        value = await self._carry_out(name, work)
        self.records.append((name, value, self._passed))
        self._passed, self._position = {}, self._position + 1
        self._die("recorded", name)
        return value

    async def _carry_out(self, name: str, work: Callable[[], Awaitable[Any]]) -> Any:
        self.names.append(name)
        self._die("before", name)
        value = await work()
        self._die("after", name)
        return value

    def _die(self, moment: str, name: str) -> None:
        if (moment, name) == self.dies_at:
            self.dies_at = ("", "")
            raise Killed


TURN_STEPS = ("interview begin", "interview log", "interpret", "gate check", "interview append")


@pytest.mark.parametrize("step", TURN_STEPS)
@pytest.mark.parametrize("moment", ["before", "after", "recorded"])
async def test_kill_at_any_step_neither_loses_a_turn_nor_doubles_one(
    database: Database, step: str, moment: str
) -> None:
    if (step, moment) == ("interview log", "recorded"):
        pytest.skip("a light step has no record of its own")

    interviews, engine = held_in(database)
    recorder = Recorder()
    recorder.dies_at = (moment, step)
    whole = f"{EVERYTHING}, it is a blocker"

    view: View | None = None
    for _ in range(2):
        recorder.begin()
        try:
            view = await interviews.create(
                ANN, "bug_report", initial_message=whole, key="k", run_step=recorder
            )
        except Killed:
            continue
        break
    assert view is not None
    assert recorder.dies_at == ("", "")
    stored = await StoredInterviews(database).events(view.session.id)
    assert [event.type for event in stored] == ["started", "turn_applied"]
    assert view.state.dialogue.history[0].text == whole
    assert set(TURN_STEPS) <= set(recorder.names)
    paid = {
        purpose: [r.purpose for r in engine.model.requests].count(purpose)
        for purpose in ("interpret", "gate check")
    }
    # The call in flight may be paid twice, no other.
    in_flight = step if moment == "after" else ""
    assert all(times == 1 + (purpose == in_flight) for purpose, times in paid.items())


async def test_newer_pack_takes_a_session_along_and_a_breaking_one_says_so(
    database: Database, clock: Clock
) -> None:
    interviews, engine = held_in(database, clock=clock)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    mission = load_mission(SHIPPED / "bug_report")

    def under(version: str, **more: Any) -> Interviews:
        newer = mission.model_copy(update={"version": version, **more})
        return Interviews(engine, StoredInterviews(database, clock), MissionPacks({"bug_report": newer}))

    with pytest.raises(IncompatibleVersionError, match=r"2\.0\.0"):
        await under("2.0.0").post(ANN, view.session.id, "2.1")
    assert (await under("2.0.0").get(ANN, view.session.id)).to_json() == view.to_json()
    after = await under("1.1.0").post(ANN, view.session.id, "2.1")
    assert after.state.meta.schema_version == "1.1.0"
    assert after.state.domain == {"product": "the editor", "version": "2.1"}


async def test_migration_takes_facts_and_the_open_question_to_their_new_paths(
    database: Database, clock: Clock
) -> None:
    interviews, engine = held_in(database, clock=clock)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    assert view.next_action.ask_user is not None
    assert view.next_action.ask_user.path == "/version"
    mission = load_mission(SHIPPED / "bug_report")
    # The second edition calls a product an application, and a version a release.
    text = mission.model_dump_json()
    for old, new in (("product", "application"), ("version", "release")):
        text = text.replace(f'"/{old}"', f'"/{new}"')
    newer = Mission.model_validate_json(text)
    described = json.loads(json.dumps(dict(mission.domain_schema)))
    described["properties"]["application"] = described["properties"].pop("product")
    described["properties"]["release"] = described["properties"].pop("version")
    moves = {"/product": "/application", "/version": "/release"}
    step = Migration(from_version="1.0.0", to_version="2.0.0", moves=moves)
    newer = newer.model_copy(update={"version": "2.0.0", "migrations": (step,), "domain_schema": described})
    after = Interviews(engine, StoredInterviews(database, clock), MissionPacks({"bug_report": newer}))
    view = await after.post(ANN, view.session.id, "Not applicable")
    assert view.state.meta.schema_version == "2.0.0"
    assert view.state.domain == {"application": "the editor"}
    assert {path: fact.status for path, fact in view.state.facts.items()} == {
        "/application": "confirmed",
        "/release": "not_applicable",
    }
    asked = view.next_action.ask_user
    assert asked is not None
    assert asked.path == "/steps"
    assert [one.path for one in view.state.dialogue.asked] == ["/release", "/steps"]


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


async def test_issues_follow_what_a_model_proves_and_only_the_person_dismisses_one(
    database: Database,
) -> None:
    updates: list[dict[str, Any]] = []
    facts: dict[str, str] = {}
    interviews, _ = held_in(database, lambda _request: changes(facts, issue_updates=updates))
    updates[:] = [{"key": "odd", "severity": "med", "title": "Odd", "why_it_matters": "It decides."}]
    view = await interviews.create(ANN, "bug_report", initial_message="hello")
    session = view.session.id

    async def after(**update: Any) -> Issue:
        updates[:] = [{"key": "odd", **update}]
        (issue,) = (await interviews.post(ANN, session, "one thing more")).state.issues
        return issue

    assert (await after(title="Very odd")).title == "Very odd"
    assert (await after(status="dismissed")).status == "open"
    assert (await after(status="resolved")).status == "open"
    assert (await after(severity="low")).severity == "med"
    assert (await after(severity="high")).severity == "high"
    # A turn is no proof: code must see the fact that the person has settled.
    assert (await after(status="resolved", evidence=[{"kind": "turn", "ref": "t1"}])).status == "open"
    about = [{"kind": "fact_path", "ref": "/product"}]
    assert (await after(status="resolved", evidence=about)).status == "open"
    facts["/product"] = "one thing more"
    resolved = await after(status="resolved", evidence=about)
    assert (resolved.status, resolved.title, len(view.state.issues)) == ("resolved", "Very odd", 1)
    # A new issue that is not complete is refused with its turn.
    updates[:] = [{"key": "other", "title": "No more than a title"}]
    view = await interviews.post(ANN, session, "and this")
    assert view.next_action.error is not None
    assert "a new issue needs severity, why_it_matters" in view.next_action.error.message
    assert [issue.key for issue in view.state.issues] == ["odd"]


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


async def test_pack_that_is_unknown_or_broken_is_one_sentence(database: Database, tmp_path: Path) -> None:
    interviews, _ = held_in(database)
    with pytest.raises(PackUnknownError, match="bug_report, contract_ru, onboarding"):
        await interviews.create(ANN, "nonsense")
    broken = tmp_path / "mine"
    broken.mkdir()
    (broken / "mission.yaml").write_text("id: [", encoding="utf-8")
    packs = MissionPacks.load((tmp_path,))
    assert "mine" not in packs.names
    (fault,) = packs.faults
    assert "mission.yaml is not YAML" in fault


async def test_own_pack_replaces_the_shipped_one_of_its_name(tmp_path: Path) -> None:
    own = tmp_path / "bug_report"
    own.mkdir()
    for file in ("mission.yaml", "domain.schema.json"):
        text = (SHIPPED / "bug_report" / file).read_text(encoding="utf-8")
        (own / file).write_text(text.replace("title: Bug report", "title: Our bugs"), encoding="utf-8")
    assert MissionPacks.load((tmp_path,)).find("Bug_Report").title == "Our bugs"


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


async def test_page_shows_what_was_said_as_text(database: Database) -> None:
    evil = "<img src=x onerror=alert(1)> & the editor"
    interviews, _ = held_in(database, lambda _request: changes({"/product": evil}))
    view = await interviews.create(ANN, "bug_report", initial_message=evil)
    mission = interviews.packs.find("bug_report")
    page = export_page(view, mission, "en")
    assert "<img" not in page
    assert page.count("&lt;img src=x onerror=alert(1)&gt; &amp; the editor") == 2
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total) == (1, 7)
    assert standing.missing[0] == "version"


async def test_fact_that_does_not_apply_does_not_count_for_a_group_that_has_another(
    database: Database,
) -> None:
    replies: Iterator[dict[str, Any]] = iter(
        [
            {
                "/person": {"name": "Kim", "role": "tester", "team": "QA"},
                "/start": {"date": "1 June", "place": "office"},
                "/equipment": {"laptop": "any"},
                "/access": {"systems": "wiki"},
            },
            {"/equipment/no_phone_reason": "one of her own"},
        ]
    )

    def script(request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return passes()
        ops = [
            {"op": "add", "path": f"/domain{path}", "value": value, "quote": told}
            for path, value in next(replies).items()
        ]
        return changes(patch={"format": "json_patch", "ops": ops})

    interviews, _ = held_in(database, script)
    mission = interviews.packs.find("onboarding")
    told = "Kim, tester, QA, 1 June, office, any, wiki"
    view = await interviews.create(ANN, "onboarding", initial_message=told)
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total, standing.missing) == (7, 8, ("phone",))
    view = await interviews.post(ANN, view.session.id, "not needed")
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total, standing.missing) == (7, 8, ("why no phone is needed",))
    (equipment,) = (part for part in standing.parts if part.title == "Equipment")
    assert [(line.path, line.is_required) for line in equipment.lines] == [
        ("/equipment/laptop", True),
        ("/equipment/no_phone_reason", True),
        ("/equipment/phone", False),
    ]
    told = "one of her own"
    view = await interviews.post(ANN, view.session.id, told)
    standing = describe(view, mission, "en")
    assert (standing.done, standing.total, standing.missing) == (8, 8, ())
    assert view.state.meta.status == "ready"


async def test_trail_of_a_turn_tells_prompts_tokens_words_and_decisions(database: Database) -> None:
    def script(_request: ChatRequest) -> Reply:
        reply = changes({"/product": "the editor"}, rationale="I heard a product.")
        reply["safety"] = {"detected_conflict": True}
        return reply

    interviews, _ = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    turn = view.events[-1]
    assert isinstance(turn, TurnApplied)
    step, raw, words = turn.trace
    assert json.loads(export_json(view))["events"][-1]["trace"] == [step, raw, words]
    assert step["step"] == "interpret"
    assert str(step["prompt"]).startswith("interpret@1#")
    assert isinstance(step["tokens"], int)
    assert "I heard a product." in str(raw["raw"])
    assert words["rationale"] == "I heard a product."
    assert words["safety"] == {
        "detected_conflict": True, "has_unconfirmed_assumptions": False, "repeat_question_risk": False,
    }  # fmt: skip


def sections(view: View, language: str = "en", turn_id: str = "") -> dict[str, tuple[str, ...]]:
    """What the explanation of a turn says, by its headings."""
    position = find_turn(view.events, turn_id=turn_id)
    assert position is not None
    mission = MissionPacks.load().find(view.session.pack)
    found = explain_turn(view.events, position, mission, language)
    return {section.heading: section.lines for section in found.sections}


async def test_turn_is_explained_by_what_was_asked_noted_refused_and_decided(database: Database) -> None:
    replies = iter(
        [
            changes({"/product": "the editor"}),
            changes(
                {"/product": "the viewer", "/version": "2.1", "/steps": "I press save"},
                rationale="I am sure.",
            ),
        ]
    )

    def script(_request: ChatRequest) -> Reply:
        reply = next(replies)
        if len(reply["patch"]["ops"]) > 1:
            # Nobody has said how to reproduce it, and nobody has asked for that to go again.
            reply["patch"]["ops"][2]["quote"] = "nobody said this"
            reply["patch"]["ops"].append({"op": "remove", "path": "/domain/steps", "quote": "nor this"})
        return reply

    interviews, _ = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor", key="first")
    view = await interviews.post(ANN, view.session.id, "no, the viewer, 2.1", key="second")
    told = sections(view)
    (asked,) = told["What a model was asked:"]
    assert asked.startswith("Reading what was said: changes: 4, issues: 0 (interpret@1#")
    assert "scripted" in asked
    assert "tok" in asked
    assert told["What was noted:"] == (
        "steps to reproduce: I press save; you did not say this yourself, so you are asked to confirm it",
        "version: 2.1, because you said “2.1”",
    )
    assert told["What was not taken over:"] == (
        "product: you have confirmed another value, and only your answer to a question can change it",
        "steps to reproduce: the model wanted to delete it, and you did not say so",
        "product: “the editor” is noted, and now you said “the viewer”; you are asked which one is right",
    )
    assert told["What else was decided:"] == ("the model said of its reply: “I am sure.”",)
    # An earlier turn, and an answer that code understands.
    assert sections(view, turn_id="first")["What was noted:"] == (
        "product: the editor, because you said “the editor”",
    )
    view = await interviews.post(ANN, view.session.id, "the viewer", key="third")
    told = sections(view)
    assert told["What a model was asked:"] == ("no model was asked: the answer was understood without one",)
    assert told["What was noted:"] == ("product: the viewer, because you said “the viewer”",)


@pytest.mark.parametrize("language", ["en", "ru", "ko", "zh", "id", "es"])
async def test_explanation_has_every_word_in_every_language(database: Database, language: str) -> None:
    """A turn that failed, one whose check failed, one that was objected to, one at its limits."""
    failures: list[Reply | Exception] = [ModelError("it is down")]

    def script(request: ChatRequest) -> Reply:
        if failures:
            raise failures.pop()  # type: ignore[misc]  # errors only
        is_said = "<last_message>" in request.messages[-1].text
        return attentive(request) if is_said else objects("/version")

    interviews, _ = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message=f"{', '.join(FACTS.values())} blocker")
    failed = sections(view, language)
    view = await interviews.post(ANN, view.session.id, f"{', '.join(FACTS.values())} blocker")
    objected = sections(view, language)
    assert (len(failed), len(objected)) == (2, 3)
    english = {line for part in (*sections(view).values(),) for line in part}
    shown = {line for part in objected.values() for line in part}
    if language != "en":
        assert not english & shown


async def test_model_that_says_at_once_that_all_is_done_is_asked_for_the_rest(database: Database) -> None:
    interviews, _ = held_in(database, lambda _r: changes(next_action={"kind": "proceed_to_skeleton"}))
    view = await interviews.create(ANN, "bug_report", initial_message="We are done, are we not?")
    assert view.state.meta.status == "collecting"
    assert view.next_action.kind == "ask_user"


def test_state_that_misses_a_part_names_it() -> None:
    document = json.loads(
        (SHIPPED.parent / "schemas" / "pre_skeleton_state.schema.json").read_text(encoding="utf-8")
    )
    jsonschema.Draft202012Validator.check_schema(document)
    found = open_registry().validate("pre_skeleton_state", {"meta": {"session_id": 1}, "extra": 1})
    assert not found.is_valid
    assert any(error.startswith("$.meta.session_id: ") for error in found.errors)
    assert any("extra" in error for error in found.errors)
