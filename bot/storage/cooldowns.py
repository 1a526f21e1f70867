"""What was said once and is not repeated for a while, also after a restart."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime

import sqlalchemy as sa

from bot.clock import utcnow
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import notices


class Notices:
    """Remembers notices.

    Args:
        database: The open database.
        clock: Tells the time.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def is_due(
        self, kind: str, *, until: datetime, by: str, chat_id: int = 0, user_id: int = 0
    ) -> bool:
        """Decide whether to say something now; of many that ask at once, one may.

        Args:
            kind: What would be said.
            until: When it may be said again.
            by: The work that would say it. Asked again by the same work (after a kill), the answer stays
                the same, so that a notice is neither lost nor repeated.
            chat_id: The chat it is said in; 0: any.
            user_id: Whom it is said to; 0: anybody.

        Raises:
            StorageError: the database cannot be used.
        """
        now = self._clock()
        row = {"said_by": by, "said_at": now, "ends_at": until}
        # A moment of saying that lies ahead: the clock was set back since, and the window means nothing.
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
        """Delete the notices whose window is over, and return how many."""
        async with self._database.writing() as connection:
            done = await connection.execute(sa.delete(notices).where(notices.c.ends_at <= self._clock()))
        return done.rowcount
