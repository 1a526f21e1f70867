"""Texts that must do no harm, and what a page and the OpenAPI document offer to put them into."""

from __future__ import annotations

import json
import re
import uuid
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

_VOID: Final = frozenset({"br", "hr", "img", "input", "link", "meta"})
_NEVER: Final = frozenset({"iframe", "object", "embed", "style", "base", "math", "foreignobject", "template"})
_SVG: Final = frozenset({"svg", "text", "rect", "path"})
_KEY: Final = re.compile(r"[0-9a-f]{32}")
_NAMES_THINGS: Final = re.compile(r"[0-9a-f-]{20,}|\d+|web:[^/]+|telegram:[^/]+|web%3A[^/]+|telegram%3A[^/]+")


def attack_texts(shared: Path) -> list[str]:
    """Return every text of the development data's attacks, some with halves of characters in them."""
    folder = shared / "attacks"
    rows = [*_lines(folder / "attacks.jsonl"), *_lines(folder / "unicode.jsonl")]
    return [*(row["text"] for row in rows), *json.loads((folder / "naughty-strings.json").read_text("utf-8"))]


def without_halves(text: str) -> str:
    """Return a text with a question mark for each half of a character, which JSON alone can carry."""
    return text.encode("utf-8", "replace").decode()


def _lines(path: Path) -> Iterator[dict[str, Any]]:
    yield from map(json.loads, path.read_text("utf-8").splitlines())


@dataclass(frozen=True)
class Field:
    """A field of a form.

    Args:
        kind: Its type, as in ``<input type="hidden">``, or ``select``, ``textarea``, ``button``.
        value: What a browser sends when nobody touches it.
    """

    name: str
    kind: str
    value: str = ""

    @property
    def is_typed(self) -> bool:
        return self.kind in {"text", "textarea"}


@dataclass
class Form:
    method: str
    action: str
    encoding: str
    fields: dict[str, Field] = field(default_factory=dict)

    @property
    def identity(self) -> tuple[str, str, tuple[str, ...]]:
        """What tells it from other forms, whichever conversation, person or token it is about."""
        return self.method, pattern_of(self.action), tuple(sorted(self.fields))

    def filled(self) -> dict[str, str]:
        """Return what a browser sends, with words in the fields that are typed into."""
        values = {}
        for one in self.fields.values():
            if one.kind == "file":
                continue
            # An idempotency key is new each time that the page is drawn.
            values[one.name] = uuid.uuid4().hex if _KEY.fullmatch(one.value) else one.value
            if one.is_typed and not one.value:
                values[one.name] = "99" if one.name == "id" else "Which Java does FxStore need?"
        return values


def pattern_of(path: str) -> str:
    """Return a path with a star for each part that names a thing."""
    return "/".join("*" if _NAMES_THINGS.fullmatch(part) else part for part in path.split("/"))


