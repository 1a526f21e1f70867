"""Reads a typed reply: the whole text, or a text that is one fenced block, must be the JSON.

Nothing is fished out of prose: a model that talks around its JSON may mean something else by it, and
what the engine does next hangs on these values. For the same reason nothing is guessed: a name that stands
twice in an object, a second object, and numbers that JSON does not know (NaN, Infinity, 007) are refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from typing import Any, NoReturn, TypeAlias

from pydantic import BaseModel, ValidationError
from pydantic_core import ErrorDetails

from rag.models.chat import Validator

_FENCED = re.compile(r"\s*```[A-Za-z]*[ \t]*\r?\n(?P<body>.*?)\r?\n?[ \t]*```\s*", re.DOTALL)

Feedback: TypeAlias = str | list[ErrorDetails]
"""What is wrong with a reply, as the model is told: in words, or field by field."""


class UnusableReplyError(ValueError):
    """A typed reply cannot be used; it carries what the model is told about it."""

    def __init__(self, feedback: Feedback) -> None:
        super().__init__(str(feedback))
        self.feedback = feedback


def json_text(reply: str) -> str:
    """The JSON text of a reply: the inside of the fence if the reply is one, else all of it."""
    fenced = _FENCED.fullmatch(reply)
    return fenced["body"] if fenced else reply.strip()


def parse(reply: str, output: type[BaseModel], validate: Validator | None = None) -> BaseModel:
    """Read a typed reply.

    Args:
        reply: What the model wrote.
        output: The form that was asked for.
        validate: Says what is wrong with a reply of that form.

    Raises:
        UnusableReplyError: it is no JSON, not of that form, or `validate` finds fault with it.
    """
    text = json_text(reply)
    try:
        json.loads(text, object_pairs_hook=_without_duplicates, parse_constant=_refuse_constant)
        parsed = output.model_validate_json(text)
    except ValidationError as exc:
        raise UnusableReplyError(exc.errors(include_url=False, include_context=False)) from exc
    except (ValueError, RecursionError) as exc:
        raise UnusableReplyError(f"the reply is not one JSON object: {exc}") from exc
    if validate is not None and (problem := validate(parsed)):
        raise UnusableReplyError(problem)
    return parsed


def _without_duplicates(pairs: Sequence[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        names = [name for name, _ in pairs]
        twice = next(name for name in names if names.count(name) > 1)
        raise ValueError(f"the name {twice!r} stands there twice")
    return found


def _refuse_constant(name: str) -> NoReturn:
    raise ValueError(f"{name} is no number in JSON")
