"""Describes a setting that cannot be used: its name as written, its allowed values, and the likely intent.

A tree of settings and what was given go in, one sentence comes out, or an empty string.
"""

from __future__ import annotations

import difflib
import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from bot.settings.names import PREFIX, Setting, leaves
from rag.errors import OperatorError


class BadSettingError(OperatorError):
    """A setting has a name or a value that cannot be used."""


_LONGEST = 24
"""Characters of a wrong value that is repeated: a longer one may be a key in the wrong place."""

_COUNTED = ("whole number", "number", "table", "path")


def raise_if_faulty(fault: str) -> None:
    """Raise `BadSettingError` with this message; do nothing if it is empty."""
    if fault:
        raise BadSettingError(fault)


def describe_unknown_name(tree: type[BaseModel], table: Mapping[str, Any], origin: str) -> str:
    """Say which name of a table no setting has; `origin` says where it was given."""
    known = {setting.path for setting in leaves(tree)}
    sections = _sections(known)
    for path in _paths_of(table, sections):
        if path not in known and path not in sections:
            name, names = ".".join(path), [".".join(candidate) for candidate in known | sections]
            return f"{origin} names the setting '{name}', which does not exist{_suggest(name, names)}"
    return ""


def describe_unknown_variable(
    tree: type[BaseModel], variables: Collection[str], others: Collection[str]
) -> str:
    """Say which variable with our prefix names no setting, and is none of the `others` that are allowed."""
    settings = tuple(leaves(tree))
    known = {setting.variable for setting in settings} | set(others)
    known |= {PREFIX + setting.path[0].upper() for setting in settings if len(setting.path) > 1}
    tables = tuple(f"{setting.variable}__" for setting in settings if setting.is_table)
    for name in sorted(variables):
        if name.startswith(PREFIX) and name not in known and not name.startswith(tables):
            return f"the variable {name} names a setting that does not exist{_suggest(name, sorted(known))}"
    return ""


def describe_missing_table(tree: type[BaseModel], variables: Mapping[str, str]) -> str:
    """Say which variable should hold a table, or a whole section, and does not."""
    settings = tuple(leaves(tree))
    examples = {
        setting.variable: f"write it like '{json.dumps(setting.example)}'"
        for setting in settings
        if setting.is_table
    }
    for setting in settings:
        if len(setting.path) > 1:
            section = PREFIX + setting.path[0].upper()
            examples.setdefault(section, f"name its settings one by one, e.g. {setting.variable}")
    for name in sorted(examples.keys() & variables.keys()):
        if not _is_table(variables[name]):
            # A section may hold secrets.
            return f"the variable {name} does not hold a table written as JSON: {examples[name]}"
    return ""


def describe_bad_value(tree: type[BaseModel], error: ValidationError) -> str:
    """Say which setting has a value that it does not take."""
    first = error.errors()[0]
    location = tuple(str(part) for part in first["loc"])
    for setting in leaves(tree):
        if location[: len(setting.path)] == setting.path:
            named = f"the setting {setting.name} ({setting.variable})"
            if setting.is_table and len(location) > len(setting.path):
                return f"{named} {_describe_inside_table(first, location[len(setting.path) :])}"
            cause = first.get("ctx", {}).get("error")
            if first["type"] == "value_error" and not isinstance(cause, json.JSONDecodeError):
                # A rule of ours, which says what to do in words of its own.
                return f"{named} cannot be used: {first['msg'].removeprefix('Value error, ')}"
            value = "(hidden)" if setting.is_secret else _shorten(first["input"])
            return f"{named} is {value}, but takes {_add_article(setting)}"
    return f"the setting {'.'.join(location)} cannot be used: {first['msg']}"


def _describe_inside_table(fault: ErrorDetails, place: tuple[str, ...]) -> str:
    *above, last = place
    entry = f"for '{'.'.join(above)}'" if above else f"'{last}'"
    match fault["type"]:
        case "missing":
            return f"lacks '{last}' {entry}"
        case "extra_forbidden":
            return f"has '{last}' {entry}, which does not exist there"
        case _:
            why = "should be a table" if "dictionary" in fault["msg"] else fault["msg"].removeprefix("Input ")
            where = f"as '{last}' {entry}" if above else f"for {entry}"
            return f"has {_shorten(fault['input'])} {where}, which {why}"


def _shorten(value: object) -> str:
    text = repr(value)
    return text if len(text) <= _LONGEST else f"a value of {len(str(value))} characters"


def _add_article(setting: Setting) -> str:
    takes = setting.takes.replace("`", "")
    is_one = any(takes == word or takes.startswith(f"{word} ") for word in _COUNTED)
    return f"a {takes}" if is_one else takes


def _is_table(value: str) -> bool:
    try:
        return isinstance(json.loads(value), dict)
    except ValueError:
        return False


def _sections(known: Collection[tuple[str, ...]]) -> set[tuple[str, ...]]:
    return {path[:end] for path in known for end in range(1, len(path))}


def _paths_of(
    table: Mapping[str, Any], sections: Collection[tuple[str, ...]], above: tuple[str, ...] = ()
) -> Iterator[tuple[str, ...]]:
    for name, value in table.items():
        path = (*above, name)
        if path in sections and isinstance(value, Mapping):
            yield from _paths_of(value, sections, path)
        else:
            yield path


def _suggest(name: str, known: Collection[str]) -> str:
    close = difflib.get_close_matches(name, sorted(known), n=1)
    return f"; did you mean {close[0]}?" if close else "; the README lists all of them"
