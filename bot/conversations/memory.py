"""The memory of a conversation: the latest messages word for word, the earlier ones as a summary.

An exchange is stored at once and as a whole. The summary is written afterwards, in the background, because a
small model takes many seconds for it. When it fails or is stopped in favour of a question, the messages stay
unsummarised and the next exchange tries again.
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
    """Stores conversations. Every method raises `OperatorError` when the store cannot be used."""

    async def append(
        self,
        conversation_id: str,
        added: Sequence[Message],
        replaces: str = "",
        *,
        then: Callable[[int], object],
    ) -> None:
        """Add messages, all or none, unless their exchange is stored; delete the exchanges they replace.

        `then` is called with the number of messages after the summary once they are kept.
        """
        ...

    async def oldest_unsummarised(self, conversation_id: str, limit: int) -> tuple[Message, ...]:
        """Return the first `limit` messages after the summary, oldest first."""
        ...

    async def conversation(self, conversation_id: str, latest: int = 0) -> Conversation:
        """Return the summary, the number of messages after it, and the last messages."""
        ...

    async def save_summary(
        self,
        conversation_id: str,
        summary: Summary,
        *,
        replaces: Summary | None = None,
        of: Sequence[int] = (),
    ) -> None:
        """Store the summary, unless its messages were deleted or a later summary is stored."""
        ...

    async def last_answer(self, conversation_id: str) -> Answer | None:
        """Return the latest answer with its trace."""
        ...

    async def load_answer(self, exchange: str) -> Answer | None:
        """Return the answer of an exchange."""
        ...

    async def clear(self, conversation_id: str) -> None:
        """Delete the conversation."""
        ...


class Summarise(Protocol):
    """Writes a new summary of an earlier one and further turns; raises `ThinkTwiceError` if no model does."""

    async def __call__(self, summary: str, turns: Sequence[Turn], language: str) -> str:
        """Return the new summary, in the language with this ISO 639-1 code."""
        ...


class ConversationMemory:
    """Recalls and remembers conversations. Methods raise `OperatorError` when the store cannot be used.

    Args:
        history_limit: Messages that are recalled word for word.
        summary_seconds: How long `recall` waits for a summary of messages that no longer fit into the window.
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
        # Languages of the conversations that have grown since their last summary was considered, by their id.
        self._grown: dict[str, str] = {}

    async def recall(self, conversation_id: str) -> tuple[tuple[Turn, ...], str]:
        """Return the last messages, oldest first, and the summary of the messages before them.

        A summary that is being written is stopped if the window still shows the messages that it would cover,
        so that the model is free for the question. Otherwise it is waited for, at most `summary_seconds`, and
        then continues while the question is answered.
        """
        if task := self._writing.get(conversation_id):
            conversation = await self._repository.conversation(conversation_id)
            if conversation.unsummarised <= self._history_limit:
                await self._stop(conversation_id)
            else:
                await asyncio.wait({task}, timeout=self._summary_seconds)
        conversation = await self._repository.conversation(conversation_id, self._history_limit)
        return tuple(message.as_turn() for message in conversation.latest), conversation.summary.text

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
            author: The person's name, if several people share the conversation.
            user_key: The person's id, by which both messages can be erased.
            exchange: Key of the exchange; storing it again under the same key changes nothing.
            replaces: Prefix of the keys of the exchanges that this one replaces.

        Raises:
            OperatorError: the store cannot be written; nothing of the exchange is stored then.
        """
        now = self._clock()
        messages = (
            Message("user", question, now, author, user_key=user_key, exchange=exchange),
            Message("assistant", answer.text, now, answer=answer, user_key=user_key, exchange=exchange),
        )

        def summarise(unsummarised: int) -> None:
            if messages_to_summarise(unsummarised, self._history_limit):
                self._grown[conversation_id] = answer.language
                if conversation_id not in self._writing:
                    updating = self._update_summaries(conversation_id)
                    self._writing[conversation_id] = asyncio.create_task(updating)

        await self._repository.append(conversation_id, messages, replaces, then=summarise)

    async def last_answer(self, conversation_id: str) -> Answer | None:
        """Return the latest answer with its full trace, or None when there is none."""
        return await self._repository.last_answer(conversation_id)

    async def load_answer(self, exchange: str) -> Answer | None:
        """Return the answer of an exchange, or None when it was never stored or is deleted."""
        return await self._repository.load_answer(exchange)

    async def reset(self, conversation_id: str) -> None:
        """Delete a conversation."""
        await self._stop(conversation_id)
        await self._repository.clear(conversation_id)

    async def aclose(self) -> None:
        """Stop summaries that are being written; their messages are summarised after the next start."""
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
        # Not in a callback: an exchange that arrived before it ran would start no new summary.
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
                # If some of the messages were erased meanwhile, `save_summary` stores nothing.
                await self._repository.save_summary(
                    conversation_id,
                    Summary(text, messages[-1].id),
                    replaces=conversation.summary,
                    of=[message.id for message in messages],
                )
        except ThinkTwiceError as exc:
            # The messages stay unsummarised, so the next exchange tries again.
            _log.warning("a conversation was not summarised", reason=str(exc))
