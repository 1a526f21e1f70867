"""Interviews as values: whose they are, what is kept of them, and what goes out to a channel."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from rag.interview.documents import NextAction, State
from rag.interview.events import InterviewEvent
from rag.values import Usage


@dataclass(frozen=True, slots=True)
class Party:
    """The person who is interviewed, and the chat.

    Args:
        owner: The person's id; somebody else's interview is not found.
        conversation_id: The conversation in which interviews are open; messages go to the most recently
            used one.
    """

    owner: str
    conversation_id: str


@dataclass(frozen=True, slots=True)
class Session:
    """An interview as it is kept: its events hold what was said, `summary_message_id` shows what is known."""

    id: str
    owner: str
    conversation_id: str
    pack: str
    created_at: datetime
    touched_at: datetime
    closed_at: datetime | None = None
    summary_message_id: int | None = None

    @property
    def party(self) -> Party:
        """Whose it is, and where."""
        return Party(self.owner, self.conversation_id)

    @property
    def is_open(self) -> bool:
        """Whether it is not finished."""
        return self.closed_at is None


@dataclass(frozen=True, slots=True)
class Stored:
    """An event on its way into the log, with what models took for it; the same key adds nothing again."""

    key: str
    event: InterviewEvent
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Used:
    """The interviews and tokens of a person today (team's time zone), and all the tokens of one interview."""

    sessions_today: int
    tokens_today: int
    session_tokens: int


@dataclass(frozen=True, slots=True)
class View:
    """An interview as it goes out to a channel.

    `next_action` is the state's, or says why the last message could not be worked on.
    """

    session: Session
    events: tuple[InterviewEvent, ...]
    state: State
    next_action: NextAction

    def to_json(self) -> dict[str, Any]:
        """Return ``{state, next_action}`` as values of JSON."""
        return {
            "state": self.state.model_dump(mode="json"),
            "next_action": self.next_action.model_dump(mode="json"),
        }

    def to_json_of_new(self) -> dict[str, Any]:
        """Return ``{session_id, state, next_action}`` as values of JSON, for a session that is new."""
        return {"session_id": self.session.id, **self.to_json()}
