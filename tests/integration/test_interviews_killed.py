"""A process is killed at each step of a turn, which is neither lost nor doubled."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from bot.service.interview_values import View
from bot.storage.database import Database
from bot.storage.interviews import StoredInterviews
from tests.support.interviews import ANN, EVERYTHING, held_in


class Killed(BaseException):
    """The process is killed."""


class Recorder:
    """Records steps as the durable runner does: a light step is recorded with the next step that is not light.

    At the step that `dies_at` names, the recorder raises `Killed`.
    """

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
