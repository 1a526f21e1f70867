"""A delivery to the Telegram server for tests, with a clock that a test sets, and messages to deliver."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from typing import TypeVar

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.incoming import Place
from bot.service.keys import PeerId
from bot.telegram.connection import open_bot
from bot.telegram.ids import to_peer
from bot.telegram.outbound.rate_limits import Rates
from bot.telegram.outbound.retries import Patience
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering.parts import Entity, Part
from tests.support.faketime import FakeTime
from tests.telegram.chats import Chat
from tests.telegram.server import FakeTelegram

T = TypeVar("T")

HELLO = Part("hello")
BOLD = Part("hello", (Entity("bold", 0, 5),))
BUTTONS = InlineKeyboardMarkup([[InlineKeyboardButton("why", callback_data="why:1")]])


@dataclass
class Chats:
    gone: list[PeerId] = field(default_factory=list)
    moved: list[tuple[PeerId, PeerId]] = field(default_factory=list)

    async def deactivate(self, chat_id: PeerId) -> None:
        self.gone.append(chat_id)

    async def migrate(self, old_id: PeerId, new_id: PeerId) -> None:
        self.moved.append((old_id, new_id))


@dataclass
class Desk:
    telegram: FakeTelegram
    delivery: Delivery
    chats: Chats
    time: FakeTime

    def private(self, name: str = "Ann") -> tuple[Chat, Place]:
        chat = self.telegram.private(self.telegram.user(name))
        return chat, Place(to_peer(chat.id), "private")

    def group(self, *, basic: bool = False) -> tuple[Chat, Place]:
        chat = self.telegram.group("Team", [self.telegram.user("Ann")], basic=basic)
        return chat, Place(to_peer(chat.id), "group")

    async def patiently(self, work: Awaitable[T], seconds: float = 600.0) -> T:
        """Wait for work and let its pauses pass."""
        task = asyncio.ensure_future(work)

        def is_done() -> bool:
            return task.done()

        while not task.done() and self.time.now < seconds:
            await self.telegram.until(lambda: is_done() or self.time.is_waited_for)
            await self.time.advance(0.5)
        return await asyncio.wait_for(task, 15)


@asynccontextmanager
async def desk(
    telegram: FakeTelegram, rates: Rates | None = None, patience: Patience | None = None
) -> AsyncIterator[Desk]:
    time, chats = FakeTime(), Chats()
    bot = open_bot(telegram.token, telegram.url)
    async with bot:
        yield Desk(
            telegram,
            Delivery(bot, chats, rates=rates, patience=patience, now=time, sleep=time.sleep),
            chats,
            time,
        )
