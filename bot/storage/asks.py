"""Questions from chats and where their answers stand: one row for each message that asks."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service.incoming import Asked
from bot.service.keys import PeerId
from bot.service.people import OPEN_STATES, Ask, AskId, AskState
from bot.storage.chats import current_id
from bot.storage.columns import PEER
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import ask_messages, asks


class Asks:
    """Reads and writes questions. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def accept(self, asked: Asked, workflow_id: str, state: AskState = "queued") -> Ask:
        """Keep a question; repeated by the same work, nothing changes.

        A message that was edited, and not at an earlier time, is asked again by other work: its row stays, so
        that its placeholder and buttons do, and belongs to the new work from now on. A message of a group
        that has moved since is no message there: its id may be another one's.
        """
        message = asked.message
        async with self._database.writing() as connection:
            chat_id = await current_id(connection, message.place.chat_id)
            changed = {
                "workflow_id": workflow_id,
                "state": state,
                "fingerprint": asked.fingerprint,
                "asked_at": message.sent_at,
                "answered_id": None,
            }
            new = {
                "chat_id": chat_id,
                "thread_id": message.place.thread_id or 0,
                "message_id": message.message_id if chat_id == message.place.chat_id else None,
                "user_id": message.sender.id,
            }
            if new["message_id"] is None:
                mine = sa.select(asks).where(asks.c.workflow_id == workflow_id)
                if (await connection.execute(mine)).one_or_none() is None:
                    await connection.execute(sa.insert(asks).values({**new, **changed}))
                return _from_row((await connection.execute(mine)).one())
            written = await connection.execute(
                insert(connection, asks)
                .values({**new, **changed})
                .on_conflict_do_update(
                    index_elements=[asks.c.chat_id, asks.c.message_id],
                    set_=changed,
                    # Times are whole seconds: the first text may seem as new as an edit that came soon.
                    where=sa.and_(
                        sa.true() if message.is_edit else sa.false(),
                        asks.c.workflow_id != workflow_id,
                        asks.c.asked_at <= message.sent_at,
                    ),
                )
                .returning(*asks.c)
            )
            row = written.one_or_none()
            if row is None:  # the stored text is as new as this one
                row = (await connection.execute(_select_by_message(chat_id, message.message_id))).one()
        return _from_row(row)

    async def get(self, ask_id: AskId) -> Ask | None:
        """Return the question whose buttons carry this id."""
        return await self._one(sa.select(asks).where(asks.c.id == ask_id))

    async def find_by_workflow(self, workflow_id: str) -> Ask | None:
        """Return the question that this work answers; None for the work of a text that was edited since."""
        return await self._one(sa.select(asks).where(asks.c.workflow_id == workflow_id))

    async def find_by_message(self, chat_id: PeerId, message_id: int) -> Ask | None:
        """Return the question that this message asks."""
        return await self._one(_select_by_message(chat_id, message_id))

    async def find_by_answer(self, chat_id: PeerId, message_id: int) -> Ask | None:
        """Return the question that this message of the bot answers, or that it is the placeholder of."""
        answers = sa.select(ask_messages.c.ask_id).where(
            ask_messages.c.chat_id == chat_id, ask_messages.c.message_id == message_id
        )
        return await self._one(sa.select(asks).where(asks.c.id.in_(answers)))

    async def latest(self, chat_id: PeerId, thread_id: int | None) -> Ask | None:
        """Return the newest answered question of a chat and topic."""
        answered = _lane(chat_id, thread_id).where(asks.c.state == "answered")
        return await self._one(answered.order_by(asks.c.asked_at.desc(), asks.c.id.desc()).limit(1))

    async def messages(self, ask_id: AskId) -> tuple[int, ...]:
        """Return the ids of the messages that hold the answer, the placeholder among them, in their order.

        Those that stayed behind when the group moved are not among them.
        """
        here = sa.and_(asks.c.id == ask_messages.c.ask_id, asks.c.chat_id == ask_messages.c.chat_id)
        query = sa.select(ask_messages.c.message_id).join(asks, here).where(ask_messages.c.ask_id == ask_id)
        rows = await self._database.rows(query.order_by(ask_messages.c.message_id))
        return tuple(row.message_id for row in rows)

    async def open_in(self, chat_id: PeerId, thread_id: int | None) -> tuple[Ask, ...]:
        """Return what is being answered or waits in a chat and topic, in its order."""
        return await self._open_in(chat_id, asks.c.thread_id == (thread_id or 0))

    async def open_in_chat(self, chat_id: PeerId) -> tuple[Ask, ...]:
        """Return what is being answered or waits in any topic of a chat."""
        return await self._open_in(chat_id)

    async def is_amid_others(self, ask: Ask) -> bool:
        """Return whether another question of the chat is open, or was answered below this one."""
        is_amid = sa.or_(asks.c.state.in_(OPEN_STATES), ask_messages.c.message_id > ask.message_id)
        others = sa.select(asks.c.id).outerjoin(ask_messages, ask_messages.c.ask_id == asks.c.id)
        query = others.where(asks.c.chat_id == ask.chat_id, asks.c.id != ask.id, is_amid).limit(1)
        return await self._database.value(query) is not None

    async def open_of(self, user_id: PeerId) -> tuple[Ask, ...]:
        """Return what a person waits for, in any chat."""
        query = sa.select(asks).where(asks.c.user_id == user_id, asks.c.state.in_(OPEN_STATES))
        return await self._many(query)

    async def set_state(self, ask_id: AskId, state: AskState) -> None:
        """Note where the answer stands."""
        await self._set(ask_id, {"state": state})

    async def set_answered(self, ask_id: AskId, answered_id: str) -> None:
        """Note that it was answered, and under which id the answer is kept."""
        await self._set(ask_id, {"state": "answered", "answered_id": answered_id, "placeholder_id": None})

    async def set_placeholder(self, ask_id: AskId, chat_id: PeerId, message_id: int) -> None:
        """Note the message that shows that an answer is on its way, and is to become it.

        In a group that has moved since it has stayed behind, and another message may have its number.
        """
        async with self._database.together():
            await self._database.change(
                sa.update(asks)
                .where(asks.c.id == ask_id, asks.c.chat_id == chat_id)
                .values(placeholder_id=message_id)
            )
            await self.add_message(ask_id, chat_id, message_id)

    async def add_message(self, ask_id: AskId, chat_id: PeerId, message_id: int) -> None:
        """Note a message that holds a part of the answer; once is enough."""
        # Of a question that is still there; it may have been erased meanwhile.
        row = sa.select(sa.literal(chat_id, PEER), sa.literal(message_id, sa.BigInteger), asks.c.id).where(
            asks.c.id == ask_id
        )
        async with self._database.writing() as connection:
            await connection.execute(
                insert(connection, ask_messages)
                .from_select(["chat_id", "message_id", "ask_id"], row)
                .on_conflict_do_update(index_elements=list(ask_messages.primary_key), set_={"ask_id": ask_id})
            )

    async def prune(self, age: timedelta) -> int:
        """Forget questions older than `age` that nobody waits for; their buttons say so. Return how many."""
        return await self._database.change(
            sa.delete(asks).where(asks.c.asked_at < self._clock() - age, asks.c.state.not_in(OPEN_STATES))
        )

    async def expire(self, age: timedelta, is_at_work: Callable[[str], Awaitable[bool]]) -> int:
        """Close open questions older than `age` that nobody works on, so that no other waits behind them.

        The record of the work may have been lost or put back to an earlier day. Returns how many were closed.
        """
        query = sa.select(asks).where(asks.c.state.in_(OPEN_STATES), asks.c.asked_at < self._clock() - age)
        left = [ask for ask in await self._many(query) if not await is_at_work(ask.workflow_id)]
        for ask in left:
            await self.set_state(ask.id, "expired")
        return len(left)

    async def _set(self, ask_id: AskId, values: dict[str, object]) -> None:
        await self._database.change(sa.update(asks).where(asks.c.id == ask_id).values(values))

    async def _open_in(self, chat_id: PeerId, *more: sa.ColumnElement[bool]) -> tuple[Ask, ...]:
        async with self._database.reading() as connection:
            chat_id = await current_id(connection, chat_id)
            query = sa.select(asks).where(asks.c.chat_id == chat_id, asks.c.state.in_(OPEN_STATES), *more)
            rows = (await connection.execute(query.order_by(asks.c.asked_at, asks.c.id))).all()
        return tuple(_from_row(row) for row in rows)

    async def _one(self, query: sa.Select[Any]) -> Ask | None:
        row = await self._database.row(query)
        return _from_row(row) if row else None

    async def _many(self, query: sa.Select[Any]) -> tuple[Ask, ...]:
        rows = await self._database.rows(query.order_by(asks.c.asked_at, asks.c.id))
        return tuple(_from_row(row) for row in rows)


def _select_by_message(chat_id: PeerId, message_id: int) -> sa.Select[Any]:
    return sa.select(asks).where(asks.c.chat_id == chat_id, asks.c.message_id == message_id)


def _lane(chat_id: PeerId, thread_id: int | None) -> sa.Select[Any]:
    return sa.select(asks).where(asks.c.chat_id == chat_id, asks.c.thread_id == (thread_id or 0))


def _from_row(row: sa.Row[Any]) -> Ask:
    return Ask(
        AskId(row.id),
        row.workflow_id,
        row.chat_id,
        row.thread_id or None,
        row.message_id,
        row.user_id,
        row.state,
        row.fingerprint,
        row.asked_at,
        row.placeholder_id,
        row.answered_id,
    )
