"""Finds the answer that somebody wants explained, and whether that explanation was shown lately."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Literal

from bot.clock import utcnow
from bot.service.incoming import Commanded
from bot.service.keys import PeerId
from bot.service.languages import spoken
from bot.service.people import Ask
from bot.service.stores import Stores
from rag.values import Answer

Subject = Literal["sources", "why", "ranking", "original", "corrected"]
"""What can be explained; the last two are texts of a council member."""

_SHOWN_FOR = timedelta(minutes=10)
"""How long an explanation is not shown again in the same chat, because buttons invite repeated presses."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The answer that somebody wants explained; None when there is none, or it is no longer stored."""

    answer: Answer | None
    language: str
    ask: Ask | None = None


class Explanations:
    """Finds answers to explain. Every method raises `StorageError` when the store cannot be used."""

    def __init__(self, stores: Stores, clock: Callable[[], datetime] = utcnow) -> None:
        self._stores = stores
        self._clock = clock

    async def meant_by(self, commanded: Commanded) -> Meant:
        """Return the answer that a command replies to, otherwise the latest answer of its chat and topic."""
        message, stores = commanded.message, self._stores
        language = spoken(message.sender, (await stores.users.get(message.sender.id)).language)
        if message.replied is not None and message.replied.is_mine:
            # A message id is valid only in its own chat, so it is looked up under the id of this chat.
            ask = await stores.asks.find_by_answer(message.place.chat_id, message.replied.message_id)
        else:
            chat_id = await stores.chats.current_id(message.place.chat_id)
            ask = await stores.asks.latest(chat_id, message.place.thread_id)
        return Meant(await self.load_answer(ask) if ask else None, language, ask)

    async def load_answer(self, ask: Ask) -> Answer | None:
        """Return the stored answer to a question, or None when it is no longer stored.

        An answer from documents that the chat may no longer use is not returned either.
        """
        answer = await self._stores.memory.load_answer(ask.exchange)
        documents = await self._stores.document_sets.of_chat(ask.chat_id)
        return answer if answer is None or documents in {None, answer.documents} else None

    async def is_due(
        self, ask: Ask, subject: str, by: str, chat_id: PeerId, member: int | None = None
    ) -> bool:
        """Decide whether to show an explanation now: not when it was shown in the chat a moment ago.

        The same job (`by`) gets the same result. `member` is the place of the council member whose text is
        shown, from 0; None for other subjects.
        """
        until = self._clock() + _SHOWN_FOR
        kind = f"{subject}:{ask.id}" if member is None else f"{subject}:{ask.id}:{member}"
        return await self._stores.notices.is_due(kind, until=until, by=by, chat_id=chat_id)
