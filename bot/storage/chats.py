"""Chats in the database: what was chosen there, who may ask there, and where a chat has gone."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import utcnow
from bot.service import keys
from bot.service.incoming import Place, PlaceKind
from bot.service.keys import PeerId
from bot.service.people import Chat, Decision
from bot.storage.chat_migration import move_chat
from bot.storage.conversations import storable
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import chats
from rag.values import MODES, Mode

_MOST_MOVES = 10
"""How often a chat can have moved; a supergroup never moves again, so more means a circle."""


class Chats:
    """Reads and writes chats, also by an id that a chat no longer has. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def seen(self, place: Place) -> Chat:
        """Note that something came from this chat: it is active, and has this title."""
        async with self._database.writing() as connection:
            chat_id = await current_id(connection, place.chat_id)
            values = {"kind": place.kind, "title": storable(place.title), "is_active": True}
            return await self._write(connection, chat_id, values)

    async def get(self, chat_id: PeerId) -> Chat:
        """Return what is kept of a chat; of an unknown one, nothing but its id."""
        async with self._database.reading() as connection:
            return await _read(connection, chat_id)

    async def current_id(self, chat_id: PeerId) -> PeerId:
        """Return the id that the chat has today."""
        if not keys.is_group(chat_id):
            return chat_id
        async with self._database.reading() as connection:
            return await current_id(connection, chat_id)

    async def first_id(self, chat_id: PeerId) -> PeerId:
        """Return the id that the chat had at first."""
        async with self._database.reading() as connection:
            return await first_id(connection, chat_id)

    async def groups(self, limit: int) -> tuple[Chat, ...]:
        """Return the groups that have the bot or about which something was decided, the newest first."""
        mine = sa.and_(is_group(chats.c.id), sa.or_(chats.c.is_active, chats.c.access.is_not(None)))
        query = sa.select(chats).where(mine, chats.c.migrated_to.is_(None))
        rows = await self._database.rows(query.order_by(chats.c.created_at.desc()).limit(limit))
        return tuple(_from_row(row) for row in rows)

    async def set_active(self, chat_id: PeerId, *, is_active: bool) -> None:
        """Note that the bot can, or can no longer, write there."""
        await self._set(chat_id, {"is_active": is_active})

    async def deactivate(self, chat_id: PeerId) -> None:
        """Note that the bot was blocked or removed; the next message from there revives the chat."""
        await self.set_active(chat_id, is_active=False)

    async def set_access(self, chat_id: PeerId, decision: Decision | None) -> None:
        """Keep what an administrator decided about the chat; None: the setting decides again."""
        await self._set(chat_id, {"access": decision})

    async def set_mode(self, chat_id: PeerId, mode: Mode | None) -> None:
        """Keep how the chat wants its answers; None: as the setting says."""
        await self._set(chat_id, {"mode": mode})

    async def set_model(self, chat_id: PeerId, name: str) -> None:
        """Store the model that writes answers in the chat; empty: as the settings say."""
        await self._set(chat_id, {"model": name or None})

    async def set_documents_only(self, chat_id: PeerId, *, is_on: bool) -> None:
        """Keep whether documents alone may answer in the chat."""
        await self._set(chat_id, {"documents_only": is_on})

    async def set_council(self, chat_id: PeerId, *, is_on: bool) -> None:
        """Keep whether the council may be asked there."""
        await self._set(chat_id, {"council": "on" if is_on else "off"})

    async def migrate(self, old_id: PeerId, new_id: PeerId) -> bool:
        """Move all that is kept of a chat to its new id, or nothing; return whether this call was the first.

        Telegram tells a move several times (in both chats, and as an error), so a repetition changes nothing.
        """
        async with self._database.writing() as connection:
            return await move_chat(connection, old_id, new_id, self._clock())

    async def _set(self, chat_id: PeerId, values: dict[str, object]) -> None:
        async with self._database.writing() as connection:
            await self._write(connection, await current_id(connection, chat_id), values)

    async def _write(self, connection: AsyncConnection, chat_id: PeerId, values: dict[str, object]) -> Chat:
        new = {
            "id": chat_id,
            "kind": _kind(chat_id),
            "title": "",
            "is_active": True,
            "created_at": self._clock(),
        }
        written = await connection.execute(
            insert(connection, chats)
            .values({**new, **values})
            .on_conflict_do_update(index_elements=[chats.c.id], set_=values)
            .returning(*chats.c)
        )
        return _from_row(written.one())


def is_group(chat_id: sa.Column[PeerId]) -> sa.ColumnElement[bool]:
    """Return the condition that a column holds the id of a chat of several people: `keys.is_group` as SQL."""
    return sa.or_(chat_id.like("%:-%"), chat_id.like("matrix:!%"))


async def current_id(connection: AsyncConnection, chat_id: PeerId) -> PeerId:
    """Follow a chat to the id that it has today; a private chat keeps its id."""
    if not keys.is_group(chat_id):
        return chat_id
    return (await _read(connection, chat_id)).id


async def first_id(connection: AsyncConnection, chat_id: PeerId) -> PeerId:
    """Follow a chat back to the id that it had at first."""
    for _ in range(_MOST_MOVES):
        before = sa.select(chats.c.id).where(chats.c.migrated_to == chat_id).order_by(chats.c.id)
        moved_from = await connection.scalar(before.limit(1))
        if moved_from is None:
            break
        chat_id = moved_from
    return chat_id


async def _read(connection: AsyncConnection, chat_id: PeerId) -> Chat:
    """Read a chat, by the id that it has today or had before."""
    row = None
    for _ in range(_MOST_MOVES + 1):
        row = (await connection.execute(sa.select(chats).where(chats.c.id == chat_id))).one_or_none()
        if row is None or row.migrated_to is None:
            break
        chat_id = row.migrated_to
    return _from_row(row) if row else Chat(chat_id, _kind(chat_id))


def _kind(chat_id: PeerId) -> PlaceKind:
    # A group or a channel of a messenger: which of the two it is shows with the next message.
    return "group" if keys.is_group(chat_id) else "private"


def _from_row(row: sa.Row[Any]) -> Chat:
    # A mode that only another version knows is as good as none.
    mode = row.mode if row.mode in MODES else None
    return Chat(
        row.id,
        row.kind,
        row.title,
        row.is_active,
        row.access,
        mode,
        row.council != "off",
        row.model or "",
        row.documents_only,
    )
