"""What the engine asks of a chat model.

The engine knows this protocol and nothing of servers, keys or wire formats. Implementations:
`rag.models.client` (any server that `pydantic-ai` reaches), `rag.models.scripted` (tests).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from pydantic import BaseModel

from rag.values import FinishReason, Speaker

ModelRole = Literal[
    "draft", "judge", "writer", "reader", "reviewer", "critic", "member", "chairman", "interviewer"
]
"""Which job a call does. Those that an answer needs can have a model of their own (``models.<role>``);
``member`` and ``chairman`` sit in the council (``council.members``, ``council.chairman``)."""

Validator: TypeAlias = Callable[[Any], str]
"""Says what is wrong with a typed reply that has the right form; an empty string when nothing is."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation shown to the model."""

    role: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call.

    Args:
        role: Which job the call does; selects the model and is written to the ledger.
        instructions: The system prompt: the stable part, so that servers reuse its prefix.
        messages: The conversation, oldest first; the last one is the user's.
        max_tokens: Upper bound of the reply.
        temperature: 0 is deterministic.
        output: A pydantic model when the reply must be typed; None asks for text.
        purpose: The step that asks (``draft``, ``evaluate`` …), for the logs.
        seat: Name of the seat that is asked; empty: the model of the role.
        repairs: How often a typed reply that cannot be used is asked for again, 0 to 2.
        validate: Says what is wrong with a typed reply beyond its form; a repair ask repeats it.
    """

    role: ModelRole
    instructions: str
    messages: tuple[Message, ...]
    max_tokens: int
    temperature: float = 0.0
    output: type[BaseModel] | None = None
    purpose: str = ""
    seat: str = ""
    repairs: int = 1
    validate: Validator | None = None


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply.

    Args:
        text: The reply as text (the JSON text of a typed reply).
        finish_reason: Why the model stopped.
        input_tokens: As the server counted them; estimated when it did not say.
        output_tokens: Likewise.
        model: Name of the model that answered.
        seconds: Wall time of the call, repair ask included.
        calls: HTTP requests made: more than 1 when a typed reply was asked for again.
        parsed: The typed reply, or None when text was asked for.
        replies: Every reply as the model wrote it, those that were refused first.
    """

    text: str
    finish_reason: FinishReason
    input_tokens: int
    output_tokens: int
    model: str
    seconds: float
    calls: int = 1
    parsed: BaseModel | None = None
    replies: tuple[str, ...] = ()


class ChatModel(Protocol):
    """Answers chat requests.

    Raises:
        ModelUnavailableError: no answer (dead, slow or unreachable server).
        ModelRejectedError: the server refused (key, model name, request).
        ModelReplyError: the reply could not be read, also when it was asked for again.
    """

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request`; with `on_text`, stream the reply and call it with each piece."""
        ...
