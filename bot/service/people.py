"""What the bot keeps of chats, people and their questions, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Literal, NewType, TypeAlias

from bot.service import keys
from bot.service.incoming import PlaceKind
from rag.values import Mode

AskId = NewType("AskId", int)
"""Short enough for a button, and never given twice."""

Decision = Literal["allowed", "denied"]
"""What an administrator decided about a person or a chat."""

Role = Literal["owner", "admin", "member", "none"]
"""What somebody may do: everything, the administrators' commands, ask, nothing."""

GrantedRole = Literal["owner", "admin"]
"""A role that is kept, because it was given to this person."""

AskState = Literal["queued", "running", "answered", "stopped", "failed", "refused", "expired"]
OPEN_STATES: tuple[AskState, ...] = ("queued", "running")

Json: TypeAlias = "str | int | float | bool | list[Json] | dict[str, Json] | None"


@dataclass(frozen=True, slots=True)
class Chat:
    """What is kept of a chat.

    Args:
        id: Telegram's id, the newest one when the chat has moved.
        kind: What kind of chat it is.
        title: For display.
        is_active: Whether it can be written to.
        access: What an administrator decided, or None.
        mode: What `/mode` chose, or None.
        has_council: Whether the council may be asked there.
    """

    id: int
    kind: PlaceKind
    title: str = ""
    is_active: bool = True
    access: Decision | None = None
    mode: Mode | None = None
    has_council: bool = True


@dataclass(frozen=True, slots=True)
class Person:
    """What is kept of a person.

    Args:
        id: Telegram's id.
        name: For display; never a reason for a right.
        language: What `/language` chose, or None.
        role: The role this person was given, or None.
        access: What an administrator decided, or None.
        client_language: What their Telegram spoke when they last wrote, or an empty text.
    """

    id: int
    name: str = ""
    language: str | None = None
    role: GrantedRole | None = None
    access: Decision | None = None
    client_language: str = ""


@dataclass(frozen=True, slots=True)
class Ask:
    """A question and where its answer stands. One for each message; an edit keeps it.

    Args:
        id: What buttons carry.
        workflow_id: The work that answers it; of an edited question the newest.
        chat_id: Where it was asked, the newest id when the chat has moved.
        thread_id: The topic, or None.
        message_id: The question's message; None when the chat has moved since, because a message has no id
            in the new chat.
        user_id: Who asked: a person's id, or a chat's for an anonymous admin or a channel.
        state: Where it stands.
        fingerprint: Of the question's text, see `fingerprint`.
        asked_at: When it was asked, or edited.
        placeholder_id: The message that is to become the answer, as long as nothing of it can stand there.
        answered_id: Row of the answered questions.
    """

    id: AskId
    workflow_id: str
    chat_id: int
    thread_id: int | None
    message_id: int | None
    user_id: int
    state: AskState
    fingerprint: str
    asked_at: datetime
    placeholder_id: int | None = None
    answered_id: str | None = None

    @property
    def is_open(self) -> bool:
        """Whether somebody waits for it."""
        return self.state in OPEN_STATES

    @property
    def exchanges(self) -> str:
        """How the keys of this question and its answers begin in the memory, whatever its text was."""
        return keys.exchanges(self.id)

    @property
    def exchange(self) -> str:
        """The key of the question and its answer in the memory; another text has another key."""
        return f"{self.exchanges}{self.workflow_id}"


@dataclass(frozen=True, slots=True)
class Confirmation:
    """A command that waits for the same person to say yes.

    Args:
        id: What the button carries.
        user_id: Who may confirm.
        chat_id: Where.
        command: What will be done, as JSON values.
        expires_at: When it is too late.
    """

    id: int
    user_id: int
    chat_id: int
    command: Mapping[str, Json]
    expires_at: datetime


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something is not done, for a reason that can be told.

    Args:
        message_id: The reason, in the message catalogues.
        values: What the message names.
        is_notice_due: Whether to tell it now; False when it was told a moment ago, or to nobody.
        until: When it may be tried again, if that is known.
    """

    message_id: str
    values: Mapping[str, str | int] = field(default_factory=dict)
    is_notice_due: bool = True
    until: datetime | None = None
