"""The record of calls to the server."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass
class Request:
    """A call of a method.

    Args:
        at: When the call arrived, in seconds of the server's clock.
        files: Sizes of uploaded files by the name of their part.
        status: The HTTP status of the answer; None while there is none (and for an answer that was lost).
        done: Whether the call had its effect, answered or not.
        given_up: Whether the client was gone before the answer, like a killed bot.
    """

    method: str
    at: float
    params: Mapping[str, Any]
    chat_id: int | None
    files: Mapping[str, int] = field(default_factory=dict)
    status: int | None = None
    result: Any = None
    description: str = ""
    done: bool = False
    given_up: bool = False

    @property
    def text(self) -> str:
        return str(self.params.get("text", ""))

    @property
    def ok(self) -> bool:
        return self.status == 200
