"""Document sets in the database: the patterns of each set, and the set of each chat."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.service.given_answers import folder_of
from bot.service.keys import PeerId
from bot.storage.chats import current_id
from bot.storage.conversations import storable
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import chat_documents, chats, document_sets
from rag.values import DocumentSet


class StoredDocumentSets:
    """Reads and writes document sets. Every method raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def of_chat(self, chat_id: PeerId) -> DocumentSet | None:
        """Return the set that a chat is answered from; None means all documents."""
        async with self._database.reading() as connection:
            row = (
                await connection.execute(
                    sa.select(document_sets.c.name, document_sets.c.patterns)
                    .join(chat_documents, chat_documents.c.set_name == document_sets.c.name)
                    .where(chat_documents.c.chat_id == await current_id(connection, chat_id))
                )
            ).one_or_none()
        if row is None:
            return None
        # What administrators answered in the set's chats belongs to it as well.
        return DocumentSet((*json.loads(row.patterns), folder_of(row.name)))

    async def name_of_chat(self, chat_id: PeerId) -> str:
        """Return the name of the set that a chat is answered from; empty: from all documents."""
        async with self._database.reading() as connection:
            chat_id = await current_id(connection, chat_id)
            query = sa.select(chat_documents.c.set_name).where(chat_documents.c.chat_id == chat_id)
            return await connection.scalar(query) or ""

    async def all(self) -> Mapping[str, DocumentSet]:
        """Return the sets by name."""
        rows = await self._database.rows(sa.select(document_sets).order_by(document_sets.c.name))
        return {row.name: DocumentSet(tuple(json.loads(row.patterns))) for row in rows}

    async def uses(self) -> Mapping[PeerId, tuple[str, str]]:
        """Return the name of the set and the chat's title, for each chat with a set, by the chat's id."""
        query = sa.select(chat_documents, chats.c.title).join(
            chats, chats.c.id == chat_documents.c.chat_id, isouter=True
        )
        rows = await self._database.rows(query.order_by(chat_documents.c.chat_id))
        return {row.chat_id: (row.set_name, row.title or "") for row in rows}

    async def make(self, name: str, patterns: Sequence[str]) -> None:
        """Create a set, or replace the patterns of an existing one."""
        values = {"patterns": json.dumps([storable(pattern) for pattern in patterns], ensure_ascii=False)}
        async with self._database.writing() as connection:
            await connection.execute(
                insert(connection, document_sets)
                .values(name=storable(name), **values)
                .on_conflict_do_update(index_elements=[document_sets.c.name], set_=values)
            )

    async def drop(self, name: str) -> bool:
        """Delete a set that no chat uses, and return whether it was deleted."""
        async with self._database.writing() as connection:
            used = sa.select(chat_documents.c.set_name).where(chat_documents.c.set_name == name).limit(1)
            if await connection.scalar(used) is not None:
                return False
            await connection.execute(sa.delete(document_sets).where(document_sets.c.name == name))
            return True

    async def assign(self, chat_id: PeerId, name: str | None) -> bool:
        """Set the document set of a chat (None: all documents), and return whether the set exists."""
        async with self._database.writing() as connection:
            chat_id = await current_id(connection, chat_id)
            if name is None:
                await connection.execute(sa.delete(chat_documents).where(chat_documents.c.chat_id == chat_id))
                return True
            return await _assign(connection, chat_id, name)


async def _assign(connection: AsyncConnection, chat_id: PeerId, name: str) -> bool:
    known = sa.select(document_sets.c.name).where(document_sets.c.name == name).with_for_update()
    if await connection.scalar(known) is None:
        return False
    await connection.execute(
        insert(connection, chat_documents)
        .values(chat_id=chat_id, set_name=name)
        .on_conflict_do_update(index_elements=[chat_documents.c.chat_id], set_={"set_name": name})
    )
    return True
