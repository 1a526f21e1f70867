"""The document that an interview ends in, as a mission pack describes it: sections of clauses.

Titles, texts and conditions are Jinja2 in its sandbox, with these functions and the filter ``upper_first``:

    fact(path)           the value as people write it, or a named gap; a second argument words values
    has(path)            whether there is a value
    value(path)          the value as it is, or None, to compare with
    every(path)          the paths of the elements of a list; with a second argument, of at least so many
    define(term)         the term, which may be used from here on; later values are other forms of it
    use(term)            the term, which must have been defined before
    ref(id)              the number of a section or a clause
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

import jinja2
from jinja2 import nodes
from jinja2.meta import find_undeclared_variables
from jinja2.sandbox import ImmutableSandboxedEnvironment
from pydantic import BaseModel, ConfigDict, Field, model_validator

from rag.language.recent_texts import cache_recent

FUNCTIONS: Final = frozenset({"fact", "has", "value", "every", "define", "use", "ref"})
_TAKE_PATHS: Final = frozenset({"fact", "has", "value", "every"})

_PART = ConfigDict(extra="forbid", frozen=True)
_ID = r"^[a-z][a-z0-9_]*$"

_ENVIRONMENT = ImmutableSandboxedEnvironment(
    undefined=jinja2.StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
    autoescape=False,  # what comes out is text, and each form of file escapes it
)
_ENVIRONMENT.filters["upper_first"] = lambda text: f"{text[:1].upper()}{text[1:]}"


class OutlineError(ValueError):
    """A text or condition of a document cannot be used."""


class Clause(BaseModel):
    """A paragraph: fixed text, or what a model words of some facts.

    Args:
        when: The condition under which it stands; empty: always.
        facts: The paths of the facts that a worded clause states.
    """

    model_config = _PART

    id: str = Field(default="", pattern=rf"{_ID}|^$")
    when: str = ""
    text: str = ""
    prompt: str = ""
    facts: tuple[str, ...] = ()

    @model_validator(mode="after")
    def _check_kind(self) -> Clause:
        if bool(self.text) == bool(self.prompt):
            raise ValueError("a clause has either `text` or `prompt`")
        if bool(self.prompt) != bool(self.facts):
            raise ValueError("a clause with `prompt` names its `facts`, and only such a clause does")
        return self


class Section(BaseModel):
    """Clauses under a title; one without a clause that stands is left out."""

    model_config = _PART

    id: str = Field(default="", pattern=rf"{_ID}|^$")
    title: str = Field(min_length=1)
    when: str = ""
    clauses: tuple[Clause, ...] = Field(min_length=1)

    @property
    def parts(self) -> tuple[Section | Clause, ...]:
        """The section itself, and its clauses."""
        return (self, *self.clauses)


class Outline(BaseModel):
    """The document of a mission pack.

    Args:
        aside: Patterns of facts that the document leaves out on purpose.
    """

    model_config = _PART

    title: str = Field(min_length=1)
    numbered: bool = True
    aside: tuple[str, ...] = ()
    sections: tuple[Section, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _check_texts(self) -> Outline:
        for text in self._texts():
            _check(text)
        for condition in self._conditions():
            _check(f"{{{{ {condition} }}}}")
        ids = [part.id for section in self.sections for part in section.parts if part.id]
        if len(set(ids)) < len(ids):
            raise ValueError("two sections or clauses have the same id")
        return self

    def list_paths(self) -> Iterator[str]:
        """Yield every path that the document names."""
        yield from self.aside
        for section in self.sections:
            for clause in section.clauses:
                yield from clause.facts
        for text in (*self._texts(), *(f"{{{{ {condition} }}}}" for condition in self._conditions())):
            for call in _ENVIRONMENT.parse(text).find_all(nodes.Call):
                name = call.node.name if isinstance(call.node, nodes.Name) else ""
                if name in _TAKE_PATHS and call.args and isinstance(call.args[0], nodes.Const):
                    yield str(call.args[0].value)

    def _texts(self) -> Iterator[str]:
        yield self.title
        for section in self.sections:
            yield section.title
            yield from (clause.text for clause in section.clauses if clause.text)

    def _conditions(self) -> Iterator[str]:
        for section in self.sections:
            yield from (part.when for part in section.parts if part.when)


def render(text: str, functions: Mapping[str, Callable[..., Any]]) -> str:
    """Fill in a text of a document.

    Raises:
        OutlineError: it cannot be filled in.
    """
    try:
        return _template(text).render(functions)
    except (jinja2.TemplateError, ArithmeticError, LookupError, TypeError, ValueError, AttributeError) as exc:
        raise OutlineError(str(exc)) from exc


def holds(condition: str, functions: Mapping[str, Callable[..., Any]]) -> bool:
    """Return whether a condition of a document holds; an empty one does.

    Raises:
        OutlineError: it cannot be decided.
    """
    return not condition or render(f"{{% if {condition} %}}1{{% endif %}}", functions) == "1"


@cache_recent
def _template(text: str) -> jinja2.Template:
    return _ENVIRONMENT.from_string(text)


def _check(text: str) -> None:
    try:
        unknown = find_undeclared_variables(_ENVIRONMENT.parse(text)) - FUNCTIONS
        _ENVIRONMENT.from_string(text)
    except jinja2.TemplateError as exc:
        raise ValueError(f"{text!r}: {exc}") from exc
    if unknown:
        raise ValueError(f"{text!r}: there is no {min(unknown)!r}; there are {', '.join(sorted(FUNCTIONS))}")
