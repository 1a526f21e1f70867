"""People in the database: their language, their access and their roles."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service import keys
from bot.service.incoming import Sender
from bot.service.keys import PeerId
from bot.service.people import Decision, GrantedRole, Person
from bot.storage.chats import is_group
from bot.storage.conversations import storable
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import users

_LONGEST_LANGUAGE: Final = 20
"""Maximum characters of a language in its column."""


class Users:
    """Reads and writes people. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def seen(self, sender: Sender) -> Person:
        """Note a person's present name and the language of the program in use; only persons are kept."""
        if sender.kind != "person":
            return Person(sender.id, sender.name)
        language = storable(sender.language)[:_LONGEST_LANGUAGE] or None
        return await self._write(sender.id, {"name": storable(sender.name), "client_language": language})

    async def get(self, user_id: PeerId) -> Person:
        """Return the stored person; for an unknown one, a value with nothing but the id."""
        row = await self._database.row(sa.select(users).where(users.c.id == user_id))
        return _from_row(row) if row else Person(user_id)

    async def set_language(self, user_id: PeerId, language: str | None) -> None:
        """Store the language (ISO 639-1) that this person chose; None means that of the person's program."""
        await self._write(user_id, {"language": language})

    async def set_access(self, user_id: PeerId, decision: Decision | None) -> None:
        """Store an administrator's decision about this person; None means that the settings decide."""
        await self._write(user_id, {"access": decision})

    async def set_role(self, user_id: PeerId, role: GrantedRole | None) -> None:
        """Give this person a role; None takes the role away."""
        await self._write(user_id, {"role": role})

    async def has_owner(self) -> bool:
        """Return whether the bot has an owner."""
        return bool(await self._database.value(sa.select(sa.exists().where(users.c.role == "owner"))))

    async def privileged(self) -> tuple[Person, ...]:
        """Return everybody who has a role, owners first."""
        query = sa.select(users).where(users.c.role.is_not(None))
        rows = await self._database.rows(query.order_by(users.c.role.desc(), users.c.name, users.c.id))
        return tuple(_from_row(row) for row in rows)

    async def known(self, limit: int) -> tuple[Person, ...]:
        """Return the people who have written or whom an administrator decided about, newest first."""
        query = (
            sa.select(users)
            .where(sa.not_(is_group(users.c.id)), users.c.id != keys.LOCAL_OWNER)
            .order_by(users.c.created_at.desc())
            .limit(limit)
        )
        return tuple(map(_from_row, await self._database.rows(query)))

    async def _write(self, user_id: PeerId, values: dict[str, object]) -> Person:
        new = {"id": user_id, "name": "", "created_at": self._clock()}
        async with self._database.writing() as connection:
            written = await connection.execute(
                insert(connection, users)
                .values({**new, **values})
                .on_conflict_do_update(index_elements=[users.c.id], set_=values)
                .returning(*users.c)
            )
            return _from_row(written.one())


def _from_row(row: sa.Row[Any]) -> Person:
    return Person(row.id, row.name, row.language, row.role, row.access, row.client_language or "")
