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
    """An interview as it is kept; what was said stands in its events.

    Args:
        summary_message_id: The message of a chat that shows what is known, or None.
    """

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
    """An event on its way into the log.

    Args:
        key: What brought it: the same key adds nothing a second time.
        usage: What the models took for it.
    """

    key: str
    event: InterviewEvent
    usage: Usage = field(default_factory=Usage)


@dataclass(frozen=True, slots=True)
class Used:
    """The interviews and tokens that a person has used.

    Args:
        sessions_today: Interviews begun today, in the team's time zone.
        tokens_today: Tokens for interviews today.
        session_tokens: Tokens for one interview in all.
    """

    sessions_today: int
    tokens_today: int
    session_tokens: int


@dataclass(frozen=True, slots=True)
class View:
    """An interview as it goes out to a channel.

    Args:
        next_action: What happens next: the state's, or why the last message could not be worked on.
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
