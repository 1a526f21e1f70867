"""Lists the conversations that are stored, with figures, and turns their pages."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

import sqlalchemy as sa

from bot.conversations.values import ConversationFigures, Message, MessageId
from bot.storage.conversations import from_row, known_label, storable
from bot.storage.database import Database
from bot.storage.tables import conversations, messages
from rag.values import Label


class StoredFigures:
    """Reads what administrators see of conversations, nothing erased. Every method raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def list(self, limit: int, before: int | None = None) -> tuple[ConversationFigures, ...]:
        """Return conversations with messages, the one with the latest message first.

        For a further page, the ids of their latest messages must be smaller than `before`.
        """
        last = sa.func.max(messages.c.id)
        newest = sa.select(messages.c.conversation_id, last.label("last")).group_by(
            messages.c.conversation_id
        )
        if before is not None:
            newest = newest.having(last < before)
        async with self._database.reading() as connection:
            found = (await connection.execute(newest.order_by(last.desc()).limit(limit))).all()
            ids = [row.conversation_id for row in found]
            counted = (
                await connection.execute(
                    sa.select(
                        messages.c.conversation_id,
                        sa.func.max(messages.c.created_at).label("last_at"),
                        sa.func.count().filter(messages.c.role == "user").label("questions"),
                        sa.func.count(messages.c.user_key.distinct()).label("people"),
                    )
                    .where(messages.c.conversation_id.in_(ids))
                    .group_by(messages.c.conversation_id)
                )
            ).all()
            labelled = (
                await connection.execute(
                    sa.select(messages.c.conversation_id, messages.c.label, sa.func.count().label("answers"))
                    .where(messages.c.conversation_id.in_(ids), messages.c.label.is_not(None))
                    .group_by(messages.c.conversation_id, messages.c.label)
                )
            ).all()
        labels = {each: Counter[Label]() for each in ids}
        for row in labelled:
            labels[row.conversation_id][known_label(row.label)] += row.answers
        sums = {row.conversation_id: row for row in counted}
        return tuple(
            ConversationFigures(
                row.conversation_id,
                MessageId(row.last),
                sums[row.conversation_id].last_at,
                sums[row.conversation_id].questions,
                sums[row.conversation_id].people,
                labels[row.conversation_id],
            )
            for row in found
            # Its last message was erased between the two queries.
            if row.conversation_id in sums
        )

    async def titles(self, prefix: str) -> Mapping[str, str]:
        """Return the titles of the conversations whose keys begin so, the latest one first.

        One that nobody has named has its first question as its title.
        """
        spans = (
            sa.select(sa.func.min(messages.c.id).label("first"), sa.func.max(messages.c.id).label("last"))
            .where(messages.c.conversation_id.startswith(prefix, autoescape=True), messages.c.role == "user")
            .group_by(messages.c.conversation_id)
            .subquery()
        )
        title = sa.func.coalesce(conversations.c.title, messages.c.text).label("title")
        query = (
            sa.select(conversations.c.id, title)
            .join(messages, messages.c.conversation_id == conversations.c.id)
            .join(spans, messages.c.id == spans.c.first)
            .order_by(spans.c.last.desc())
        )
        return {row.id: row.title for row in await self._database.rows(query)}

    async def rename(self, conversation_id: str, title: str) -> None:
        """Give a conversation a title of at most 200 characters; an empty one takes it away."""
        named = sa.update(conversations).where(conversations.c.id == conversation_id)
        await self._database.change(named.values(title=storable(title) or None))

    async def messages(
        self, conversation_id: str, limit: int, before: int | None = None
    ) -> tuple[Message, ...]:
        """Return a page of a conversation, oldest message first: the last one, or the one before an id."""
        query = sa.select(messages).where(messages.c.conversation_id == conversation_id)
        if before is not None:
            query = query.where(messages.c.id < before)
        rows = await self._database.rows(query.order_by(messages.c.id.desc()).limit(limit))
        return tuple(from_row(row) for row in reversed(rows))
