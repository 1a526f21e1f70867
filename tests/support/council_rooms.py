"""Private chats and groups in which a council is asked, for tests with the whole bot."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import AbstractAsyncContextManager

from tests.support.wired import Stage
from tests.telegram.chats import Chat, Message
from tests.telegram.people import Person

OWNER = 500_000_001

Open = Callable[..., AbstractAsyncContextManager[Stage]]


class Room:
    """A person with a private chat, of which the first one on a stage owns the bot."""

    def __init__(self, stage: Stage, language: str = "en") -> None:
        self.stage = stage
        self.person: Person = stage.telegram.user("Ann", language_code=language)
        self.chat: Chat = stage.telegram.private(self.person)

    async def says(self, text: str) -> None:
        await self.stage.happens(self.person.says(self.chat, text))

    async def presses(self, message: Message, label: str) -> str:
        await self.stage.happens(self.person.presses(message, label))
        return self.chat.presses[-1].alert or ""

    @property
    def last(self) -> Message:
        return self.chat.answers[-1]
