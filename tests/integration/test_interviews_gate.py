"""What is looked at before an interview is complete: missing facts, objections of the model, and issues."""

from __future__ import annotations

import json
from typing import Any

import pytest

from bot.service.interview_ports import InterviewOverError
from bot.storage.database import Database
from bot.views.interviews import export_json
from rag.errors import ModelUnavailableError
from rag.interview.documents import Issue
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import ANN, attentive, changes, check_state, completed, held_in, objects, passes


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
    check_state(exported["state"])
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


async def test_undo_behind_the_gate_takes_its_look_back_as_well(database: Database) -> None:
    interviews, _ = held_in(database)
    view = await completed(interviews)
    view = await interviews.check(ANN, view.session.id)
    view = await interviews.undo(ANN, view.session.id)
    assert view.state.meta.status == "collecting"
    assert "severity" not in view.state.domain
    assert view.next_action.ask_user is not None
    assert view.next_action.ask_user.path == "/severity"


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
