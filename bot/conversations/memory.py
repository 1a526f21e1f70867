"""What a conversation remembers: the latest messages word for word, the rest as a summary.

An exchange is stored at once and as a whole. The summary is written afterwards, in the background,
because a small model takes many seconds for it; when it fails or gives way to a question, the messages
stay where they are and the next exchange tries again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Protocol

import structlog

from bot.clock import utcnow
from bot.conversations.summaries import of_conversation
from bot.conversations.values import Conversation, Message, Summary
from bot.conversations.window import messages_to_summarise
from rag.errors import ThinkTwiceError
from rag.values import Answer, Turn

_log = structlog.get_logger(__name__)

SUMMARY_SECONDS = 1.0
"""How long a question waits for a summary that is being written; then it is answered without it."""


class ConversationRepository(Protocol):
    """Where conversations are kept. Raises `OperatorError` when the store cannot be used."""

    async def append(self, conversation_id: str, messages: Sequence[Message], replaces: str = "") -> None:
        """Add messages, all of them or none, unless their exchange is stored; drop those they replace."""
        ...

    async def latest(self, conversation_id: str, limit: int) -> tuple[Message, ...]:
        """Return the last `limit` messages, oldest first."""
        ...

    async def oldest_unsummarised(self, conversation_id: str, limit: int) -> tuple[Message, ...]:
        """Return the first `limit` messages behind the summary, oldest first."""
        ...

    async def conversation(self, conversation_id: str) -> Conversation:
        """Return the summary and the number of messages behind it; empty for an unknown conversation."""
        ...

    async def save_summary(
        self,
        conversation_id: str,
        summary: Summary,
        *,
        replaces: Summary | None = None,
        of: Sequence[int] = (),
    ) -> None:
        """Keep the summary, unless the messages it speaks of are gone or a later one is there."""
        ...

    async def last_answer(self, conversation_id: str) -> Answer | None:
        """Return the latest answer with its trace."""
        ...

    async def answer(self, exchange: str) -> Answer | None:
        """Return the answer of an exchange."""
        ...

    async def clear(self, conversation_id: str) -> None:
        """Forget the conversation."""
        ...


class Summarise(Protocol):
    """Writes a new summary of an old one and further turns.

    Raises:
        ThinkTwiceError: no model wrote one.
    """

    async def __call__(self, summary: str, turns: Sequence[Turn], language: str) -> str:
        """Return the new summary, in the language with this ISO 639-1 code."""
        ...


class ConversationMemory:
    """Recalls and remembers conversations.

    Args:
        repository: Where they are kept.
        summarise: Writes summaries.
        history_limit: Messages that are recalled word for word.
        summary_seconds: How long `recall` waits for a summary of messages that no longer fit into the window.
        clock: Tells the time.
    """

    def __init__(
        self,
        repository: ConversationRepository,
        summarise: Summarise,
        history_limit: int,
        summary_seconds: float = SUMMARY_SECONDS,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._repository = repository
        self._summarise = summarise
        self._history_limit = history_limit
        self._summary_seconds = summary_seconds
        self._clock = clock
        self._writing: dict[str, asyncio.Task[None]] = {}
        # Languages of conversations that have grown since their summary was last looked at.
        self._grown: dict[str, str] = {}

    async def recall(self, conversation_id: str) -> tuple[tuple[Turn, ...], str]:
        """Return the last messages, oldest first, and the summary of what was said before them.

        A summary in the making gives way when the window shows all that it would say, so that the model
        is free for the question; else it is waited for a moment, and goes on beside the question.

        Raises:
            OperatorError: the store cannot be read.
        """
        conversation = await self._repository.conversation(conversation_id)
        if task := self._writing.get(conversation_id):
            if conversation.unsummarised <= self._history_limit:
                await self._stop(conversation_id)
            else:
                await asyncio.wait({task}, timeout=self._summary_seconds)
            conversation = await self._repository.conversation(conversation_id)
        messages = await self._repository.latest(conversation_id, self._history_limit)
        return tuple(message.as_turn() for message in messages), conversation.summary.text

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
        """Store a question and its answer, and start a new summary when one is due.

        Args:
            conversation_id: Where it was said.
            question: The person's words.
            answer: What was answered.
            author: The person's name, where several share a conversation.
            user_key: The person's key, by which both messages can be erased.
            exchange: Names the exchange: stored again under the same name, nothing changes.
            replaces: How the names of the exchanges begin that this one takes the place of.

        Raises:
            OperatorError: the store cannot be written; nothing of the exchange is kept then.
        """
        now = self._clock()
        messages = (
            Message("user", question, now, author, user_key=user_key, exchange=exchange),
            Message("assistant", answer.text, now, answer=answer, user_key=user_key, exchange=exchange),
        )
        # Shielded: whoever gives up waiting must not leave an answer that was shown unrecorded.
        await asyncio.shield(self._repository.append(conversation_id, messages, replaces))
        self._grown[conversation_id] = answer.language
        if conversation_id not in self._writing:
            self._writing[conversation_id] = asyncio.create_task(self._update_summaries(conversation_id))

    async def last_answer(self, conversation_id: str) -> Answer | None:
        """Return the latest answer with its full trace, or None when there is none.

        Raises:
            OperatorError: the store cannot be read.
        """
        return await self._repository.last_answer(conversation_id)

    async def answer(self, exchange: str) -> Answer | None:
        """Return the answer of an exchange, or None when it was never stored or is forgotten.

        Raises:
            OperatorError: the store cannot be read.
        """
        return await self._repository.answer(exchange)

    async def reset(self, conversation_id: str) -> None:
        """Forget a conversation.

        Raises:
            OperatorError: the store cannot be written.
        """
        await self._stop(conversation_id)
        await self._repository.clear(conversation_id)

    async def aclose(self) -> None:
        """Stop summaries in the making; their messages are summarised after the next start."""
        for conversation_id in tuple(self._writing):
            await self._stop(conversation_id)

    async def _stop(self, conversation_id: str) -> None:
        self._grown.pop(conversation_id, None)
        if task := self._writing.pop(conversation_id, None):
            task.cancel()
            await asyncio.wait({task})

    async def _update_summaries(self, conversation_id: str) -> None:
        while (language := self._grown.pop(conversation_id, None)) is not None:
            await self._update_summary(conversation_id, language)
        # Here and not in a callback: an exchange that comes in between would find nobody at work.
        self._writing.pop(conversation_id, None)

    async def _update_summary(self, conversation_id: str, language: str) -> None:
        try:
            conversation = await self._repository.conversation(conversation_id)
            due = messages_to_summarise(conversation.unsummarised, self._history_limit)
            if not due:
                return
            messages = await self._repository.oldest_unsummarised(conversation_id, due)
            turns = tuple(message.as_turn() for message in messages)
            of_conversation.set(conversation_id)
            text = (await self._summarise(conversation.summary.text, turns, language)).strip()
            if text:
                # Some of it may have been erased meanwhile: then nothing is kept of what was read before.
                await self._repository.save_summary(
                    conversation_id,
                    Summary(text, messages[-1].id),
                    replaces=conversation.summary,
                    of=[message.id for message in messages],
                )
        except ThinkTwiceError as exc:
            # Nothing is lost: the messages stay unsummarised, and the next exchange comes back to them.
            _log.warning("a conversation was not summarised", reason=str(exc))
