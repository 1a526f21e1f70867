"""Parse typed replies: one JSON object, with or without words around it.

What is plain is read: a fence or a sentence around the object, JSON as models write it, a wrapper or a call
around the object, its names in capitals or in camel case, lines of names and values, capitals in a word to
choose, 90, "90%", "0,9" or "9/10" for 0.9. What can mean two things is refused: two objects, duplicate names,
numbers that JSON does not know (NaN, Infinity, 007), a word for a number.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence, Set
from contextlib import suppress
from typing import Any, Final, NoReturn

from pydantic import BaseModel, ValidationError

from rag.models import loose_json
from rag.models.chat import Validator

_MAX_SHOWN = 200
_MOST_MENDS = 3
_OBJECT: Final = re.compile(r"""\{(?=\s*+(?:["'“‘„«`}#]|//|/\*|[^\W\d][\w$-]{0,80}+\s*+:))""")
_LINE: Final = re.compile(
    r"^[ \t*_#-]{0,9}([^\W\d][\w -]{0,40}?)[*_` \"]{0,6}[:=][*_` \t\"]{0,6}([^\s\"][^\n]*)$", re.MULTILINE
)
_ELEMENT: Final = re.compile(r"<([a-zA-Z]\w{0,40})>([^<>]*)</\1>")
_FENCE: Final = re.compile(r"^[ \t]*```\w{0,20}[ \t]*$", re.MULTILINE)
_TAG: Final = re.compile(r"</?[a-zA-Z]\w{0,40}>")
_LONGEST_SENTENCE = 200
_MOST_WORDS_OF_NAME = 2
_CHOICES = re.compile(r"'([^']*)'")
_FRACTION: Final = re.compile(r"(\d{1,3}(?:\.\d+)?)\s*(?:/|out of)\s*(5|10|100)")


class UnusableReplyError(ValueError):
    """A typed reply cannot be used; the message says to the model what is wrong with it."""


def parse(
    reply: str, output: type[BaseModel], validate: Validator | None = None, *, is_cut: bool = False
) -> tuple[BaseModel, str]:
    """Return a typed reply and its JSON text.

    Args:
        reply: The reply.
        output: Its type.
        validate: Returns what is wrong with a reply of that type.
        is_cut: The reply was cut off, so that only an object with an end counts.

    Raises:
        UnusableReplyError: The reply holds no JSON object or several, the object is not of that type, or
            `validate` rejects it.
    """
    schema = output.model_json_schema()
    try:
        value = _fit(_unwrap(_find_object(reply, schema, is_cut=is_cut), schema), schema, schema)
    except (ValueError, RecursionError) as exc:
        raise UnusableReplyError(f"the reply is not one JSON object: {exc}") from exc
    parsed, value = _validate(value, output)
    if validate is not None and (problem := validate(parsed)):
        raise UnusableReplyError(problem)
    return parsed, json.dumps(value, ensure_ascii=False)


def _validate(value: Any, output: type[BaseModel]) -> tuple[BaseModel, Any]:  # noqa: ANN401 - any JSON value
    first: ValidationError | None = None
    for _ in range(_MOST_MENDS):
        try:
            return output.model_validate_json(json.dumps(value)), value
        except ValidationError as exc:
            first = first or exc
            value = _mend(value, exc)
    assert first is not None
    raise UnusableReplyError(_list_faults(first)) from first


def _find_object(reply: str, schema: Mapping[str, Any], *, is_cut: bool) -> Any:  # noqa: ANN401 - any JSON value
    text = reply.strip("\ufeff \r\n\t")
    if text.startswith('"'):
        with suppress(ValueError):
            inner = json.loads(text)  # JSON in a JSON string
            text = inner if isinstance(inner, str) else text
    found: list[Any] = []
    position = 0
    while (begun := _OBJECT.search(text, position)) and len(found) < 2:
        try:
            value, position = _DECODER.raw_decode(text, begun.start())
        except ValueError:
            if is_cut:
                raise
            value, position = loose_json.read(text, begun.start())
        found.append(value)
    if len(found) > 1:
        raise ValueError("it holds several")
    if found:
        return found[0]
    if is_cut:
        raise ValueError("it was cut off")
    return _read_lines(text, schema)


def _read_lines(text: str, schema: Mapping[str, Any]) -> dict[str, str]:
    """Read lines such as "confidence: 0.9", and elements such as "<confidence>0.9</confidence>".

    They are a reply only where they are all of it, but for one first sentence: in a text that goes on they
    can be an example, or what somebody else has said.
    """
    names = {_plain_name(name) for name in schema.get("properties", {})}
    said = [*_LINE.findall(text), *_ELEMENT.findall(text)]
    pairs = [(name, value.strip(" \t\r,;*_`\"'“”")) for name, value in said if _plain_name(name) in names]
    if not pairs or not _are_all_of_it(text):
        raise ValueError("Expecting value: it holds none")
    return _without_duplicates(pairs)


def _are_all_of_it(text: str) -> bool:
    plain = _TAG.sub(" ", _ELEMENT.sub("\0", _FENCE.sub("", text)))
    lines = [line for line in plain.splitlines() if "\0" in line or any(map(str.isalnum, line))]
    for number, line in enumerate(lines):
        if "\0" in line:
            is_part = not any(map(str.isalnum, line))  # no element in the words of a sentence
        elif (found := _LINE.match(line)) and len(found[1].split()) <= _MOST_WORDS_OF_NAME:
            is_part = True
        else:
            is_part = number == 0 and len(line) <= _LONGEST_SENTENCE
        if not is_part:
            return False
    return True


def _unwrap(value: Any, schema: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """Return the object inside of a wrapper or a call, if the wanted names stand there and nowhere else."""
    required = {_plain_name(name) for name in schema.get("required", ())}
    wanted = {_plain_name(name) for name in schema.get("properties", {})}
    for _ in range(2):
        if not isinstance(value, dict) or wanted & set(map(_plain_name, value)):
            break
        opened = [_open(one) for one in value.values()]
        if sum(_holds(one, wanted) for one in opened) > 1:
            raise ValueError("it holds several")
        inner = [one for one in opened if isinstance(one, dict)]
        fitting = [one for one in inner if required <= (has := set(map(_plain_name, one))) and wanted & has]
        if not fitting and len(inner) == 1:
            fitting = inner
        if len(fitting) != 1:
            break
        value = fitting[0]
    return value


def _holds(value: Any, wanted: Set[str]) -> bool:  # noqa: ANN401 - any JSON value
    """Return whether one of the wanted names stands in a value, at any depth."""
    if isinstance(value, list):
        return any(_holds(one, wanted) for one in value)
    if not isinstance(value, dict):
        return False
    return not wanted.isdisjoint(map(_plain_name, value)) or any(
        _holds(one, wanted) for one in value.values()
    )


def _open(value: Any) -> Any:  # noqa: ANN401 - any JSON value
    if isinstance(value, list) and len(value) == 1:
        return value[0]
    if isinstance(value, str) and value.lstrip().startswith("{"):
        with suppress(ValueError):
            return loose_json.read(value)[0]
    return value


def _fit(value: Any, schema: Mapping[str, Any], root: Mapping[str, Any]) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value with the names of its schema, which models write in capitals or in camel case."""
    schema = root.get("$defs", {}).get(schema.get("$ref", "").rpartition("/")[2], schema)
    for option in schema.get("anyOf", ()):
        value = _fit(value, option, root)
    if isinstance(value, list):
        return [_fit(one, schema.get("items", {}), root) for one in value]
    names = schema.get("properties")
    if not names or not isinstance(value, dict):
        return value
    known: dict[str, str] = {_plain_name(name): name for name in names}
    named = [
        (key if key in names else known.get(_plain_name(key)) or key, given) for key, given in value.items()
    ]
    return {
        name: _fit(given, names.get(name, {}), root) for name, given in _without_duplicates(named).items()
    }


def _plain_name(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def _list_faults(error: ValidationError) -> str:
    return "\n".join(
        f"- {'.'.join(map(str, one['loc'])) or 'the object'}: {one['msg']}, "
        f"not {json.dumps(one['input'], ensure_ascii=False, default=str)[:_MAX_SHOWN]}"
        for one in error.errors(include_url=False, include_context=False)
    )


def _mend(value: Any, fault: ValidationError) -> Any:  # noqa: ANN401 - any JSON value
    """Return a value without the faults that leave no doubt about what is meant."""
    for error in fault.errors(include_url=False):
        given, context = error["input"], error.get("ctx", {})
        meant: object = None
        if isinstance(given, dict) and list(given) == ["value"]:
            meant = given["value"]
        elif isinstance(given, list) and len(given) == 1 and isinstance(given[0], str):
            meant = given[0]
        elif error["type"] == "literal_error" and isinstance(given, str):
            choices = _CHOICES.findall(str(context.get("expected", "")))
            meant = next((choice for choice in choices if _plain(choice) == _plain(given)), None)
        elif error["type"] == "less_than_equal" and context.get("le") == 1 and 10 < float(given) <= 100:
            meant = float(given) / 100
        elif error["type"] == "float_parsing":
            meant = _read_number(given.strip(" ~"))
        if meant is not None:
            value = _with(value, error["loc"], meant)
    return value


def _read_number(said: str) -> float | None:
    if re.fullmatch(r"\d{1,3}(?:\.\d+)?\s*%?", said):
        return float(said.rstrip(" %")) / (100 if said.endswith("%") else 1)
    if re.fullmatch(r"0,\d{1,6}|\d{1,3},\d{1,2}", said):
        return float(said.replace(",", "."))
    parts = _FRACTION.fullmatch(said)
    return float(parts[1]) / float(parts[2]) if parts else None


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


_DECODER: Final = json.JSONDecoder(object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
