"""Parse typed replies: the JSON must be the whole text, or one fenced block.

JSON is never extracted from prose: a model that writes around its JSON may mean something else, and the
engine acts on these values. Ambiguous JSON is refused for the same reason: duplicate names, a second object,
and numbers that JSON does not know (NaN, Infinity, 007).
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
"""What is wrong with a reply, in the form that the model is told: a sentence, or errors by field."""


class UnusableReplyError(ValueError):
    """A typed reply cannot be used. `feedback` is what the model is told about it."""

    def __init__(self, feedback: Feedback) -> None:
        super().__init__(str(feedback))
        self.feedback = feedback


def json_text(reply: str) -> str:
    """Return the JSON text of a reply: the content of its fence if it is one, else the whole reply."""
    fenced = _FENCED.fullmatch(reply)
    return fenced["body"] if fenced else reply.strip()


def parse(reply: str, output: type[BaseModel], validate: Validator | None = None) -> BaseModel:
    """Parse a typed reply.

    Args:
        reply: The text that the model wrote.
        output: The requested type.
        validate: Returns what is wrong with a reply of that type.

    Raises:
        UnusableReplyError: The reply is not JSON, not of that type, or `validate` rejects it.
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
