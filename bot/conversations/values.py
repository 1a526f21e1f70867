"""The values of a conversation. Ids count up, so they order messages; rows belong to storage."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import NewType

from rag.values import Answer, Label, Speaker, Turn

MessageId = NewType("MessageId", int)

BEFORE_ALL = MessageId(0)
"""An id that is smaller than that of every message."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message, word for word.

    Args:
        author: Name of the person, if several people share the conversation.
        answer: The whole answer behind an assistant's message, with its trace.
        id: Position in the conversation; `BEFORE_ALL` until the message is stored.
        label: Label of the answer, also if `answer` was written by another version and cannot be read.
        user_key: Id of the person who wrote the message or whom it answers, by which an erasure finds it;
            empty if the channel does not tell people apart.
        exchange: Key that a question and its answer share, or an empty string.
    """

    role: Speaker
    text: str
    created_at: datetime
    author: str = ""
    answer: Answer | None = None
    id: MessageId = BEFORE_ALL
    label: Label | None = None
    user_key: str = ""
    exchange: str = ""

    def as_turn(self) -> Turn:
        """Return the message as a turn for the engine; an answer brings its passages along."""
        if self.answer is None:
            return Turn(self.role, self.text, self.author, label=self.label)
        return Turn(self.role, self.text, self.author, self.answer.passages, self.answer.label)


@dataclass(frozen=True, slots=True)
class Summary:
    """A few sentences about the conversation up to and including the message `up_to`."""

    text: str = ""
    up_to: MessageId = BEFORE_ALL


@dataclass(frozen=True, slots=True)
class Conversation:
    """The state of a conversation that decides which messages have to be summarised.

    Args:
        id: Key of the conversation, chosen by the channel.
        unsummarised: Number of messages that the summary does not cover.
        latest: The last messages, oldest first, as many as were asked for.
    """

    id: str
    summary: Summary
    unsummarised: int
    latest: tuple[Message, ...] = ()


@dataclass(frozen=True, slots=True)
class ConversationFigures:
    """Figures about a conversation that contain none of its words.

    Args:
        people: Number of different people who wrote, as far as they are known.
        labels: Number of answers by label, labels that only another version knows under `unverified`.
    """

    id: str
    last: MessageId
    last_at: datetime
    questions: int
    people: int
    labels: Mapping[Label, int] = field(default_factory=dict)
