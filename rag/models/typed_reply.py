"""Parse typed replies: one JSON object, with or without words around it.

What is plain is read: a fence or a sentence around the object, a comma too many, a wrapper with one name,
capitals in a word to choose, 90 or "90%" for 0.9. What can mean two things is refused: two objects, duplicate
names, numbers that JSON does not know (NaN, Infinity, 007).
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn

from pydantic import BaseModel, ValidationError

from rag.models.chat import Validator

_MAX_CHARACTERS = 200_000
_MAX_SHOWN = 200
_SPARE_COMMA = re.compile(r'("(?:[^"\\]|\\.)*+"?)|,(?=\s*+[}\]])', re.DOTALL)
_CHOICES = re.compile(r"'([^']*)'")


class UnusableReplyError(ValueError):
    """A typed reply cannot be used; the message says to the model what is wrong with it."""


def parse(reply: str, output: type[BaseModel], validate: Validator | None = None) -> tuple[BaseModel, str]:
    """Return a typed reply and its JSON text; `validate` returns what is wrong with one.

    Raises:
        UnusableReplyError: The reply holds no JSON object or several, the object is not of that type, or
            `validate` rejects it.
    """
    value = _find_object(reply)
    try:
        parsed = output.model_validate_json(json.dumps(value))
    except ValidationError as exc:
        value = _mend(value, exc)
        try:
            parsed = output.model_validate_json(json.dumps(value))
        except ValidationError:
            raise UnusableReplyError(_list_faults(exc)) from exc
    if validate is not None and (problem := validate(parsed)):
        raise UnusableReplyError(problem)
    return parsed, json.dumps(value, ensure_ascii=False)


def _find_object(reply: str) -> Any:  # noqa: ANN401 - any JSON value
    decoder = json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
    text = reply[:_MAX_CHARACTERS]
    found: list[Any] = []
    fault, position = "", 0
    while (start := text.find("{", position)) >= 0 and len(found) < 2:
        try:
            value, position = decoder.raw_decode(text, start)
            found.append(value)
        except (ValueError, RecursionError) as exc:
            without_commas = _SPARE_COMMA.sub(lambda comma: comma[1] or "", text)
            if without_commas != text:
                text, position, found = without_commas, 0, []
                continue
            fault = fault or str(exc)
            break
    if len(found) == 1 and not fault:
        return found[0]
    if not found:
        fault = fault or "Expecting value: it holds none"
    raise UnusableReplyError(f"the reply is not one JSON object: {fault or 'it holds several'}")


def _list_faults(error: ValidationError) -> str:
    return "\n".join(
        f"- {'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}, "
        f"not {json.dumps(one['input'], ensure_ascii=False, default=str)[:_MAX_SHOWN]}"
        for one in error.errors(include_url=False, include_context=False)
    )


def _mend(value: Any, fault: ValidationError) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value without the faults that leave no doubt about what is meant."""
    if isinstance(value, dict) and len(value) == 1 and isinstance(only := next(iter(value.values())), dict):
        return only
    for error in fault.errors(include_url=False):
        given, context = error["input"], error.get("ctx", {})
        meant: object = None
        if error["type"] == "literal_error" and isinstance(given, str):
            choices = _CHOICES.findall(str(context.get("expected", "")))
            meant = next((choice for choice in choices if _plain(choice) == _plain(given)), None)
        elif error["type"] == "less_than_equal" and context.get("le") == 1 and 10 <= float(given) <= 100:
            meant = float(given) / 100
        elif error["type"] == "float_parsing" and re.fullmatch(r"\s*\d{1,3}(?:\.\d+)?\s*%\s*", given):
            meant = float(given.strip(" %")) / 100
        if meant is not None:
            value = _with(value, error["loc"], meant)
    return value


def _plain(word: str) -> str:
    return re.sub(r"[\s_-]+", "_", word.strip(" .!")).casefold()


def _with(value: Any, place: Sequence[int | str], meant: object) -> Any:  # noqa: ANN401 - any JSON value
    if not place:
        return meant
    if isinstance(value, dict) and place[0] in value:
        return value | {place[0]: _with(value[place[0]], place[1:], meant)}
    if isinstance(value, list) and isinstance(place[0], int):
        return [_with(one, place[1:], meant) if n == place[0] else one for n, one in enumerate(value)]
    return value


def _without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} stands there twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")
