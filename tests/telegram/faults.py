"""Faults that a test orders: refusals, silence, lost answers, and calls that are held up."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from tests.telegram.record import Request
from tests.telegram.refusals import Refusal

Kind: TypeAlias = Literal["refuse", "garbage", "hang", "drop", "lose", "stall", "slow"]
Where: TypeAlias = Callable[[Request], bool]


@dataclass
class Fault:
    """A fault for the next matching calls.

    Args:
        kind: ``refuse`` answers without an effect; ``garbage`` sends a body that is not Telegram's; ``hang``
            never answers; ``drop`` closes the connection before the effect; ``lose`` after it; ``stall`` has the
            effect and never answers; ``slow`` waits first.
        method: Name of the method, or ``*``.
    """

    kind: Kind
    method: str
    chat_id: int | None = None
    times: int = 1
    refusal: Refusal | None = None
    status: int = 502
    body: bytes = b""
    seconds: float = 0.0
    where: Where | None = None

    def matches(self, request: Request) -> bool:
        return (
            self.times > 0
            and self.method in {"*", request.method}
            and self.chat_id in {None, request.chat_id}
            and (self.where is None or self.where(request))
        )


class Gate:
    """Holds matching calls until it is opened; with `after` they had their effect, and only the answer is missing."""

    def __init__(self, method: str, chat_id: int | None, *, after: bool, where: Where | None) -> None:
        self.method = method
        self.chat_id = chat_id
        self.after = after
        self.where = where
        self.is_open = False
        self.held: list[Request] = []
        self.opened = asyncio.Event()

    @property
    def waiting(self) -> int:
        return len(self.held)

    def holds(self, request: Request, *, after: bool) -> bool:
        return (
            not self.is_open
            and self.after == after
            and self.method in {"*", request.method}
            and self.chat_id in {None, request.chat_id}
            and (self.where is None or self.where(request))
        )


@dataclass
class Script:
    faults: list[Fault] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)

    def take(self, request: Request) -> Fault | None:
        """Return the first matching fault, or None, and use it up once."""
        fault = next((fault for fault in self.faults if fault.matches(request)), None)
        if fault is not None:
            fault.times -= 1
            if fault.times == 0:
                self.faults.remove(fault)
        return fault

    def gate(self, request: Request, *, after: bool) -> Gate | None:
        return next((gate for gate in self.gates if gate.holds(request, after=after)), None)
