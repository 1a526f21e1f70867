"""Requests for access in the database: one row a stranger, of the newest request."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import utcnow
from bot.service.access_requests import AccessRequest, Outcome, RequestStatus
from bot.service.keys import PeerId
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import access_request_messages, access_requests

_DAY = timedelta(days=1)


class StoredAccessRequests:
    """Reads and writes requests for access. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def make(
        self, user_id: PeerId, *, by: str, again_after: timedelta, most_a_day: int
    ) -> RequestStatus:
        """Keep that a stranger asks for access, unless this was passed on a short time ago.

        Args:
            by: The work that asks; made again by the same work, the outcome stays.
            again_after: How long one request of a stranger stands for all that follow.
            most_a_day: Requests of all strangers within 24 hours.
        """
        now = self._clock()
        async with self._database.writing() as connection:
            found = await _found(connection, user_id)
            if found is not None and found.asked_by == by:
                return "new"
            # A moment that lies ahead: the clock was set back since, and the window means nothing.
            if found is not None and now - again_after < found.asked_at <= now:
                return "declined" if found.outcome == "refused" else "waiting"
            recent = sa.select(sa.func.count()).where(
                access_requests.c.asked_at > now - _DAY, access_requests.c.asked_at <= now
            )
            if (await connection.scalar(recent) or 0) >= most_a_day:
                return "too many"
            row = {
                "asked_by": by,
                "asked_at": now,
                "outcome": None,
                "decided_by": None,
                "decided_in": None,
            }
            await connection.execute(
                insert(connection, access_requests)
                .values(user_id=user_id, **row)
                .on_conflict_do_update(index_elements=[access_requests.c.user_id], set_=row)
            )
        return "new"

    async def get(self, user_id: PeerId) -> AccessRequest | None:
        """Return the newest request of a stranger."""
        async with self._database.reading() as connection:
            row = await _found(connection, user_id)
        return None if row is None else AccessRequest(row.user_id, row.outcome, row.decided_by)

    async def decide(self, user_id: PeerId, outcome: Outcome, admin_id: PeerId, by: str) -> bool:
        """Decide about an open request; return whether the work named `by` made the decision.

        Of several administrators, the first one decides; for the same work the outcome stays.
        """
        mine = access_requests.c.user_id == user_id
        async with self._database.writing() as connection:
            await connection.execute(
                sa.update(access_requests)
                .where(mine, access_requests.c.outcome.is_(None))
                .values(outcome=outcome, decided_by=admin_id, decided_in=by)
            )
            row = await _found(connection, user_id)
        return row is not None and row.decided_in == by

    async def shown(self, user_id: PeerId, admin_id: PeerId, message_id: int) -> None:
        """Keep which message shows a request to an administrator."""
        async with self._database.writing() as connection:
            await connection.execute(
                insert(connection, access_request_messages)
                .values(user_id=user_id, admin_id=admin_id, message_id=message_id)
                .on_conflict_do_update(
                    index_elements=list(access_request_messages.primary_key),
                    set_={"message_id": message_id},
                )
            )

    async def messages(self, user_id: PeerId) -> tuple[tuple[PeerId, int], ...]:
        """Return the administrators and their messages that show a request."""
        columns = (access_request_messages.c.admin_id, access_request_messages.c.message_id)
        query = sa.select(*columns).where(access_request_messages.c.user_id == user_id)
        rows = await self._database.rows(query.order_by(access_request_messages.c.admin_id))
        return tuple((row.admin_id, row.message_id) for row in rows)

    async def prune(self, older_than: timedelta) -> int:
        """Delete the requests that were made longer ago than this, and return how many."""
        async with self._database.writing() as connection:
            old = access_requests.c.asked_at <= self._clock() - older_than
            done = await connection.execute(sa.delete(access_requests).where(old))
        return done.rowcount


async def _found(connection: AsyncConnection, user_id: PeerId) -> sa.Row[Any] | None:
    query = sa.select(access_requests).where(access_requests.c.user_id == user_id)
    return (await connection.execute(query)).one_or_none()
