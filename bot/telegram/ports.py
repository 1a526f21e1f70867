"""What answering asks of everything that keeps something; `bot.storage` and `bot.conversations` fulfil it.

Whatever cannot be read or written raises `OperatorError`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Protocol

from bot.jobs.values import Job, JobState
from bot.service.incoming import Asked, Place, Sender
from bot.service.people import Ask, AskId, AskState, Chat, Person, Role
from bot.statistics.values import Asked as Circumstances
from bot.statistics.values import Thumb
from rag.values import Answer, Turn


class Memory(Protocol):
    """What was said in conversations."""

    async def recall(self, conversation_id: str) -> tuple[tuple[Turn, ...], str]:
        """Return the last messages, oldest first, and the summary of what was said before them."""
        ...

    async def answer(self, exchange: str) -> Answer | None:
        """Return the answer of an exchange."""
        ...

    async def remember(
        self,
        conversation_id: str,
        question: str,
        answer: Answer,
        author: str = "",
        user_key: str = "",
        exchange: str = "",
        replaces: str = "",
    ) -> None:
        """Store a question and its answer once, instead of those whose key begins with `replaces`."""
        ...


class Asks(Protocol):
    """Questions, and where their answers stand."""

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

    async def ahead(self, ask_id: AskId) -> int:
        """Return how many questions of the same chat and topic are answered before this one."""
        ...

    async def open_in(self, chat_id: int, thread_id: int | None) -> tuple[Ask, ...]:
        """Return what is being answered or waits in a chat and topic."""
        ...

    async def open_in_chat(self, chat_id: int) -> tuple[Ask, ...]:
        """Return what is being answered or waits in any topic of a chat."""
        ...

    async def set_state(self, ask_id: AskId, state: AskState) -> None:
        """Note where the answer stands."""
        ...

    async def set_answered(self, ask_id: AskId, answered_id: str) -> None:
        """Note that it was answered, and under which id the answer is kept."""
        ...

    async def messages(self, ask_id: AskId) -> tuple[int, ...]:
        """Return the ids of the messages that hold the answer, in their order."""
        ...

    async def set_placeholder(self, ask_id: AskId, chat_id: int, message_id: int) -> None:
        """Note the message that shows that an answer is on its way, and is to become it."""
        ...

    async def end_placeholder(self, ask_id: AskId) -> None:
        """Note that this message may hold the answer from now on."""
        ...

    async def add_message(self, ask_id: AskId, chat_id: int, message_id: int) -> None:
        """Note a message that holds a part of the answer."""
        ...


class Chats(Protocol):
    """Chats and what was chosen there."""

    async def seen(self, place: Place) -> Chat:
        """Note that something came from this chat, and return what is kept of it."""
        ...

    async def current_id(self, chat_id: int) -> int:
        """Return the id that the chat has today."""
        ...


class Users(Protocol):
    """People and what they chose."""

    async def get(self, user_id: int) -> Person:
        """Return what is kept of a person."""
        ...

    async def seen(self, sender: Sender) -> Person:
        """Note the name that this person has today, and return what is kept."""
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
    """What was said and is not repeated for a while."""

    async def is_due(
        self, kind: str, *, until: datetime, by: str, chat_id: int = 0, user_id: int = 0
    ) -> bool:
        """Decide whether to say something now; for the same work the answer stays the same."""
        ...


class Jobs(Protocol):
    """Work in progress."""

    async def submit(self, job: Job) -> bool:
        """Record work; say whether it is new."""
        ...

    async def state(self, job_id: str) -> JobState | None:
        """What became of it; None when nothing is known of it."""
        ...

    async def cancel(self, job_id: str) -> bool:
        """Stop it for good; say whether there was something to stop."""
        ...


class Roles(Protocol):
    """What somebody may do."""

    async def role(self, sender: Sender, place: Place) -> Role:
        """Return the role; it comes from ids, never from names."""
        ...


@dataclass(frozen=True, slots=True)
class Stores:
    """Everything that is kept."""

    memory: Memory
    asks: Asks
    chats: Chats
    users: Users
    answers: Answers
    notices: Notices
