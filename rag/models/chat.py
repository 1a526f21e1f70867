"""The chat model as the engine sees it.

The engine knows only this protocol, not servers, keys or wire formats. Implementations: `rag.models.roles`
(chooses the model by the role), `rag.models.client` (any server),
`rag.models.embedded` (the bundled model) and `rag.models.scripted` (tests).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Literal, Protocol, TypeAlias

from pydantic import BaseModel

from rag.reasons import Reason
from rag.values import FinishReason, Speaker

ModelRole = Literal[
    "draft",
    "judge",
    "writer",
    "reader",
    "verifier",
    "reviewer",
    "critic",
    "member",
    "chairman",
    "interviewer",
]
"""The job of a call. Roles of answering can each have a model of their own (``models.<role>``); ``verifier``
is a decision model; ``member`` and ``chairman`` belong to the council (``council.members``,
``council.chairman``)."""

Validator: TypeAlias = Callable[[Any], str]
"""Returns what is wrong with a well-formed typed reply; an empty string if it is valid."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message of the conversation shown to the model."""

    role: Speaker
    text: str


@dataclass(frozen=True, slots=True)
class ChatRequest:
    """One call.

    Args:
        role: The job of the call; selects the model and is recorded in the ledger.
        instructions: The system prompt: the stable part, so that servers reuse its prefix.
        messages: The conversation, oldest first; the last message is the user's.
        max_tokens: Maximum length of the reply.
        temperature: 0 is deterministic.
        output: The pydantic model of a typed reply; None requests text.
        purpose: Name of the calling step (``draft``, ``evaluate`` …), for the logs.
        seat: Name of the seat to ask; empty: the model of the role.
        repairs: How often an unusable typed reply is requested again, 0 to 2.
        validate: Returns what is wrong with a well-formed typed reply; the repair request repeats it.
        timeout_seconds: A call that takes longer has failed; None: the limit of the model's own settings.
        model: Name of the model to ask, as in the settings; empty: the model of the role.
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
    timeout_seconds: float | None = None
    model: str = ""

    @property
    def prompt(self) -> tuple[str, ...]:
        """The texts that the model reads."""
        return (self.instructions, *(message.text for message in self.messages))


@dataclass(frozen=True, slots=True)
class Completion:
    """One reply.

    Args:
        text: The reply as text (the JSON text of a typed reply).
        finish_reason: Why the model stopped.
        input_tokens: Number reported by the server, or an estimate.
        output_tokens: Likewise.
        model: Name of the model that answered.
        seconds: Wall time of the call, including repair requests.
        calls: Number of HTTP requests; above 1 if a typed reply was requested again.
        parsed: The typed reply; None for text.
        replies: Every reply as the model wrote it, rejected ones first.
        cut: What to say of a server that has read only a part of the prompt; None: it has not.
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
    cut: Reason | None = None


class ChatModel(Protocol):
    """Answers chat requests.

    Raises:
        ModelUnavailableError: No answer (dead, slow or unreachable server).
        ModelRejectedError: The server refused (key, model name, request).
        ModelReplyError: The reply could not be read, even after repair requests.
    """

    async def complete(
        self, request: ChatRequest, on_text: Callable[[str], None] | None = None
    ) -> Completion:
        """Answer `request`; with `on_text`, stream the reply and call it with each piece."""
        ...
