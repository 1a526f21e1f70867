"""Protocols of the store that the service needs; the repositories of `bot.storage` implement them.

The store imports the values of the service, so the service declares its needs here instead of importing the
store. Every method raises `StorageError` when the store cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.conversations.memory import ConversationMemory
from bot.service.incoming import Asked, Place, Sender
from bot.service.keys import NOBODY, PeerId
from bot.service.people import Ask, AskId, AskState, Chat, Decision, GrantedRole, Person
from bot.service.runs import Runs
from bot.service.spending import Spent
from bot.statistics.values import Circumstances, Thumb
from rag.values import Answer, DocumentSet


class Asks(Protocol):
    """Questions, and the states of their answers."""

    async def accept(self, asked: Asked, workflow_id: str, state: AskState = "queued") -> Ask:
        """Store a question; an edited question keeps its row."""
        ...

    async def get(self, ask_id: AskId) -> Ask | None:
        """Return a question, or None."""
        ...

    async def find_by_workflow(self, workflow_id: str) -> Ask | None:
        """Return the question that a job answers, or None."""
        ...

    async def find_by_message(self, chat_id: PeerId, message_id: int) -> Ask | None:
        """Return the question that a message asks, or None."""
        ...

    async def find_by_answer(self, chat_id: PeerId, message_id: int) -> Ask | None:
        """Return the question that a message of the bot answers, or None."""
        ...

    async def latest(self, chat_id: PeerId, thread_id: int | None) -> Ask | None:
        """Return the newest answered question of a chat and topic, or None."""
        ...

    async def open_in(self, chat_id: PeerId, thread_id: int | None) -> tuple[Ask, ...]:
        """Return the questions of a chat and topic that wait or are being answered, oldest first."""
        ...

    async def open_in_chat(self, chat_id: PeerId) -> tuple[Ask, ...]:
        """Return the questions of all topics of a chat that wait or are being answered."""
        ...

    async def set_state(self, ask_id: AskId, state: AskState) -> None:
        """Store the state of the answer."""
        ...

    async def set_answered(self, ask_id: AskId, answered_id: str) -> None:
        """Mark the question as answered, with the id of the stored answer."""
        ...

    async def messages(self, ask_id: AskId) -> tuple[int, ...]:
        """Return the ids of the messages that hold the answer, in order."""
        ...


class Chats(Protocol):
    """Chats, with administrators' decisions and chosen modes."""

    async def seen(self, place: Place) -> Chat:
        """Note that an update came from this chat, and return the stored chat."""
        ...

    async def get(self, chat_id: PeerId) -> Chat:
        """Return a chat as it is stored."""
        ...

    async def current_id(self, chat_id: PeerId) -> PeerId:
        """Return the present id of a chat, which differs when the group has migrated."""
        ...

    async def set_access(self, chat_id: PeerId, decision: Decision | None) -> None:
        """Store a decision about a chat."""
        ...


class DocumentSets(Protocol):
    """The document sets of chats."""

    async def of_chat(self, chat_id: PeerId) -> DocumentSet | None:
        """Return the documents that a chat may be answered from; None: all."""
        ...


class Users(Protocol):
    """People, with their choices and their roles."""

    async def get(self, user_id: PeerId) -> Person:
        """Return a person as stored."""
        ...

    async def seen(self, sender: Sender) -> Person:
        """Store the sender's present name, and return the stored person."""
        ...

    async def set_access(self, user_id: PeerId, decision: Decision | None) -> None:
        """Store a decision about a person."""
        ...

    async def set_role(self, user_id: PeerId, role: GrantedRole | None) -> None:
        """Give a person a role; None takes it away."""
        ...

    async def has_owner(self) -> bool:
        """Return whether a person has the owner's role."""
        ...

    async def privileged(self) -> tuple[Person, ...]:
        """Return everybody with a role."""
        ...


class Answers(Protocol):
    """Answered questions, with their ratings."""

    async def record(self, answer: Answer, circumstances: Circumstances) -> None:
        """Store an answered question; storing it again changes nothing."""
        ...

    async def rating(self, answered_id: str) -> Thumb | None:
        """Return the asker's rating of an answer, or None."""
        ...

    async def feedback(self, answered_id: str, useful: bool | None) -> bool:
        """Store the asker's rating of an answer; return whether the answer exists."""
        ...


class Notices(Protocol):
    """Notices that were shown and are not repeated for a while."""

    async def is_due(
        self, kind: str, *, until: datetime, by: str, chat_id: PeerId = NOBODY, user_id: PeerId = NOBODY
    ) -> bool:
        """Decide whether to show a notice now; the same `by` gets the same result."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """All repositories; `runs` records the events of runs.

    Inside `together`, all writes to the repositories are kept or none is, which also costs less. Nothing
    else may be awaited inside: no channel, no other task, and no `runs`, whose own task writes, nor what
    `memory` recalls. What others may see only once it is kept is called by `after_commit`.
    """

    memory: ConversationMemory
    asks: Asks
    chats: Chats
    users: Users
    answers: Answers
    notices: Notices
    runs: Runs
    document_sets: DocumentSets
    spent: Spent
    together: Callable[[], AbstractAsyncContextManager[None]]
    after_commit: Callable[[Callable[[], object]], None]
