"""Stores the ids of the bot's messages, so that none of them is taken for a lost one."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Final

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service.keys import PeerId
from bot.storage.chats import is_group
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import ask_messages, asks, sent_messages

_FURTHEST: Final = 5_000
_BEYOND: Final = 10
"""How many unknown ids are listed at most, and how far above the newest id on record they go."""


class SentMessages:
    """Stores the ids of messages. Every method raises `StorageError`.

    Messages that answer a question are stored with it, see `bot.storage.asks.Asks.add_message`.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def keep(self, key: str, chat_id: PeerId, message_id: int) -> None:
        """Store that a step has sent a message; a repeated call changes nothing.

        `key` is that of the step, see `bot.current_step.step_key`; empty if no step has sent the message.
        """
        row = {"chat_id": chat_id, "message_id": message_id, "key": key or None, "sent_at": self._clock()}
        async with self._database.writing() as connection:
            await connection.execute(insert(connection, sent_messages).values(row).on_conflict_do_nothing())

    async def kept(self, key: str) -> tuple[PeerId, int] | None:
        """Return the chat and the id of the message that a step has sent, or None."""
        query = sa.select(sent_messages.c.chat_id, sent_messages.c.message_id).where(
            sent_messages.c.key == key
        )
        row = await self._database.row(query)
        return None if row is None else (row.chat_id, row.message_id)

    async def sent_at(self, chat_id: PeerId, message_id: int) -> datetime | None:
        """Return when a message was sent, or None if it is not stored here."""
        query = sa.select(sent_messages.c.sent_at).where(
            sent_messages.c.chat_id == chat_id, sent_messages.c.message_id == message_id
        )
        found: datetime | None = await self._database.value(query)
        return found

    async def is_on_record(self, chat_id: PeerId, message_id: int) -> bool:
        """Return whether a message is stored, here or with a question."""
        found = (
            sa.exists().where(table.c.chat_id == chat_id, table.c.message_id == message_id)
            for table in (ask_messages, sent_messages)
        )
        return bool(await self._database.value(sa.select(sa.or_(*found))))

    async def list_unknown_ids(self, above: int, below: int = 0) -> tuple[int, ...]:
        """Return ids between two others that no message on record has, the lowest first.

        Telegram counts the messages of all private chats together, so an id on record in any is taken.
        Only the highest ids of a long range are listed: a message that was sent lately has a high one.
        With `below` 0, they end a little above the newest id on record.
        """
        stored = [(table.c.chat_id, table.c.message_id) for table in (asks, ask_messages, sent_messages)]
        async with self._database.reading() as connection:
            highest = below - 1
            if not below:
                each = [sa.select(sa.func.max(one)).where(_is_private(chat)) for chat, one in stored]
                highest = max([await connection.scalar(newest) or 0 for newest in each]) + _BEYOND
            lowest = max(above, highest - _FURTHEST)
            known: set[int] = set()
            for chat, one in stored:
                known.update(
                    await connection.scalars(
                        sa.select(one).where(_is_private(chat), one > lowest, one <= highest)
                    )
                )
        return tuple(one for one in range(lowest + 1, highest + 1) if one not in known)

    async def prune(self, age: timedelta) -> int:
        """Delete the records of messages older than `age`, and return how many."""
        return await self._database.change(
            sa.delete(sent_messages).where(sent_messages.c.sent_at < self._clock() - age)
        )


def _is_private(chat_id: sa.Column[PeerId]) -> sa.ColumnElement[bool]:
    return sa.and_(chat_id.like("telegram:%"), sa.not_(is_group(chat_id)))
