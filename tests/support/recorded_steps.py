"""A runner of steps that records their results and can be killed, for tests of what a restart does."""

from __future__ import annotations

import pickle
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from typing import Any
from uuid import uuid4

from bot.current_step import carrying_out


class KilledError(Exception):
    """Stands for the kill of the process at this point."""


@dataclass
class Recording:
    """A `run_step` that records results as a durable runner does, and can be killed at a step.

    Args:
        kill_at: Number of the step, counted over all that are carried out; 0: never.
        has_recorded: The result of that step is recorded; otherwise only its effect has happened.
    """

    kill_at: int = 0
    has_recorded: bool = False
    outcomes: dict[str, bytes] = field(default_factory=dict)
    order: list[str] = field(default_factory=list)
    # Not its id(): that may be the one of a recording that is gone, whose messages would count as its own.
    _key: str = field(default_factory=lambda: uuid4().hex)
    _names: set[str] = field(default_factory=set)
    _is_reopened: bool = False

    def restart(self) -> None:
        """Continue after the last recorded step, without another kill."""
        self.kill_at = 0
        self._is_reopened = True
        self._names.clear()

    async def __call__(
        self, name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Any:
        assert name not in self._names, f"two steps are called {name}"
        self._names.add(name)
        if name not in self.outcomes:
            with carrying_out(again=self._is_reopened, key=f"{self._key}/{name}"):
                outcome = await self._outcome(work)
            self._is_reopened = self._is_reopened and is_light
            self.order.append(name)
            is_killed = len(self.order) == self.kill_at
            if is_killed and not self.has_recorded:
                self.order.pop()
                raise KilledError(name)
            self.outcomes[name] = pickle.dumps(outcome)
            if is_killed:
                raise KilledError(name)
        kind, value = pickle.loads(self.outcomes[name])
        if kind == "raised":
            raise value
        return value

    async def _outcome(self, work: Callable[[], Awaitable[Any]]) -> tuple[str, Any]:
        try:
            return "returned", await work()
        except KilledError:
            raise
        except Exception as exc:  # noqa: BLE001 - as a durable runner does
            return "raised", exc
