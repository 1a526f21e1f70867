"""Writes the outcome of a step as JSON of known types, and reads it back; pydantic checks the fields.

Whoever can write the database (a PostgreSQL server is shared) must not run code by it: what may stand in a
record is plain values, and the frozen dataclasses, choices and errors of this program, by their names; a name
from anywhere else is refused. A class may have changed since a record was written: a record that does not fit
any more is refused as well, and whoever reads it begins from the start.
"""

from __future__ import annotations

import base64
import builtins
import importlib
import json
from collections.abc import Callable, Mapping
from dataclasses import fields
from datetime import date, datetime, timedelta
from enum import Enum
from functools import cache
from pathlib import Path
from typing import Any, Final

from pydantic import PydanticUserError, TypeAdapter

from rag.errors import ThinkTwiceError

_PROGRAM: Final = ("bot.", "rag.")
_KIND: Final = "$"
"""The key of a JSON object that says what it stands for; there are no other objects."""


class UnreadableRecordError(ThinkTwiceError):
    """A recorded step was written by another version and cannot be read."""


class UnknownOutcomeError(ThinkTwiceError):
    """The outcome of a step holds a value of a type that no record may hold."""


class RecordedError(ThinkTwiceError):
    """An error of a library, as it is read from a record: its type and its sentence."""


def dump(value: Any) -> str:  # noqa: ANN401 - any outcome
    """Return a record of a value; raise `UnknownOutcomeError` where it holds what no record may hold."""
    return json.dumps(_to_json(value), separators=(",", ":"), allow_nan=False)


def load(record: str) -> Any:  # noqa: ANN401 - any outcome
    """Return what a record holds.

    Raises:
        UnreadableRecordError: it is damaged, holds what no record may, or its classes are others now.
    """
    try:
        return _from_json(json.loads(record, parse_constant=_refuse_constant))
    except (
        ValueError, ImportError, AttributeError, KeyError, TypeError, OverflowError, RecursionError,
        PydanticUserError,
    ) as exc:  # fmt: skip
        raise UnreadableRecordError from exc


def _refuse_constant(name: str) -> Any:  # noqa: ANN401 - never returns
    raise UnreadableRecordError(f"{name} is no JSON")


def _to_json(value: object) -> object:
    kind = type(value)
    if value is None or kind in {bool, int, str}:
        return value
    if kind is list:
        return [_to_json(each) for each in value]  # type: ignore[attr-defined]
    write = _WRITERS.get(kind)
    if write is not None:
        return {_KIND: kind.__name__, "of": write(value)}
    if isinstance(value, BaseException):
        return _error_to_json(value)
    if isinstance(value, Mapping):
        return {_KIND: "dict", "of": _pairs_to_json(value)}
    if isinstance(value, Path):
        return {_KIND: "Path", "of": str(value)}
    if _is_of_program(kind) and isinstance(value, Enum):
        return {_KIND: _name_of(kind), "of": value.name}
    if _is_value(kind):
        return {_KIND: _name_of(kind), "of": _fields_to_json(value)}
    raise UnknownOutcomeError(f"the outcome of a step holds a {_name_of(kind)}, which no record may hold")


def _error_to_json(error: BaseException) -> object:
    kind = type(error)
    if not (_is_of_program(kind) or _is_builtin_error(kind)):
        return _error_to_json(RecordedError(f"{kind.__name__}: {error}"))
    reduced = error.__reduce__()
    assert isinstance(reduced, tuple)
    arguments, state = reduced[1], (reduced[2] if len(reduced) > 2 else None) or {}
    kept = {name: each for name, each in state.items() if name[:2] != "__"}
    try:
        return {_KIND: _name_of(kind), "of": [_to_json(list(arguments)), _to_json(kept)]}
    except UnknownOutcomeError:
        return _error_to_json(RecordedError(f"{kind.__name__}: {error}"))


