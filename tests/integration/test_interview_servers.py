"""Interviews in front of a model server that is busy, broken, slow, or refuses the key."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest
import sqlalchemy as sa
from pydantic import SecretStr

from bot.service.interview_values import View
from bot.service.interviews import Interviews
from bot.service.mission_packs import MissionPacks
from bot.storage.database import Database
from bot.storage.interviews import StoredInterviews
from bot.storage.tables import spending
from rag.interview.events import TurnApplied, TurnFailed, hash_state
from rag.models.client import ServerModel
from rag.models.endpoint import Endpoint
from tests.support.interviews import ANN, FACTS, ModelEngine, attentive_text
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Fail, FakeOpenAI, Hang, HangUp, Say

ALL = f"{', '.join(FACTS.values())}, it is a blocker"


class Model:
    """A model that fails as it is told, and then replies as an attentive one."""

    def __init__(self, *failures: Behaviour) -> None:
        self.failures = list(failures)
        self.is_failing = True

    def __call__(self, request: Recorded) -> Behaviour:
        if self.failures and self.is_failing:
            return self.failures.pop(0)
        shown = [one["content"] for one in request.body["messages"] if one["role"] == "user"]
        # What is asked for again comes behind what was asked first.
        return Say(attentive_text(shown[0]), usage=(11, 7))


def held(
    database: Database, server: FakeOpenAI, *, attempts: int = 3, **changes: Any
) -> tuple[Interviews, list[float]]:
    """Return the interviews of a database with the model of a server, and the pauses between its tries."""
    pauses: list[float] = []

    async def pause(seconds: float) -> None:
        pauses.append(seconds)

    fields: dict[str, Any] = {
        "name": "openai:test-model", "model": "test-model", "base_url": server.base_url,
        "api_key": SecretStr("a-key"), "timeout_seconds": 60.0, "attempts": attempts,
    }  # fmt: skip
    model = ServerModel(Endpoint(**fields | changes), sleep=pause)
    engine = ModelEngine(model, "openai:test-model")
    return Interviews(engine, StoredInterviews(database), MissionPacks.load()), pauses


def steps(view: View) -> list[str]:
    """The steps of the last turn."""
    turn = view.events[-1]
    assert isinstance(turn, TurnApplied | TurnFailed)
    return [str(line["step"]) for line in turn.trace if "step" in line]


@pytest.mark.parametrize(
    "failures",
    [[Fail(429), Fail(500)], [Fail(503), Fail(502)], [HangUp(), Fail(529)]],
    ids=["429, then 500", "503, then 502", "hangs up, then 529"],
)
async def test_server_that_fails_in_a_turn_is_asked_again_after_growing_pauses(
    database: Database, failures: Sequence[Behaviour]
) -> None:
    with FakeOpenAI(Model(*failures)) as server:
        interviews, pauses = held(database, server)
        view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    assert len(server.requests) == 3
    assert len(pauses) == 2
    assert 0 < pauses[0] < pauses[1]
    # The person notices nothing: it is one turn of one step, and one call is paid.
    assert [event.type for event in view.events] == ["started", "turn_applied"]
    assert view.state.domain == {"product": "the editor"}
    assert steps(view) == ["interpret"]
    async with database.reading() as connection:
        (row,) = (await connection.execute(sa.select(spending))).all()
    assert (row.calls, row.input_tokens, row.output_tokens) == (1, 11, 7)


async def test_server_that_fails_between_the_steps_of_a_turn_is_asked_again(database: Database) -> None:
    model = Model()

    def behave(request: Recorded) -> Behaviour:
        is_check = "state_json" in request.body["messages"][-1]["content"]
        return failures.pop(0) if is_check and failures else model(request)

    failures: list[Behaviour] = [Fail(429), Fail(500)]
    with FakeOpenAI(behave) as server:
        interviews, pauses = held(database, server)
        view = await interviews.create(ANN, "bug_report", initial_message=ALL)
    assert len(server.requests) == 4
    assert len(pauses) == 2
    assert steps(view) == ["interpret", "gate check"]
    assert view.state.meta.status == "ready"


async def test_replies_that_are_asked_for_again_and_failures_are_counted_apart(database: Database) -> None:
    failures = (Fail(429), Say("Of course!"), Fail(500), Fail(503), Say("{}"), Fail(500))
    with FakeOpenAI(Model(*failures)) as server:
        interviews, pauses = held(database, server)
        view = await interviews.create(ANN, "bug_report", initial_message="the editor")
    assert len(server.requests) == 7
    assert len(pauses) == 4
    # Each ask has its own tries: the pause begins small again.
    assert pauses[0] == pauses[1] == pauses[3] < pauses[2]
    assert view.state.domain == {"product": "the editor"}
    turn = view.events[-1]
    assert isinstance(turn, TurnApplied)
    assert sum("raw" in line for line in turn.trace) == 3


@pytest.mark.parametrize(
    ("failure", "asked", "said"),
    [
        (Fail(429), 3, "(429)"),
        (Fail(500), 3, "500"),
        (HangUp(), 3, "test-model"),
        (Fail(429, headers={"Retry-After": "600"}), 1, "600"),
        (Fail(401, "Incorrect API key provided", "invalid_api_key"), 1, "models.openai_api_key"),
        (Fail(404), 1, "test-model"),
    ],
    ids=["429", "500", "hangs up", "429 for ten minutes", "refused key", "no such model"],
)
async def test_server_that_stays_away_keeps_the_message_and_the_next_one_takes_it_along(
    database: Database, failure: Behaviour, asked: int, said: str
) -> None:
    model = Model(*[failure] * 20)
    with FakeOpenAI(model) as server:
        interviews, pauses = held(database, server)
        begun = await interviews.create(ANN, "bug_report")
        view = await interviews.post(ANN, begun.session.id, "the editor")
        assert len(server.requests) == asked
        assert len(pauses) == asked - 1
        assert sorted(set(pauses)) == pauses
        error = view.next_action.error
        assert error is not None
        assert error.code == "model_unavailable"
        assert said in error.message
        assert "a-key" not in error.message
        assert hash_state(view.state) == hash_state(begun.state)
        model.is_failing = False
        view = await interviews.post(ANN, begun.session.id, "it is version 2.1")
    assert view.state.domain == {"product": "the editor", "version": "2.1"}


async def test_server_that_is_too_slow_is_not_paid_twice_and_the_message_is_kept(database: Database) -> None:
    """The server may still be at work on the call, so it is not asked again: the next message asks."""
    with FakeOpenAI([Hang()]) as server:
        interviews, pauses = held(database, server, timeout_seconds=0.2)
        view = await interviews.create(ANN, "bug_report", initial_message="the editor")
        assert len(server.requests) == 1
    assert pauses == []
    assert view.next_action.error is not None
    assert "0.2" in view.next_action.error.message
    with FakeOpenAI(Model()) as server:
        interviews, _ = held(database, server)
        view = await interviews.post(ANN, view.session.id, "it is version 2.1")
    assert view.state.domain == {"product": "the editor", "version": "2.1"}


async def test_server_that_takes_no_connection_is_tried_again(database: Database) -> None:
    with FakeOpenAI() as server:
        address = server.base_url
    # It is closed now.
    with FakeOpenAI() as other:
        interviews, pauses = held(database, other, base_url=address)
        view = await interviews.create(ANN, "bug_report", initial_message="the editor")
        assert other.requests == []
    assert len(pauses) == 2
    assert view.next_action.kind == "halt_error"
