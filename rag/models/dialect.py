"""Which parts of the chat protocol a server understands.

Servers that call themselves OpenAI-compatible differ: one rejects `temperature`, one wants
`max_completion_tokens`, one knows no `response_format`. A rejection names the parameter, so the
client changes one thing and asks again, and remembers what worked.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

THINKING_TOKENS = 4000
"""Added to the reply's limit for models that think first: thinking counts against the same limit."""

_SCHEMA_WORDS = ("response_format", "json_schema", "structured output", "grammar", "guided")


@dataclass(frozen=True, slots=True)
class Dialect:
    """How to ask one server.

    Args:
        json_schema: Typed replies by ``response_format``; otherwise the schema goes into the prompt.
        temperature: Whether to send a temperature.
        max_completion_tokens: The name of the limit: this, or ``max_tokens``.
        reasoning_effort: Sent when not empty.
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
"""For OpenAI models that always think: little is enough here, where the documents lie at hand."""


def without(dialect: Dialect, rejected: str) -> Dialect | None:
    """The dialect without what the server rejected.

    Args:
        dialect: What was tried.
        rejected: The parameter named by the server, or its whole message.

    Returns:
        The next dialect to try, or None when the rejection is about something else.
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
    """The dialect for a model that used up its limit by thinking; None when it has that room already."""
    return None if dialect.thinking_tokens else replace(dialect, thinking_tokens=THINKING_TOKENS)
