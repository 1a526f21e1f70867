"""The steps of a turn: their order, what a model is shown, and what becomes of its replies."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.service.errors import StorageError
from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks
from bot.storage.database import Database
from bot.storage.interviews import StoredInterviews
from rag.interview.documents import Remove
from rag.interview.events import TurnApplied, TurnFailed
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.interviews import ANN, EVERYTHING, attentive, changes, held_in, objects


def kind(line: dict[str, Any]) -> str:
    """What a line of a trail tells of."""
    return str(line.get("step") or line.get("decision") or next(iter(line)))


class Watcher:
    """Carries steps out, and notes after each how many events the interview has in the database."""

    def __init__(self, database: Database, session_id: str) -> None:
        self._stored = StoredInterviews(database)
        self._session_id = session_id
        self.seen: list[tuple[str, int]] = []

    async def __call__(
        self, name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Any:
        try:
            return await work()
        finally:
            self.seen.append((name, len(await self._stored.events(self._session_id))))


async def test_turn_is_read_guarded_applied_checked_and_saved_before_anything_is_asked(
    database: Database,
) -> None:
    def script(request: ChatRequest) -> Reply:
        if request.purpose == "gate check":
            return objects("/version", "Which edition?")
        reply = attentive(request)
        assert isinstance(reply, dict)
        if "it is a blocker" in request.messages[-1].text:
            # The person has confirmed the product, and has not said that it is no more.
            reply["patch"]["ops"].append(
                {"op": "remove", "path": "/domain/product", "quote": "it is a blocker"}
            )
        return reply

    interviews, engine = held_in(database, script)
    view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    watcher = Watcher(database, view.session.id)
    view = await interviews.post(
        ANN, view.session.id, f"{EVERYTHING}, it is a blocker", key="k", run_step=watcher
    )
    # Load, two steps of a model, save: until then the database holds the log of before.
    assert watcher.seen == [
        ("interview log", 2),
        ("interpret", 2),
        ("gate check", 2),
        ("interview append", 3),
    ]
    turn = view.events[-1]
    assert isinstance(turn, TurnApplied)
    assert [kind(line) for line in turn.trace] == [
        "interpret", "raw", "the model's own words", "dropped", "dropped",
        "gate check", "raw", "gate check",
    ]  # fmt: skip
    # The guard comes before the changes, and those before the look at the gate.
    dropped = [(line["path"], line["reason"]) for line in turn.trace if kind(line) == "dropped"]
    assert dropped == [("/product", "same_value"), ("/product", "confirmed")]
    assert not any(isinstance(op, Remove) or op.path == "/product" for op in turn.ops)
    (look,) = (request for request in engine.model.requests if request.purpose == "gate check")
    assert '"version": "2.1"' in look.messages[-1].text
    assert '"product": "the editor"' in look.messages[-1].text
    # What happens next is what was saved.
    (*_, saved) = await StoredInterviews(database).events(view.session.id)
    assert saved == turn
    assert view.next_action == turn.next_action
    assert view.next_action.ask_user is not None
    assert view.next_action.ask_user.path == "/version"


async def test_turn_that_validation_refuses_is_saved_as_failed_without_a_look_at_the_gate(
    database: Database,
) -> None:
    interviews, _ = held_in(database, lambda _request: changes({"/severity": "catastrophic"}))
    view = await interviews.create(ANN, "bug_report")
    watcher = Watcher(database, view.session.id)
    view = await interviews.post(ANN, view.session.id, "catastrophic", run_step=watcher)
    assert watcher.seen == [("interview log", 2), ("interpret", 2), ("interview append", 3)]
    turn = view.events[-1]
    assert isinstance(turn, TurnFailed)
    assert [kind(line) for line in turn.trace] == ["interpret", "raw"]
    assert view.next_action.error == turn.error


class _Full(StoredInterviews):
    """A database that takes no more turns."""

    async def append(self, *_: Any) -> int | None:
        raise StorageError("The disk is full.")


async def test_turn_that_cannot_be_saved_asks_nothing(database: Database) -> None:
    interviews, engine = held_in(database)
    view = await interviews.create(ANN, "bug_report")
    full = Interviews(engine, _Full(database), MissionPacks.load())
    with pytest.raises(StorageError):
        await full.post(ANN, view.session.id, "the editor")
    assert (await interviews.get(ANN, view.session.id)).to_json() == view.to_json()