def _fields_to_json(value: Any) -> dict[str, object]:  # noqa: ANN401 - any dataclass
    return {field.name: _to_json(getattr(value, field.name)) for field in fields(value)}


def _from_json(record: Any) -> Any:  # noqa: ANN401 - any outcome
    if isinstance(record, list):
        return [_from_json(each) for each in record]
    if not isinstance(record, dict):
        return record
    kind, content = record[_KIND], record["of"]
    if read := _READERS.get(kind):
        return read(content)
    module, _, name = kind.partition(":")
    if module == "builtins":
        error = getattr(builtins, name)
        if not _is_builtin_error(error):
            raise UnreadableRecordError
        return _read_error(error, content)
    found: Any = _import_class(module, name)
    if issubclass(found, Enum):
        return found[content]
    if issubclass(found, BaseException):
        return _read_error(found, content)
    if not _is_value(found) or {field.name for field in fields(found)} != set(content):
        raise UnreadableRecordError
    return _adapter(found).validate_python({name: _from_json(each) for name, each in content.items()})


@cache
def _adapter(kind: Any) -> TypeAdapter[Any]:  # noqa: ANN401 - a class that is a dataclass
    return TypeAdapter(kind)


def _read_error(kind: type[BaseException], content: list[Any]) -> BaseException:
    arguments, state = map(_from_json, content)
    error = kind(*arguments)
    error.__dict__.update(state)
    return error


def _import_class(module: str, name: str) -> type:
    """Return a class of this program; raise `UnreadableRecordError` for the name of anything else."""
    if not module.startswith(_PROGRAM):
        raise UnreadableRecordError
    found: Any = importlib.import_module(module)
    for part in name.split("."):
        found = getattr(found, part)
    if not isinstance(found, type) or found.__qualname__ != name:
        raise UnreadableRecordError
    # A module that became a package names its classes as before, so earlier records can be read.
    if found.__module__ != module and not found.__module__.startswith(f"{module}."):
        raise UnreadableRecordError
    return found


def _name_of(kind: type) -> str:
    return f"{kind.__module__}:{kind.__qualname__}"


def _is_of_program(kind: type) -> bool:
    return kind.__module__.startswith(_PROGRAM)


def _is_value(kind: Any) -> bool:  # noqa: ANN401 - a class
    """Whether a class only holds values: a frozen dataclass of this program."""
    parameters = getattr(kind, "__dataclass_params__", None)
    return _is_of_program(kind) and parameters is not None and parameters.frozen


def _is_builtin_error(kind: object) -> bool:
    return isinstance(kind, type) and issubclass(kind, Exception) and kind.__module__ == "builtins"


def _pairs_to_json(value: Any) -> list[list[object]]:  # noqa: ANN401 - any mapping
    return [[_to_json(key), _to_json(each)] for key, each in value.items()]


def _each_to_json(value: Any) -> list[object]:  # noqa: ANN401 - any collection
    return [_to_json(each) for each in value]


_WRITERS: Mapping[type, Callable[[Any], object]] = {
    tuple: _each_to_json,
    frozenset: _each_to_json,
    set: _each_to_json,
    dict: _pairs_to_json,
    float: repr,
    bytes: lambda value: base64.b64encode(value).decode("ascii"),
    datetime: datetime.isoformat,
    date: date.isoformat,
    timedelta: lambda value: [value.days, value.seconds, value.microseconds],
}
_READERS: Mapping[str, Callable[[Any], Any]] = {
    "tuple": lambda content: tuple(_from_json(each) for each in content),
    "frozenset": lambda content: frozenset(_from_json(each) for each in content),
    "set": lambda content: {_from_json(each) for each in content},
    "dict": lambda content: {_from_json(key): _from_json(each) for key, each in content},
    "float": float,
    "bytes": base64.b64decode,
    "datetime": datetime.fromisoformat,
    "date": date.fromisoformat,
    "timedelta": lambda content: timedelta(*content),
    "Path": Path,
}
