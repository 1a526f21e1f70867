"""What stands behind an answer: which answer is meant, and whether it was shown a moment ago."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.clock import utcnow
from bot.service.incoming import Commanded
from bot.service.languages import spoken
from bot.service.people import Ask
from bot.service.stores import Stores
from rag.values import Answer

Subject = Literal["sources", "why", "ranking", "original", "corrected"]
"""What is explained; the last two are the texts of a member of a council."""

_SHOWN_FOR = timedelta(minutes=10)
"""How long what was shown under an answer is not shown again: buttons invite to be pressed."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The answer that somebody wants explained.

    Args:
        answer: The answer; None when there is none, or it is not kept any more.
        language: ISO 639-1 code of the language in which that person is spoken to.
        ask: The question that it answers.
    """

    answer: Answer | None
    language: str
    ask: Ask | None = None


class Explanations:
    """Finds answers that are to be explained. Every method raises `StorageError`.

    Args:
        stores: Everything that is kept.
        clock: Tells the time.
    """

    def __init__(self, stores: Stores, clock: Callable[[], datetime] = utcnow) -> None:
        self._stores = stores
        self._clock = clock

    async def meant_by(self, commanded: Commanded) -> Meant:
        """Return the answer that a command replies to, else the latest one of its chat and topic."""
        message, stores = commanded.message, self._stores
        language = spoken(message.sender, (await stores.users.get(message.sender.id)).language)
        if message.replied is not None and message.replied.is_mine:
            # Its id means something in the chat where it stands, whatever became of that.
            ask = await stores.asks.of_answer(message.place.chat_id, message.replied.message_id)
        else:
            chat_id = await stores.chats.current_id(message.place.chat_id)
            ask = await stores.asks.latest(chat_id, message.place.thread_id)
        return Meant(await self.answer(ask) if ask else None, language, ask)

    async def answer(self, ask: Ask) -> Answer | None:
        """Return the answer to a question, or None when it is not kept any more.

        An answer from other documents than the chat may be answered from today is not shown either.
        """
        answer = await self._stores.memory.answer(ask.exchange)
        documents = await self._stores.document_sets.of_chat(ask.chat_id)
        return answer if answer is None or documents in {None, answer.documents} else None

    async def is_due(self, ask: Ask, subject: str, by: str, member: int | None = None) -> bool:
        """Whether to show an explanation now: not when everybody saw it a moment ago.

        Args:
            ask: The question.
            subject: What is shown.
            by: The work that shows it; for the same work the outcome stays.
            member: Whose text it is.
        """
        until = self._clock() + _SHOWN_FOR
        kind = f"{subject}:{ask.id}" if member is None else f"{subject}:{ask.id}:{member}"
        return await self._stores.notices.is_due(kind, until=until, by=by, chat_id=ask.chat_id)
