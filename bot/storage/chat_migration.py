"""Moves all stored data of a group to the new id that it gets as a supergroup.

To add a table whose rows name chats: move its rows here, and add the table to the test that moves all of
them.
"""

from __future__ import annotations

from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.service import keys
from bot.service.keys import PeerId
from bot.storage.dialects import insert
from bot.storage.tables import (
    arrivals,
    asked,
    asks,
    chat_documents,
    chats,
    confirmations,
    conversations,
    messages,
    notices,
    passed_messages,
    passed_questions,
    runs,
    sent_messages,
    spent,
    summaries,
)


async def move_chat(connection: AsyncConnection, old_id: PeerId, new_id: PeerId, now: datetime) -> bool:
    """Move a chat's rows, inside the transaction of `connection`; return whether it is the first such move.

    Rows that a job writes under the old id afterwards are moved by the next call.
    """
    if old_id == new_id:
        return False
    is_first = await _move_row(connection, old_id, new_id, now)
    await _move_conversations(connection, old_id, new_id, now)
    # Message ids are different in the new chat, where an edit by an old id could change another message.
    await connection.execute(
        sa.update(asks)
        .where(asks.c.chat_id == old_id)
        .values(chat_id=new_id, message_id=None, placeholder_id=None)
    )
    await connection.execute(
        sa.update(passed_questions)
        .where(passed_questions.c.chat_id == old_id)
        .values(
            chat_id=new_id,
            message_id=None,
            conversation_id=sa.func.replace(
                passed_questions.c.conversation_id,
                keys.conversations_of(old_id),
                keys.conversations_of(new_id),
            ),
        )
    )
    await connection.execute(sa.delete(passed_messages).where(passed_messages.c.chat_id == old_id))
    await connection.execute(sa.delete(sent_messages).where(sent_messages.c.chat_id == old_id))
    for table in (arrivals, confirmations):
        await connection.execute(sa.update(table).where(table.c.chat_id == old_id).values(chat_id=new_id))
    await _move_notices(connection, old_id, new_id)
    await _move_documents(connection, old_id, new_id)
    await _move_spent(connection, old_id, new_id)
    return is_first


async def _move_row(connection: AsyncConnection, old_id: PeerId, new_id: PeerId, now: datetime) -> bool:
    for chat_id in (old_id, new_id):
        new = {"id": chat_id, "kind": "group", "title": "", "is_active": True, "created_at": now}
        await connection.execute(insert(connection, chats).values(new).on_conflict_do_nothing())
    # Rows are locked in the order of ids, so that two simultaneous moves wait instead of deadlocking.
    locked = sa.select(chats).where(chats.c.id.in_((old_id, new_id))).order_by(chats.c.id).with_for_update()
    rows = {row.id: row for row in await connection.execute(locked)}
    old, new_row = rows[old_id], rows[new_id]
    is_first: bool = old.migrated_to != new_id
    if is_first:
        await connection.execute(
            sa.update(chats)
            .where(chats.c.id == new_id)
            .values(
                title=new_row.title or old.title,
                # A decision about the new chat is the newer one and wins; but a refusal is never lost by a
                # move.
                access="denied" if old.access == "denied" else new_row.access or old.access,
                mode=new_row.mode or old.mode,
                model=new_row.model or old.model,
                documents_only=(
                    old.documents_only if new_row.documents_only is None else new_row.documents_only
                ),
                council=new_row.council or old.council,
                # The new id is now the current one; an earlier move away from it would form a circle.
                migrated_to=None,
            )
        )
    await connection.execute(
        sa.update(chats).where(chats.c.id == old_id).values(migrated_to=new_id, is_active=False)
    )
    return is_first


async def _move_conversations(
    connection: AsyncConnection, old_id: PeerId, new_id: PeerId, now: datetime
) -> None:
    prefix = keys.conversations_of(old_id)
    found = await connection.scalars(
        sa.select(conversations.c.id).where(conversations.c.id.startswith(prefix, autoescape=True))
    )
    for old in found.all():
        new = keys.conversations_of(new_id) + old.removeprefix(prefix)
        await connection.execute(
            insert(connection, conversations).values(id=new, created_at=now).on_conflict_do_nothing()
        )
        # The new chat's summary would seem to cover the older messages that are moved in before it.
        await connection.execute(sa.delete(summaries).where(summaries.c.conversation_id == new))
        for table in (messages, summaries, asked):
            await connection.execute(
                sa.update(table).where(table.c.conversation_id == old).values(conversation_id=new)
            )
        await connection.execute(sa.delete(conversations).where(conversations.c.id == old))
    # A run has its conversation's key before its first message is stored.
    moved = keys.conversations_of(new_id) + sa.func.substr(runs.c.conversation_id, len(prefix) + 1)
    await connection.execute(
        sa.update(runs)
        .where(runs.c.conversation_id.startswith(prefix, autoescape=True))
        .values(conversation_id=moved)
    )


async def _move_documents(connection: AsyncConnection, old_id: PeerId, new_id: PeerId) -> None:
    """Move a chat's document set, unless another set was chosen in the new chat since."""
    there = sa.select(chat_documents.c.chat_id).where(chat_documents.c.chat_id == new_id)
    if await connection.scalar(there) is not None:
        await connection.execute(sa.delete(chat_documents).where(chat_documents.c.chat_id == old_id))
    await connection.execute(
        sa.update(chat_documents).where(chat_documents.c.chat_id == old_id).values(chat_id=new_id)
    )


async def _move_notices(connection: AsyncConnection, old_id: PeerId, new_id: PeerId) -> None:
    there = sa.select(notices.c.kind, notices.c.user_id).where(notices.c.chat_id == new_id)
    await connection.execute(
        sa.delete(notices).where(
            notices.c.chat_id == old_id,
            sa.tuple_(notices.c.kind, notices.c.user_id).in_(there),
        )
    )
    await connection.execute(sa.update(notices).where(notices.c.chat_id == old_id).values(chat_id=new_id))


async def _move_spent(connection: AsyncConnection, old_id: PeerId, new_id: PeerId) -> None:
    for row in (await connection.execute(sa.select(spent).where(spent.c.chat_id == old_id))).all():
        adding = insert(connection, spent).values(
            day=row.day, chat_id=new_id, user_id=row.user_id, tokens=row.tokens
        )
        await connection.execute(
            adding.on_conflict_do_update(
                index_elements=list(spent.primary_key),
                set_={"tokens": spent.c.tokens + adding.excluded.tokens},
            )
        )
    await connection.execute(sa.delete(spent).where(spent.c.chat_id == old_id))
