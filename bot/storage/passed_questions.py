"""Questions that were passed on to the people who know, in the database."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa

from bot.clock import utcnow
from bot.service.incoming import Place
from bot.service.keys import PeerId, is_group
from bot.service.passed_questions import PassedQuestion
from bot.storage.chats import current_id
from bot.storage.conversations import withdrawal
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import passed_messages, passed_questions

_ALL = sa.select(passed_questions)


class StoredPassedQuestions:
    """Implements `bot.service.passed_questions.Store`. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def make(self, new: PassedQuestion, exchange: str) -> tuple[PassedQuestion, bool]:
        """Keep a question, its number aside; return it, and whether it is new for this exchange."""
        names = ("person", "conversation_id", "message_id", "run_id", "question", "answer", "set_name")
        values = {name: getattr(new, name) for name in names}
        values |= {"exchange": exchange, "thread_id": new.place.thread_id}
        values |= dict.fromkeys(("asked_at", "told_at"), new.asked_at)
        async with self._database.writing() as connection:
            values["chat_id"] = await current_id(connection, new.place.chat_id)
            making = insert(connection, passed_questions).values(values)
            done = await connection.execute(
                making.on_conflict_do_nothing(index_elements=[passed_questions.c.exchange])
            )
            row = await connection.execute(_ALL.where(passed_questions.c.exchange == exchange))
        return _from_row(row.one()), done.rowcount > 0

    async def get(self, number: int) -> PassedQuestion | None:
        """Return a question."""
        return await self._one(passed_questions.c.number == number)

    async def shown_in(self, chat_id: PeerId, message_id: int) -> PassedQuestion | None:
        """Return the question that a message shows; `is_named` is what holds for a reply to this message."""
        shown = sa.and_(passed_messages.c.chat_id == chat_id, passed_messages.c.message_id == message_id)
        rows = await self._database.rows(sa.select(passed_messages).where(shown))
        found = await self.get(rows[0].number) if rows else None
        return None if found is None else replace(found, is_named=rows[0].is_named)

    async def messages(self, number: int) -> tuple[tuple[PeerId, int], ...]:
        """Return the chat and the id of every message that shows a question to those who know."""
        rows = await self._database.rows(sa.select(passed_messages).where(passed_messages.c.number == number))
        return tuple((row.chat_id, row.message_id) for row in rows)

    async def add_message(
        self, number: int, chat_id: PeerId, message_id: int, is_named: bool | None = None
    ) -> None:
        """Note a message that shows a question to those who know; once is enough."""
        shown = (sa.literal(chat_id), sa.literal(message_id, sa.BigInteger), sa.literal(is_named, sa.Boolean))
        row = sa.select(*shown, passed_questions.c.number).where(passed_questions.c.number == number)
        async with self._database.writing() as connection:
            await connection.execute(
                insert(connection, passed_messages)
                .from_select(["chat_id", "message_id", "is_named", "number"], row)
                .on_conflict_do_nothing(index_elements=list(passed_messages.primary_key))
            )

    async def reply(
        self, number: int, text: str, by: PeerId, work: str, *, is_named: bool | None = None
    ) -> PassedQuestion | None:
        """Keep the first reply; return the question, or None where other work has brought a reply."""
        await self._database.change(
            sa.update(passed_questions)
            .where(passed_questions.c.number == number, passed_questions.c.reply.is_(None))
            .values(reply=text, replied_by=by, replied_in=work, is_named=is_named)
        )
        return await self._one(
            sa.and_(passed_questions.c.number == number, passed_questions.c.replied_in == work)
        )

    async def withdraw(self, run_id: str) -> None:
        """Withdraw the question whose reply a run waits for; one that is answered stays."""
        waits = sa.and_(passed_questions.c.run_id == run_id, passed_questions.c.reply.is_(None))
        await self._database.change(withdrawal(waits))

    async def open(self) -> tuple[PassedQuestion, ...]:
        """Return the questions without a reply, the oldest first."""
        query = _ALL.where(passed_questions.c.reply.is_(None)).order_by(passed_questions.c.number)
        return tuple(map(_from_row, await self._database.rows(query)))

    async def take_due(self, before: datetime) -> tuple[PassedQuestion, ...]:
        """Return the open questions that experts were last asked before this moment, as asked now."""
        due = sa.and_(passed_questions.c.reply.is_(None), passed_questions.c.told_at <= before)
        told = sa.update(passed_questions).where(due).values(told_at=self._clock())
        async with self._database.writing() as connection:
            return tuple(map(_from_row, await connection.execute(told.returning(*passed_questions.c))))

    async def prune(self, age: timedelta) -> tuple[str, ...]:
        """Delete the questions that were asked longer ago; return the runs that wait for a reply to them."""
        old = sa.delete(passed_questions).where(passed_questions.c.asked_at <= self._clock() - age)
        async with self._database.writing() as connection:
            runs = (await connection.scalars(old.returning(passed_questions.c.run_id))).all()
        return tuple(filter(None, runs))

    async def _one(self, condition: sa.ColumnElement[bool]) -> PassedQuestion | None:
        row = await self._database.row(_ALL.where(condition))
        return _from_row(row) if row else None


def _from_row(row: sa.Row[Any]) -> PassedQuestion:
    return PassedQuestion(
        row.number,
        row.person,
        row.conversation_id,
        Place(row.chat_id, "group" if is_group(row.chat_id) else "private", row.thread_id),
        row.message_id,
        row.run_id,
        row.question,
        row.answer,
        row.set_name,
        row.asked_at,
        row.reply or "",
        row.replied_by,
        row.is_named,
    )
