"""Events that the engine emits while it works; the terminal, Telegram and the console display them.

Each has a JSON form, for a table or a stream to a browser: ``{"type": "step_started", "schema": 1, …}``. To
add an event, add a frozen dataclass here and list it in `Event` and `_TYPES`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeAlias

from pydantic import TypeAdapter

from rag.values import Answer, StepTrace

SCHEMA = 1
"""Version of the JSON form; increased when a reader of the previous version would misread it."""


@dataclass(frozen=True, slots=True)
class StepStarted:
    """A step starts; `number` counts the steps of its name within the run."""

    step: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class StepFinished:
    """A step has ended, with its trace line; `number` counts the steps of its name within the run."""

    trace: StepTrace
    number: int = 1


@dataclass(frozen=True, slots=True)
class Text:
    """A piece of an unchecked text; each step of its name, counted by `number`, begins the text anew."""

    step: str
    piece: str
    number: int = 1


@dataclass(frozen=True, slots=True)
class CouncilEvent:
    """A stage of a council begins or ends, or a member has finished its part of one.

    Args:
        name: ``stage1_start``, ``stage1_model``, ``stage1_complete`` … ``stage3_complete``, ``complete``.
        data: Of a member ``seat``, ``status``, ``ms`` and ``tokens``; of a stage what it has left, see
            `rag.council.record`.
    """

    name: str
    data: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Answered:
    """The answer; always the last event."""

    answer: Answer


Event: TypeAlias = StepStarted | StepFinished | Text | CouncilEvent | Answered

_TYPES: Mapping[str, type[Event]] = {
    "step_started": StepStarted,
    "step_finished": StepFinished,
    "text": Text,
    "council": CouncilEvent,
    "answered": Answered,
}
_NAMES = {kind: name for name, kind in _TYPES.items()}


def to_json(event: Event) -> dict[str, Any]:
    """Return an event as plain data for `json.dumps`: its type, the schema version and its fields."""
    name = _NAMES[type(event)]
    return {"type": name, "schema": SCHEMA, **_adapter(name).dump_python(event, mode="json")}


def from_json(data: Mapping[str, Any]) -> Event:
    """Restore an event.

    Raises:
        ValueError: The data is not an event, or has another version.
    """
    fields = dict(data)
    name, schema = fields.pop("type", None), fields.pop("schema", None)
    if not isinstance(name, str) or name not in _TYPES or schema != SCHEMA:
        raise ValueError(f"this is no event of version {SCHEMA}: type {name!r}, schema {schema!r}")
    event: Event = _adapter(name).validate_python(fields)
    return event


@cache
def _adapter(name: str) -> TypeAdapter[Any]:
    return TypeAdapter(_TYPES[name])
