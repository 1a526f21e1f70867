"""Values that the bot stores about chats, people and their questions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NewType, TypeAlias

from bot.service import keys
from bot.service.incoming import PlaceKind
from bot.service.keys import PeerId
from rag.values import Mode

AskId = NewType("AskId", int)
"""The id of a question: short enough for a button's callback data, and never reused."""

Decision = Literal["allowed", "denied"]

Role = Literal["owner", "admin", "member", "none"]
"""The rights of a person, from all to none: everything, administrators' commands, questions, nothing."""

GrantedRole = Literal["owner", "admin"]
"""A role that is stored because it was given to a person."""

AskState = Literal["queued", "running", "answered", "stopped", "failed", "refused", "expired"]
OPEN_STATES: tuple[AskState, ...] = ("queued", "running")

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as it is stored.

    Args:
        id: Its id, the newest one when the group has migrated.
        is_active: Whether the bot can write to it.
        model: The model chosen with `/model`, or an empty string. The settings may no longer offer it.
        documents_only: Whether documents alone may answer, as chosen in `/settings`, or None.
    """

    id: PeerId
    kind: PlaceKind
    title: str = ""
    is_active: bool = True
    access: Decision | None = None
    mode: Mode | None = None
    has_council: bool = True
    model: str = ""
    documents_only: bool | None = None


@dataclass(frozen=True, slots=True)
class Person:
    """A person as stored.

    Args:
        name: For display; rights never depend on it.
        language: The language chosen with `/language`, or None.
        client_language: Language of the person's program when the person last wrote, or an empty text.
    """

    id: PeerId
    name: str = ""
    language: str | None = None
    role: GrantedRole | None = None
    access: Decision | None = None
    client_language: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question and the state of its answer. There is one for each message; an edit keeps it.

    Args:
        workflow_id: Id of the job that answers it; for an edited question, of the newest job.
        chat_id: Where the question was asked; the newest id when the group has migrated.
        message_id: Id of the question's message; None when the group has migrated since, because the message
            has no id in the new chat.
        user_id: Id of the asker: of a person, or of a chat for an anonymous admin or a channel.
        fingerprint: Hash of the question's text, see `Asked.fingerprint`.
        asked_at: When the question was asked, or last edited.
        placeholder_id: Id of the placeholder until it may hold part of the answer; None otherwise.
    """

    id: AskId
    workflow_id: str
    chat_id: PeerId
    thread_id: int | None
    message_id: int | None
    user_id: PeerId
    state: AskState
    fingerprint: str
    asked_at: datetime
    placeholder_id: int | None = None
    answered_id: str | None = None

    @property
    def is_open(self) -> bool:
        """Return whether the question waits or is being answered."""
        return self.state in OPEN_STATES

    @property
    def exchanges(self) -> str:
        """Return the prefix of the keys under which this question and its answers are remembered."""
        return keys.exchanges(self.id)

    @property
    def exchange(self) -> str:
        """Return the key under which the question and its answer are remembered; an edit makes a new key."""
        return f"{self.exchanges}{self.workflow_id}"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A command, as JSON values, that waits for a confirmation by the same person."""

    id: int
    user_id: PeerId
    chat_id: PeerId
    command: Mapping[str, Json]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Refusal:
    """A refused request, with the reason for its sender.

    Args:
        message_id: Id of the reason's message in the catalogues.
        is_notice_due: Whether to show the reason now; False if it was shown a moment ago or is never shown.
        until: When the request may be repeated, or None when that is unknown.
    """

    message_id: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    is_notice_due: bool = True
    until: datetime | None = None
