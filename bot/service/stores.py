"""What the service asks of the store; the repositories of `bot.storage` fulfil it.

The store imports the values of the service, so the service names what it needs here instead of importing the
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
from bot.service.people import Ask, AskId, AskState, Chat, Decision, GrantedRole, Person
from bot.service.runs import Runs
from bot.service.spending import Spent
from bot.statistics.values import Asked as Circumstances
from bot.statistics.values import Thumb
from rag.values import Answer, DocumentSet


class Asks(Protocol):
    """Questions, and how far their answers are."""

    async def accept(self, asked: Asked, workflow_id: str, state: AskState = "queued") -> Ask:
        """Keep a question; an edited one keeps its row."""
        ...

    async def get(self, ask_id: AskId) -> Ask | None:
        """Return a question."""
        ...

    async def of_workflow(self, workflow_id: str) -> Ask | None:
        """Return the question that this work answers."""
        ...

    async def of_message(self, chat_id: int, message_id: int) -> Ask | None:
        """Return the question that this message asks."""
        ...

    async def of_answer(self, chat_id: int, message_id: int) -> Ask | None:
        """Return the question that this message of the bot answers."""
        ...

    async def latest(self, chat_id: int, thread_id: int | None) -> Ask | None:
        """Return the newest answered question of a chat and topic."""
        ...

    async def open_in(self, chat_id: int, thread_id: int | None) -> tuple[Ask, ...]:
        """Return the questions of a chat and topic that wait or are being answered, in their order."""
        ...

    async def open_in_chat(self, chat_id: int) -> tuple[Ask, ...]:
        """Return the questions of all topics of a chat that wait or are being answered."""
        ...

    async def set_state(self, ask_id: AskId, state: AskState) -> None:
        """Note how far the answer is."""
        ...

    async def set_answered(self, ask_id: AskId, answered_id: str) -> None:
        """Note that the question was answered, and under which id the answer is kept."""
        ...

    async def messages(self, ask_id: AskId) -> tuple[int, ...]:
        """Return the ids of the messages that hold the answer, in their order."""
        ...


class Chats(Protocol):
    """Chats, and what was decided and chosen there."""

    async def seen(self, place: Place) -> Chat:
        """Note that something came from this chat, and return what is kept of it."""
        ...

    async def get(self, chat_id: int) -> Chat:
        """Return what is kept of a chat."""
        ...

    async def current_id(self, chat_id: int) -> int:
        """Return the id that the chat has today."""
        ...

    async def set_access(self, chat_id: int, decision: Decision | None) -> None:
        """Keep a decision about a chat."""
        ...


class DocumentSets(Protocol):
    """Which documents a chat may be answered from."""

    async def of_chat(self, chat_id: int) -> DocumentSet | None:
        """Return the documents of a chat; None: all."""
        ...


class Users(Protocol):
    """People, what they chose, and what they may do."""

    async def get(self, user_id: int) -> Person:
        """Return what is kept of a person."""
        ...

    async def seen(self, sender: Sender) -> Person:
        """Note the name that this person has today, and return what is kept."""
        ...

    async def set_access(self, user_id: int, decision: Decision | None) -> None:
        """Keep a decision about a person."""
        ...

    async def set_role(self, user_id: int, role: GrantedRole | None) -> None:
        """Give a person a role, or take it away."""
        ...

    async def has_owner(self) -> bool:
        """Whether there is an owner."""
        ...

    async def privileged(self) -> tuple[Person, ...]:
        """Return everybody with a role."""
        ...


class Answers(Protocol):
    """What came of questions."""

    async def record(self, answer: Answer, circumstances: Circumstances) -> None:
        """Write down a question that was answered; a second time changes nothing."""
        ...

    async def rating(self, answered_id: str) -> Thumb | None:
        """Return what the reader said of an answer."""
        ...

    async def feedback(self, answered_id: str, useful: bool | None) -> bool:
        """Keep what the reader says of an answer; say whether there is such an answer."""
        ...


class Notices(Protocol):
    """What was said, and is not repeated for a while."""

    async def is_due(
        self, kind: str, *, until: datetime, by: str, chat_id: int = 0, user_id: int = 0
    ) -> bool:
        """Decide whether to say something now; for the same work the answer stays the same."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """Everything that is kept; `runs` records what happens meanwhile.

    `together` lets what is asked of the stores inside be kept all together or not at all, which also costs
    less. Nothing else may be waited for inside, neither a channel nor another task; and neither `memory` nor
    `runs`, whose own tasks write.
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
