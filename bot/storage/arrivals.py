"""Stores when questions and commands arrived, for the limits: a time, a chat and a person, but no words.

The rows survive `/reset` and the erasure of a conversation, because otherwise both would lift every limit.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import day_of, utcnow
from bot.service.keys import PeerId
from bot.service.limits import HOUR, MINUTE, Decide, Load
from bot.service.people import Refusal
from bot.storage.chats import current_id
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import arrivals


class StoredArrivals:
    """Implements `bot.service.limits.Arrivals`. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def settle(
        self, key: str, chat_id: PeerId, user_id: PeerId, decide: Decide, *, is_command: bool = False
    ) -> Refusal | None:
        """Store that a question or a command arrived, and decide whether it is refused.

        All of this is one transaction, so each of several simultaneous arrivals sees the outcomes of the
        earlier ones. A repeated call for the same job (`key`) counts nothing and returns the first outcome.
        Commands are limited by earlier commands, questions by earlier questions.
        """
        async with self._database.writing() as connection:
            chat_id = await current_id(connection, chat_id)
            written = await connection.execute(
                insert(connection, arrivals)
                .values(
                    key=key,
                    chat_id=chat_id,
                    user_id=user_id,
                    arrived_at=self._clock(),
                    is_refused=False,
                    is_command=is_command,
                )
                .on_conflict_do_nothing(index_elements=[arrivals.c.key])
                .returning(*arrivals.c)
            )
            kept = written.one_or_none()
            if kept is None:  # counted before
                kept = (await connection.execute(sa.select(arrivals).where(arrivals.c.key == key))).one()
            now: datetime = kept.arrived_at
            load = Load(
                await _moments(connection, kept, arrivals.c.user_id == user_id, now - HOUR),
                await _moments(connection, kept, arrivals.c.chat_id == chat_id, now - MINUTE),
            )
            if refusal := decide(now, load):
                await connection.execute(
                    sa.update(arrivals).where(arrivals.c.id == kept.id).values(is_refused=True)
                )
        return refusal

    async def settle_council(self, key: str, chat_id: PeerId, limit: int) -> datetime | None:
        """Count a question to the council, unless the chat has used up its questions of this day.

        `key` is the id of the question's job, which `settle` has stored; again, it counts nothing. Returns
        when the chat can ask the council again; None if it can now.
        """
        async with self._database.writing() as connection:
            chat_id = await current_id(connection, chat_id)
            kept = (await connection.execute(sa.select(arrivals).where(arrivals.c.key == key))).one()
            since, until = day_of(kept.arrived_at)
            asked = await connection.scalar(
                sa.select(sa.func.count())
                .select_from(arrivals)
                .where(
                    arrivals.c.chat_id == chat_id,
                    arrivals.c.is_council.is_(sa.true()),
                    arrivals.c.key != key,
                    arrivals.c.arrived_at >= since,
                    arrivals.c.arrived_at < until,
                )
            )
            if not kept.is_council and (asked or 0) >= limit:
                return until
            await connection.execute(
                sa.update(arrivals).where(arrivals.c.id == kept.id).values(is_council=True)
            )
        return None

    async def prune(self, age: timedelta = timedelta(days=2)) -> int:
        """Delete arrivals that are too old to matter for any limit, and return how many."""
        return await self._database.change(
            sa.delete(arrivals).where(arrivals.c.arrived_at < self._clock() - age)
        )


async def _moments(
    connection: AsyncConnection, kept: sa.Row[Any], whose: sa.ColumnElement[bool], since: datetime
) -> Sequence[datetime]:
    query = sa.select(arrivals.c.arrived_at).where(
        whose,
        arrivals.c.id < kept.id,
        arrivals.c.is_command.is_(kept.is_command),
        arrivals.c.arrived_at > since,
        arrivals.c.is_refused.is_(sa.false()),
    )
    return (await connection.scalars(query)).all()
