"""Stores commands that must be confirmed by the person who sent them."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service.keys import PeerId
from bot.service.people import Confirmation, Json
from bot.storage.chats import current_id
from bot.storage.database import Database
from bot.storage.tables import confirmations


class Confirmations:
    """Keeps commands to be confirmed once, within `lifetime`. Every method raises `StorageError`."""

    def __init__(
        self,
        database: Database,
        lifetime: timedelta = timedelta(minutes=10),
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._database = database
        self._lifetime = lifetime
        self._clock = clock

    async def ask(self, user_id: PeerId, chat_id: PeerId, command: Mapping[str, Json]) -> Confirmation:
        """Store a command until this person confirms it in this chat."""
        expires_at = self._clock() + self._lifetime
        async with self._database.writing() as connection:
            new_id = await connection.scalar(
                sa.insert(confirmations)
                .values(
                    user_id=user_id,
                    chat_id=await current_id(connection, chat_id),
                    command=json.dumps(command),
                    expires_at=expires_at,
                )
                .returning(confirmations.c.id)
            )
        assert new_id is not None  # RETURNING brings what was inserted
        return Confirmation(new_id, user_id, chat_id, command, expires_at)

    async def take(
        self, confirmation_id: int, *, user_id: PeerId, chat_id: PeerId, by: str
    ) -> Confirmation | None:
        """Use up a confirmation and return its command; None if it is another person's, used or expired.

        After a kill the job that will run the command (`by`) can take it again.
        """
        async with self._database.writing() as connection:
            mine = sa.and_(
                confirmations.c.id == confirmation_id,
                confirmations.c.user_id == user_id,
                confirmations.c.chat_id == await current_id(connection, chat_id),
            )
            is_free = sa.and_(confirmations.c.taken_by.is_(None), confirmations.c.expires_at > self._clock())
            await connection.execute(sa.update(confirmations).where(mine, is_free).values(taken_by=by))
            row = (
                await connection.execute(sa.select(confirmations).where(mine, confirmations.c.taken_by == by))
            ).one_or_none()
        if row is None:
            return None
        return Confirmation(row.id, row.user_id, row.chat_id, json.loads(row.command), row.expires_at)

    async def owner(self, confirmation_id: int) -> PeerId | None:
        """Return the id of the person who can confirm, or None when the confirmation is unknown."""
        query = sa.select(confirmations.c.user_id).where(confirmations.c.id == confirmation_id)
        owner: PeerId | None = await self._database.value(query)
        return owner

    async def prune(self) -> int:
        """Delete confirmations that expired at least a lifetime ago, and return how many."""
        return await self._database.change(
            sa.delete(confirmations).where(confirmations.c.expires_at <= self._clock() - self._lifetime)
        )
