"""The template language of the prompt files: three kinds of tags, one pass, no code.

`{{name}}` inserts a value, `{{name|default}}` a value or its default, and `{{#if name}}…{{else}}…{{/if}}`
chooses. Values are inserted verbatim: the template is parsed once, when it is loaded, so nothing in a value
can become a tag. A block tag alone on a line also removes that line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from rag.errors import PromptError

_OPEN, _CLOSE = "{{", "}}"
_NAME = re.compile(r"[a-z][a-z0-9_]*")


@dataclass(frozen=True, slots=True)
class Insert:
    """`{{name}}` or `{{name|default}}`; without a default the value is required."""

    name: str
    default: str | None = None


@dataclass(frozen=True, slots=True)
class Choice:
    """`{{#if name}}`: one part for a value that is present, one for a value that is missing or blank."""

    name: str
    present: tuple[Node, ...]
    absent: tuple[Node, ...] = ()


Node = str | Insert | Choice


@dataclass(frozen=True, slots=True)
class Template:
    """A parsed text.

    Args:
        nodes: Text, inserts and choices in order.
    """

    nodes: tuple[Node, ...]

    @property
    def names(self) -> frozenset[str]:
        """Every variable that the template uses."""
        return frozenset(_names(self.nodes))

    @property
    def required(self) -> frozenset[str]:
        """The variables that must have a value."""
        return frozenset(_required(self.nodes, frozenset()))

    def render(self, values: Mapping[str, str]) -> str:
        """Fill in `values`, which must include those of `required`.

        Args:
            values: Text by name. Blank counts as missing for defaults and choices.
        """
        return "".join(_render(self.nodes, values))


@dataclass(frozen=True, slots=True)
class _Tag:
    content: str
    line: int


def parse(text: str, file: str, first_line: int = 1) -> Template:
    """Parse a template.

    Args:
        text: The template.
        file: Name of the file, for errors.
        first_line: Line of the file on which `text` starts.

    Raises:
        PromptError: A tag is unclosed, unopened or unknown; names file and line.
    """
    return Template(_Parser(file, list(_tokens(text, file, first_line))).parse())


def _tokens(text: str, file: str, line: int) -> Iterator[str | _Tag]:
    position = 0
    while (start := text.find(_OPEN, position)) >= 0:
        line += text.count("\n", position, start)
        end = text.find(_CLOSE, start)
        if end < 0 or "\n" in text[start:end] or _OPEN in text[start + 1 : end]:
            raise PromptError(f"{file}, line {line}: '{{{{' is not closed by '}}}}' on the same line")
        content = text[start + 2 : end].strip()
        end += 2
        before = text[position:start]
        alone = _is_block(content) and _starts_line(text, start) and _ends_line(text, end)
        yield before.rstrip(" \t") if alone else before
        yield _Tag(content, line)
        position = end
        if alone:
            # The line break belongs to the tag; count it here, because it is skipped below.
            after = text.find("\n", end)
            line += after >= 0
            position = after + 1 if after >= 0 else len(text)
    yield text[position:]


def _is_block(content: str) -> bool:
    return content.startswith(("#", "/")) or content == "else"


def _starts_line(text: str, start: int) -> bool:
    return not text[text.rfind("\n", 0, start) + 1 : start].strip(" \t")


def _ends_line(text: str, end: int) -> bool:
    after = text.find("\n", end)
    return not text[end : after if after >= 0 else len(text)].strip(" \t")


class _Parser:
    def __init__(self, file: str, tokens: list[str | _Tag]) -> None:
        self._file = file
        self._tokens = tokens
        self._next = 0

    def parse(self) -> tuple[Node, ...]:
        nodes, end = self._nodes()
        if end is not None:
            raise self._error(end, "there is no {{#if}} that it belongs to")
        return nodes

    def _nodes(self) -> tuple[tuple[Node, ...], _Tag | None]:
        """Parse nodes up to the `{{else}}` or `{{/if}}` that ends them; return them and that tag."""
        nodes: list[Node] = []
        while self._next < len(self._tokens):
            token = self._tokens[self._next]
            self._next += 1
            if isinstance(token, str):
                if token:
                    nodes.append(token)
            elif token.content in {"else", "/if"}:
                return tuple(nodes), token
            elif token.content.startswith("#if "):
                nodes.append(self._choice(token))
            else:
                nodes.append(self._insert(token))
        return tuple(nodes), None

    def _choice(self, opening: _Tag) -> Choice:
        name = self._name(opening, opening.content.removeprefix("#if ").strip())
        present, end = self._nodes()
        absent: tuple[Node, ...] = ()
        if end is not None and end.content == "else":
            absent, end = self._nodes()
        if end is None:
            raise self._error(opening, "its {{/if}} is missing")
        if end.content == "else":
            raise self._error(end, "this {{#if}} has an {{else}} already")
        return Choice(name, present, absent)

    def _insert(self, tag: _Tag) -> Insert:
        name, bar, default = tag.content.partition("|")
        return Insert(self._name(tag, name.strip()), default.strip() if bar else None)

    def _name(self, tag: _Tag, name: str) -> str:
        if not _NAME.fullmatch(name):
            raise self._error(
                tag,
                "a tag is {{name}}, {{name|default}}, {{#if name}}, {{else}} or {{/if}}, in small letters",
            )
        return name

    def _error(self, tag: _Tag, what: str) -> PromptError:
        return PromptError(f"{self._file}, line {tag.line}: '{{{{{tag.content}}}}}': {what}")


def _names(nodes: tuple[Node, ...]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Insert):
            yield node.name
        elif isinstance(node, Choice):
            yield node.name
            yield from _names(node.present)
            yield from _names(node.absent)


def _required(nodes: tuple[Node, ...], guarded: frozenset[str]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, Insert) and node.default is None and node.name not in guarded:
            yield node.name
        elif isinstance(node, Choice):
            yield from _required(node.present, guarded | {node.name})
            yield from _required(node.absent, guarded)


def _render(nodes: tuple[Node, ...], values: Mapping[str, str]) -> Iterator[str]:
    for node in nodes:
        if isinstance(node, str):
            yield node
        elif isinstance(node, Insert):
            yield _value(node, values)
        else:
            chosen = node.present if values.get(node.name, "").strip() else node.absent
            yield from _render(chosen, values)


def _value(insert: Insert, values: Mapping[str, str]) -> str:
    value = values.get(insert.name, "")
    if insert.default is not None and not value.strip():
        return insert.default
    return value