class ReadPage(HTMLParser):
    """A page as a browser understands it.

    Attributes:
        active: What a browser would carry out, or load from elsewhere.
        unbalanced: Tags that close nothing or are never closed: the page is broken.
    """

    def __init__(self, text: str) -> None:
        super().__init__()
        self.active: list[str] = []
        self.unbalanced: list[str] = []
        self.links: list[str] = []
        self.forms: list[Form] = []
        self._open: list[str] = []
        self._form: Form | None = None
        self._select = ""
        self.feed(text)
        self.close()
        self.unbalanced += self._open

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        given = {name: value or "" for name, value in attributes}
        self._look_for_harm(tag, given)
        if tag not in _VOID:
            self._open.append(tag)
        if tag == "a" and given.get("href", "").startswith("/"):
            self.links.append(given["href"].partition("#")[0])
        if tag == "form":
            self._form = Form(given.get("method", "get").lower(), given["action"], given.get("enctype", ""))
            self.forms.append(self._form)
        elif self._form is not None:
            self._add_field(self._form, tag, given)

    def handle_startendtag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attributes)
        if tag not in _VOID:
            self._open.pop()

    def handle_endtag(self, tag: str) -> None:
        if self._open and self._open[-1] == tag:
            self._open.pop()
        else:
            self.unbalanced.append(f"/{tag}")
        if tag == "form":
            self._form = None

    def _look_for_harm(self, tag: str, given: Mapping[str, str]) -> None:
        for name, value in given.items():
            target = value.strip().lower()
            if name.startswith("on") or name in {"style", "srcdoc", "formaction", "xlink:href"}:
                self.active.append(f"{tag} {name}={value}")
            if name in {"href", "src", "action"} and (
                not target.startswith(("/", "#")) or target.startswith("//")
            ):
                is_reference = tag == "a" and target.startswith(("http://", "https://", "mailto:"))
                if not is_reference:
                    self.active.append(f"{tag} {name}={value}")
            if name == "http-equiv" and target != "refresh":
                self.active.append(f"{tag} {name}={value}")
        if tag in _NEVER or (tag == "svg" and given.get("class") not in {"bars", "icon"}):
            self.active.append(tag)
        if "svg" in self._open and tag not in _SVG:
            self.active.append(f"{tag} in svg")
        if tag == "script" and not given.get("src", "").startswith("/static/"):
            self.active.append("inline script")

    def _add_field(self, form: Form, tag: str, given: Mapping[str, str]) -> None:
        name, value = given.get("name", ""), given.get("value", "")
        known = form.fields.get(name)
        if tag == "option" and self._select:
            chosen = form.fields[self._select]
            if "selected" in given or (not chosen.value and value):
                form.fields[self._select] = replace(chosen, value=value)
        elif tag == "select":
            self._select = name
            form.fields[name] = Field(name, "select")
        elif not name:
            return
        elif tag == "textarea":
            form.fields[name] = Field(name, "textarea")
        elif tag == "button" and known is None:
            form.fields[name] = Field(name, "button", value)
        elif tag == "input":
            form.fields[name] = Field(name, given.get("type", "text"), value)


SAMPLE: Final = "Which Java does FxStore need?"
"""A text that every place takes which takes any."""


@dataclass(frozen=True)
class Place:
    """A place in a request over HTTP that takes a value.

    Args:
        where: ``path``, ``query``, ``header`` or ``body``.
        example: A value with `SAMPLE` where a text is taken; None: the value is the text.
    """

    method: str
    path: str
    where: str
    name: str
    is_text: bool
    example: Any = None

    def value_of(self, text: str) -> Any:
        if self.example is None:
            return text
        return json.loads(json.dumps(self.example).replace(json.dumps(SAMPLE), json.dumps(text)))


@dataclass(frozen=True)
class Operation:
    """An operation of the OpenAPI document; `required` is what its body must have, each with a value."""

    method: str
    path: str
    places: tuple[Place, ...]
    required: Mapping[str, Any]


def operations(document: Mapping[str, Any]) -> list[Operation]:
    found = []
    for path, methods in document["paths"].items():
        for method, described in methods.items():
            where: list[tuple[str, str, bool, Any]] = [
                (one["in"], one["name"], False, None) for one in described.get("parameters", ())
            ]
            schema = _resolved(
                document, described.get("requestBody", {}).get("content", {}).get("application/json", {})
            )
            properties = schema.get("properties", {})
            where += [
                ("body", name, _is_text(document, told), next(iter(told.get("examples", ())), None))
                for name, told in properties.items()
            ]
            required = {name: _sample(document, properties[name]) for name in schema.get("required", ())}
            places = tuple(Place(method.upper(), path, *one) for one in where)
            found.append(Operation(method.upper(), path, places, required))
    return found


def _resolved(document: Mapping[str, Any], content: Mapping[str, Any]) -> Mapping[str, Any]:
    schema: Mapping[str, Any] = content.get("schema", content)
    if "$ref" in schema:
        return _resolved(document, document["components"]["schemas"][schema["$ref"].rpartition("/")[2]])
    return schema


def _sample(document: Mapping[str, Any], schema: Mapping[str, Any]) -> Any:
    schema = _resolved(document, schema)
    if "enum" in schema:
        return schema["enum"][0]
    return next(iter(schema.get("examples", ())), SAMPLE if schema.get("type") == "string" else 1)


def _is_text(document: Mapping[str, Any], schema: Mapping[str, Any]) -> bool:
    kinds = [_resolved(document, one) for one in schema.get("anyOf", (schema,))]
    return "examples" in schema or any(one.get("type") == "string" and "enum" not in one for one in kinds)
