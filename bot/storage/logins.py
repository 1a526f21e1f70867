"""Login links, sessions and API tokens of the console, as hashes; erasing a person deletes them too."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime, timedelta

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service.keys import PeerId
from bot.service.logins import ApiToken, LoginKind
from bot.storage.conversations import storable
from bot.storage.database import Database
from bot.storage.tables import logins


class StoredLogins:
    """Implements `bot.service.logins.LoginStore`. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def add(
        self, kind: LoginKind, hashed: str, user_id: PeerId, lifetime: timedelta | None, name: str = ""
    ) -> None:
        """Store a secret's hash; without a lifetime it is valid until it is revoked."""
        now = self._clock()
        await self._database.change(
            sa.insert(logins).values(
                hash=hashed,
                kind=kind,
                user_id=user_id,
                name=storable(name),
                created_at=now,
                expires_at=None if lifetime is None else now + lifetime,
            )
        )

    async def find(self, kind: LoginKind, hashed: str) -> PeerId | None:
        """Return the id of the person whom a secret belongs to; None if the secret is unknown or expired."""
        query = sa.select(logins.c.user_id).where(self._is_good(kind, hashed))
        found: PeerId | None = await self._database.value(query)
        return found

    async def take(self, kind: LoginKind, hashed: str) -> PeerId | None:
        """Return the same as `find`, and delete the secret, so that it works only once."""
        taken = sa.delete(logins).where(self._is_good(kind, hashed)).returning(logins.c.user_id)
        async with self._database.writing() as connection:
            found: PeerId | None = await connection.scalar(taken)
        return found

    async def tokens(self) -> tuple[ApiToken, ...]:
        """Return the API tokens, newest first."""
        query = sa.select(logins).where(logins.c.kind == "token").order_by(logins.c.id.desc())
        rows = await self._database.rows(query)
        return tuple(ApiToken(row.id, row.user_id, row.name, row.created_at) for row in rows)

    async def revoke(self, token_id: int) -> bool:
        """Delete a token; return whether it existed."""
        mine = sa.and_(logins.c.id == token_id, logins.c.kind == "token")
        async with self._database.writing() as connection:
            return (await connection.execute(sa.delete(logins).where(mine))).rowcount > 0

    async def prune(self) -> int:
        """Delete expired secrets, and return how many."""
        return await self._database.change(sa.delete(logins).where(logins.c.expires_at <= self._clock()))

    def _is_good(self, kind: LoginKind, hashed: str) -> sa.ColumnElement[bool]:
        now = self._clock()
        lasts = sa.or_(logins.c.expires_at.is_(None), logins.c.expires_at > now)
        # After the clock was set back, a link would work for longer than its minutes.
        is_made = logins.c.created_at <= now if kind == "link" else sa.true()
        return sa.and_(logins.c.kind == kind, logins.c.hash == hashed, lasts, is_made)
