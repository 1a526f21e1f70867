"""Counts the tokens spent in a day by chat and person, for the budgets: numbers, no words.

It is added up as it is spent, and outlives `/reset` and every erasure: neither gives a budget back.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.clock import day_of, utcnow
from bot.service.keys import NOBODY, PeerId
from bot.service.spending import Today
from bot.storage.chats import current_id
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import spent


class Spent:
    """Implements `bot.service.spending.Spent`. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def add(self, tokens: int, *, chat_id: PeerId = NOBODY, user_id: PeerId = NOBODY) -> None:
        """Add tokens, read and written, to this day; `NOBODY`: for no chat, or for nobody in particular."""
        if tokens <= 0:
            return
        async with self._database.writing() as connection:
            chat_id = await current_id(connection, chat_id)
            row = {"day": _day(self._clock()), "chat_id": chat_id, "user_id": user_id, "tokens": tokens}
            adding = insert(connection, spent).values(row)
            await connection.execute(
                adding.on_conflict_do_update(
                    index_elements=list(spent.primary_key),
                    set_={"tokens": spent.c.tokens + adding.excluded.tokens},
                )
            )

    async def today(self, chat_id: PeerId, user_id: PeerId) -> Today:
        """Return what this day took in all, in a chat, and for a person in all chats."""
        now = self._clock()
        async with self._database.reading() as connection:
            chat_id = await current_id(connection, chat_id)
            query = sa.select(
                sa.func.sum(spent.c.tokens),
                sa.func.sum(spent.c.tokens).filter(spent.c.chat_id == chat_id),
                sa.func.sum(spent.c.tokens).filter(spent.c.user_id == user_id),
            ).where(spent.c.day == _day(now))
            bot, chat, user = (await connection.execute(query)).one()
        return Today(int(bot or 0), int(chat or 0), int(user or 0), day_of(now)[1])

    async def prune(self, age: timedelta = timedelta(days=2)) -> int:
        """Forget days that no budget looks at any more, and return how many rows that were."""
        return await self._database.change(sa.delete(spent).where(spent.c.day < _day(self._clock() - age)))


def _day(moment: datetime) -> str:
    """The day in the team's time zone, like ``2026-05-20``."""
    return day_of(moment)[0].date().isoformat()
