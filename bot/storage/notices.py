"""Stores notices, so that none is repeated within its time window, also after a restart."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service.keys import NOBODY, PeerId
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import notices


class Notices:
    """Stores which notices were sent. Every method raises `StorageError` when the database cannot be used."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def is_due(
        self, kind: str, *, until: datetime, by: str, chat_id: PeerId = NOBODY, user_id: PeerId = NOBODY
    ) -> bool:
        """Decide whether to send a notice now, and then not again before `until`.

        Only one of several simultaneous calls returns True. A repeated call by the same job (`by`), after a
        kill, returns the same, so that a notice is neither lost nor repeated. `NOBODY` means any chat, or
        anybody.
        """
        now = self._clock()
        row = {"said_by": by, "said_at": now, "ends_at": until}
        # A time of sending in the future means that the clock was set back, so the window is invalid.
        is_over = sa.or_(notices.c.ends_at <= now, notices.c.said_at > now)
        key = {"kind": kind, "chat_id": chat_id, "user_id": user_id}
        async with self._database.writing() as connection:
            await connection.execute(
                insert(connection, notices)
                .values({**key, **row})
                .on_conflict_do_update(index_elements=list(notices.primary_key), set_=row, where=is_over)
            )
            said_by = await connection.scalar(sa.select(notices.c.said_by).filter_by(**key))
        return said_by == by

    async def prune(self) -> int:
        """Delete the notices whose time window is over, and return how many."""
        return await self._database.change(sa.delete(notices).where(notices.c.ends_at <= self._clock()))
