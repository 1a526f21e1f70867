"""A group with answers whose buttons are pressed, with a model and a clock that tests hold."""

from __future__ import annotations

import asyncio
from datetime import datetime, timedelta

from bot.clock import utcnow
from rag.models.chat import ChatRequest
from tests.support.asking import QUESTION
from tests.support.channel import Channel, direct
from tests.telegram.chats import Message
from tests.telegram.people import Person


class Clock:
    """The time, which a test can let pass."""

    def __init__(self) -> None:
        self.passed = timedelta(0)

    def __call__(self) -> datetime:
        return utcnow() + self.passed


class Model:
    """Answers at once, unless a test closes it."""

    def __init__(self) -> None:
        self.begun = 0
        self.cancelled = 0
        self.is_open = asyncio.Event()
        self.is_open.set()

    async def __call__(self, _request: ChatRequest) -> str:
        self.begun += 1
        try:
            await self.is_open.wait()
        except asyncio.CancelledError:
            self.cancelled += 1
            raise
        return "FxStore needs Java 17."


class Room:
    """A group with an answer in it; of its members Bob has started the bot."""

    def __init__(self, c: Channel) -> None:
        self.c = c
        self.ann = c.telegram.user("Ann", language_code="en")
        self.bob = c.telegram.user("Bob", language_code="en")
        self.bobs = c.telegram.private(self.bob)
        self.cid = c.telegram.user("Cid", language_code="en")
        c.telegram.private(self.cid, started=False)
        self.chat = c.telegram.group("Team", [self.ann, self.bob, self.cid])

    async def ask(self, person: Person | None = None) -> Message:
        await self.c.answering(
            self.c.asked((person or self.ann).says(self.chat, f"@thinktwice_bot {QUESTION}")), direct
        )
        return self.chat.answers[-1]

    async def press(self, person: Person, message: Message, label: str) -> tuple[str, bool]:
        await self.c.handle(person.presses(message, label))
        press = message.chat.presses[-1]
        assert press.alert is not None, "the button goes on blinking"
        return press.alert, press.show_alert
