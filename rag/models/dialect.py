"""The parts of the chat protocol that a server supports.

OpenAI-compatible servers differ: one rejects `temperature`, one requires `max_completion_tokens`, one does
not support `response_format`. A rejection names the parameter, so the client changes that one, asks again,
and remembers what worked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

THINKING_TOKENS = 4000
"""Added to the token limit for models that think first, because thinking counts against the limit."""

_SCHEMA_WORDS = ("response_format", "json_schema", "structured output", "grammar", "guided")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The request parameters that one server accepts.

    Args:
        json_schema: Request typed replies with ``response_format``; otherwise the schema goes into the
            prompt.
        temperature: Send a temperature.
        max_completion_tokens: Send the limit under this name instead of ``max_tokens``.
        reasoning_effort: Sent if not empty.
        thinking_tokens: Added to the limit of every reply.
    """

    json_schema: bool = True
    temperature: bool = True
    max_completion_tokens: bool = False
    reasoning_effort: Literal["", "low"] = ""
    thinking_tokens: int = 0


REASONING = Dialect(
    temperature=False, max_completion_tokens=True, reasoning_effort="low", thinking_tokens=THINKING_TOKENS
)
"""For OpenAI models that always think; low effort is enough, because the documents are in the prompt."""


def without(dialect: Dialect, rejected: str) -> Dialect | None:
    """Return the dialect without the part that the server rejected.

    Args:
        dialect: The dialect of the rejected request.
        rejected: The parameter that the server named, or its whole message.

    Returns:
        The next dialect to try, or None if the rejection has another cause.
    """
    words = rejected.lower()
    if dialect.json_schema and any(word in words for word in _SCHEMA_WORDS):
        return replace(dialect, json_schema=False)
    if dialect.temperature and "temperature" in words:
        return replace(dialect, temperature=False)
    if dialect.reasoning_effort and "reasoning" in words:
        return replace(dialect, reasoning_effort="")
    if "max_tokens" in words or "max_completion_tokens" in words:
        return replace(dialect, max_completion_tokens=not dialect.max_completion_tokens)
    return None


def with_room_for_thinking(dialect: Dialect) -> Dialect | None:
    """Return a dialect with room for thinking; None if it already has that."""
    return None if dialect.thinking_tokens else replace(dialect, thinking_tokens=THINKING_TOKENS)
