"""Labelled sets on disk: one JSON object per line, read with its line number.

A row that cannot be used is reported and left out; a set without one usable row is an error.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Generic, Literal, TypeVar

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError

from rag.errors import InputError
from rag.values import Question, Turn

Expected = Literal["adequate", "needs_docs", "hallucination", "off_topic"]
Action = Literal["accept", "retrieve", "reclassify"]
Polarity = Literal["yes", "no"]

ACTIONS: dict[str, Action] = {
    "adequate": "accept",
    "needs_docs": "retrieve",
    "hallucination": "retrieve",
    "off_topic": "reclassify",
}
"""What the workflow does after a verdict."""


class Row(BaseModel):
    """A line of a set; unknown fields are ignored."""

    # Ids and answers can be numbers: 17 is read as "17".
    model_config = ConfigDict(extra="ignore", frozen=True, coerce_numbers_to_str=True)


class Message(Row):
    """One message before the question."""

    role: Literal["user", "assistant"]
    text: str


def _listed(value: object) -> object:
    return [] if value is None else value


def _blank_if_none(value: object) -> object:
    return "" if value is None else value


def _none_if_blank(value: object) -> object:
    return None if value == "" else value


Name = Annotated[str, BeforeValidator(_blank_if_none)]
Messages = Annotated[tuple[Message, ...], BeforeValidator(_listed)]
Strings = Annotated[tuple[str, ...], BeforeValidator(_listed)]


class QuestionRow(Row):
    """A question with its history; `lang` is an ISO 639-1 code, detected if it is empty."""

    id: str
    kind: Name = ""
    lang: Name = ""
    split: Name = ""
    question: str = Field(min_length=1)
    history: Messages = ()

    def asked(self, *, with_history: bool = True) -> Question:
        """The question as input for the engine."""
        turns = tuple(Turn(message.role, message.text) for message in self.history) if with_history else ()
        return Question(self.question, turns)


class LabelledDraft(QuestionRow):
    """A draft and its expected verdict; the action defaults to the one that follows from the verdict."""

    draft: str = Field(min_length=1)
    expected: Expected
    action: Action | None = None

    @property
    def wanted(self) -> Action:
        """The action that the workflow must take."""
        return self.action or ACTIONS[self.expected]


class LabelledQuestion(QuestionRow):
    """A question and where its answer is: ids of passages, or strings any of which answers it.

    `sentence` is from the corpus, verbatim; `form` is what the question asks for, such as ``value``.
    """

    answers: Strings = ()
    passages: Strings = ()
    reference: str | None = None
    sentence: Name = ""
    polarity: Annotated[Polarity | None, BeforeValidator(_none_if_blank)] = None
    form: Name = ""


_GZIP = b"\x1f\x8b"

AnyRow = TypeVar("AnyRow", bound=Row)


@dataclass(frozen=True, slots=True)
class Malformed:
    """A line that cannot be used, counted from 1, and why."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class LabelledSet(Generic[AnyRow]):
    """The usable rows of a file, and the others."""

    rows: tuple[AnyRow, ...]
    malformed: tuple[Malformed, ...]


def read(path: Path, kind: type[AnyRow]) -> LabelledSet[AnyRow]:
    """Read a set of JSON Lines, in UTF-8; raise `InputError` if it cannot be read or holds no usable row."""
    rows: list[AnyRow] = []
    malformed: list[Malformed] = []
    try:
        for number, line in _lines(path):
            try:
                rows.append(kind.model_validate(_parsed(line)))
            except ValidationError as error:
                malformed.append(Malformed(number, _first_fault(error)))
            except ValueError as error:
                malformed.append(Malformed(number, str(error)))
    except OSError as error:
        raise InputError(f"{path} cannot be read: {error.strerror}; give a file of JSON Lines") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path} {_not_text(path)}") from error
    if not rows:
        faults = f"; line {malformed[0].line}: {malformed[0].reason}" if malformed else ""
        needed = ", ".join(name for name, field in kind.model_fields.items() if field.is_required())
        raise InputError(f"{path} holds no usable row{faults}; a row is a JSON object with {needed}")
    return LabelledSet(tuple(rows), tuple(malformed))


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    with path.open(encoding="utf-8-sig") as file:
        for number, line in enumerate(file, 1):
            if line.strip():
                yield number, line


def _not_text(path: Path) -> str:
    with path.open("rb") as file:
        is_packed = file.read(len(_GZIP)) == _GZIP
    if is_packed:
        return f"is packed: unpack it first, with `gunzip --keep {path}`"
    return "is not text in UTF-8: save it again as UTF-8"


def _parsed(line: str) -> object:
    try:
        parsed = json.loads(line)
    except (json.JSONDecodeError, RecursionError) as error:
        raise ValueError("the line is not JSON") from error
    if not isinstance(parsed, dict):
        raise ValueError("the line is not a JSON object")  # noqa: TRY004 - a fault of the line like any other
    return parsed


def _first_fault(error: ValidationError) -> str:
    fault = error.errors(include_url=False)[0]
    where = ".".join(str(part) for part in fault["loc"])
    message = fault["msg"][:1].lower() + fault["msg"][1:]
    return f"{where}: {message}" if where else message
