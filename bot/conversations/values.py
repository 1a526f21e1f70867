"""What a conversation is made of. Ids count up, so they order messages; rows belong to storage."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import NewType

from rag.values import Answer, Label, Speaker, Turn

MessageId = NewType("MessageId", int)

BEFORE_ALL = MessageId(0)
"""An id that is smaller than every message's."""


@dataclass(frozen=True, slots=True)
class Message:
    """One message, as it was said.

    Args:
        role: Who spoke.
        text: The words.
        created_at: When it was stored, with a time zone.
        author: Name of the member, where several share a conversation.
        answer: The whole answer behind an assistant's message, with its trace.
        id: Its place in the conversation; `BEFORE_ALL` until it is stored.
        label: What the reader was told about an answer that can no longer be read as a whole.
        user_key: Whose words these are, or whom they answer; empty where nobody is told apart. What a
            person asks to have erased is found by it.
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
        """The message as the engine reads it; an answer brings its passages along."""
        if self.answer is None:
            return Turn(self.role, self.text, self.author, label=self.label)
        return Turn(self.role, self.text, self.author, self.answer.passages, self.answer.label)


@dataclass(frozen=True, slots=True)
class Summary:
    """What was said up to and including the message `up_to`, in a few sentences."""

    text: str = ""
    up_to: MessageId = BEFORE_ALL


@dataclass(frozen=True, slots=True)
class Conversation:
    """The state of a conversation that decides what has to be summarised.

    Args:
        id: Key of the conversation, chosen by the channel.
        summary: The summary so far.
        unsummarised: Messages that it does not cover.
    """

    id: str
    summary: Summary
    unsummarised: int
