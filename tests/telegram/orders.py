"""The methods with which a test orders faults; the base class of the server."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator
from typing import Any

from tests.telegram.faults import Fault, Gate, Kind, Script, Where
from tests.telegram.refusals import scripted
from tests.telegram.world import World


class Orders:
    """Orders faults for the next calls of a method.

    Each method accepts ``chat_id``, ``times`` and ``where`` (a function of the Request) to select the calls.
    """

    world: World
    script: Script
    _in_loop: Callable[[Callable[[], object]], None]

    def fail_next(
        self,
        method: str,
        *,
        status: int = 400,
        description: str = "",
        retry_after: int | None = None,
        migrate_to: int | None = None,
        **which: Any,
    ) -> None:
        """Refuse calls without an effect; missing fields of the refusal are filled in as by Telegram."""
        refusal = scripted(status, description, retry_after, migrate_to)
        self._order("refuse", method, refusal=refusal, **which)

    def garbage_next(
        self, method: str, *, status: int = 502, body: bytes = b"<html>Bad Gateway</html>", **which: Any
    ) -> None:
        self._order("garbage", method, status=status, body=body, **which)

    def hang_next(self, method: str, *, after: bool = False, **which: Any) -> None:
        """Never answer calls; with ``after`` they have their effect first."""
        self._order("stall" if after else "hang", method, **which)

    def drop_next(self, method: str, **which: Any) -> None:
        """Close the connection before calls have an effect."""
        self._order("drop", method, **which)

    def lose_next(self, method: str, **which: Any) -> None:
        """Carry out calls and close the connection without an answer."""
        self._order("lose", method, **which)

    def slow_next(self, method: str, *, seconds: float, **which: Any) -> None:
        self._order("slow", method, seconds=seconds, **which)

    @contextlib.contextmanager
    def hold(
        self, method: str, *, chat_id: int | None = None, after: bool = False, where: Where | None = None
    ) -> Iterator[Gate]:
        """Hold calls, before or after their effect, until the block ends or ``release`` is called."""
        gate = Gate(method, chat_id, after=after, where=where)
        with self.world.lock:
            self.script.gates.append(gate)
        try:
            yield gate
        finally:
            self.release(gate)

    def release(self, gate: Gate) -> None:
        with self.world.lock:
            gate.is_open = True
            if gate in self.script.gates:
                self.script.gates.remove(gate)
        self._in_loop(gate.opened.set)

    def _order(self, kind: Kind, method: str, **fields: Any) -> None:
        with self.world.lock:
            self.script.faults.append(Fault(kind, method, **fields))
