"""Interviews in the database; implements `bot.service.interview_ports.Sessions`."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import local, utcnow
from bot.service.interview_values import Session, Stored, Used
from bot.storage.answered import spent_columns
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import interview_days, interview_events, interview_sessions, spending
from rag.interview.events import InterviewEvent, from_json, to_json
from rag.values import Usage

PURPOSE = "interview"
"""Name of the model calls of interviews in the statistics."""


class StoredInterviews:
    """Reads interviews and appends to their logs. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def create(self, session: Session, first: tuple[Stored, ...]) -> bool:
        """Store a new session with its first events; return whether the session is new."""
        async with self._database.writing() as connection:
            added = await connection.scalar(
                insert(connection, interview_sessions)
                .values(asdict(session))
                .on_conflict_do_nothing(index_elements=[interview_sessions.c.id])
                .returning(interview_sessions.c.id)
            )
            if added is None:
                return False
            for seq, stored in enumerate(first):
                await _insert(connection, session.id, seq, stored)
            await self._count(connection, session.owner, 1, Usage())
        return True

    async def get(self, owner: str, session_id: str) -> Session | None:
        """Return a person's session; None if it is unknown or belongs to another person."""
        return await self._one(
            sa.select(interview_sessions).where(
                interview_sessions.c.id == session_id, interview_sessions.c.owner == owner
            )
        )

    async def latest(
        self, owner: str, conversation_id: str, *, pack: str = "", is_open: bool | None = None
    ) -> Session | None:
        """Return the session that was used last; an empty `pack` means any, `is_open` None open or not."""
        table = interview_sessions
        query = sa.select(table).where(table.c.owner == owner, table.c.conversation_id == conversation_id)
        if pack:
            query = query.where(table.c.pack == pack)
        if is_open is not None:
            query = query.where(table.c.closed_at.is_(None) if is_open else table.c.closed_at.is_not(None))
        return await self._one(query.order_by(table.c.touched_at.desc(), table.c.created_at.desc()).limit(1))

    async def sessions(self, owner: str, conversation_id: str, limit: int) -> tuple[Session, ...]:
        """Return the sessions of a conversation, the most recently used first."""
        table = interview_sessions
        query = (
            sa.select(table)
            .where(table.c.owner == owner, table.c.conversation_id == conversation_id)
            .order_by(table.c.touched_at.desc(), table.c.created_at.desc())
            .limit(limit)
        )
        async with self._database.reading() as connection:
            rows = (await connection.execute(query)).mappings().all()
        return tuple(Session(**row) for row in rows)

    async def events(self, session_id: str, limit: int | None = None) -> tuple[InterviewEvent, ...]:
        """Return the events of a session in their order, at most the first `limit` of them.

        Raises:
            ValidationError: an event was written by a version that this one does not know.
        """
        query = (
            sa.select(interview_events.c.event)
            .where(interview_events.c.session_id == session_id)
            .order_by(interview_events.c.seq)
            .limit(limit)
        )
        return tuple(from_json(row.event) for row in await self._database.rows(query))

    async def find(self, session_id: str, key: str) -> int | None:
        """Return the position of the event with this key, or None."""
        table = interview_events
        query = sa.select(table.c.seq).where(table.c.session_id == session_id, table.c.key == key)
        found = await self._database.value(query)
        return None if found is None else int(found)

    async def append(self, session: Session, seq: int, stored: Stored) -> int | None:
        """Append an event to a session of `seq` events, and count what it cost.

        Returns the position of the event with this key; None if another event was appended meanwhile.
        """
        table = interview_events
        async with self._database.writing() as connection:
            known = await connection.scalar(
                sa.select(table.c.seq).where(table.c.session_id == session.id, table.c.key == stored.key)
            )
            if known is not None:
                return int(known)
            last = await connection.scalar(
                sa.select(sa.func.max(table.c.seq)).where(table.c.session_id == session.id)
            )
            # The session may have been erased meanwhile.
            if last is None or last + 1 != seq:
                return None
            await _insert(connection, session.id, seq, stored)
            await connection.execute(
                sa.update(interview_sessions)
                .where(interview_sessions.c.id == session.id)
                .values(touched_at=self._clock())
            )
            await self._count(connection, session.owner, 0, stored.usage)
        return seq

    async def delete(self, owner: str, session_id: str) -> None:
        """Delete a session of a person with its events; do nothing if it does not exist."""
        await self._database.change(
            sa.delete(interview_sessions).where(
                interview_sessions.c.id == session_id, interview_sessions.c.owner == owner
            )
        )

    async def touch(self, session_id: str, *, is_closed: bool | None = None) -> None:
        """Record that a session was used, closed or opened again."""
        values: dict[str, object] = {"touched_at": self._clock()}
        if is_closed is not None:
            values["closed_at"] = self._clock() if is_closed else None
        await self._update(session_id, values)

    async def set_summary(self, session_id: str, message_id: int) -> None:
        """Store the id of the message that shows the session's state."""
        await self._update(session_id, {"summary_message_id": message_id})

    async def used(self, session: Session | None, owner: str) -> Used:
        """Return what a person has used today, and what a session has used in total."""
        day, table = interview_days, interview_events
        today = day.c.day == local(self._clock()).date()
        row = await self._database.row(
            sa.select(day.c.sessions, day.c.tokens).where(day.c.owner == owner, today)
        )
        tokens = 0
        if session is not None:
            tokens = await self._database.value(
                sa.select(sa.func.sum(table.c.tokens)).where(table.c.session_id == session.id)
            )
        return Used(row.sessions if row else 0, row.tokens if row else 0, int(tokens or 0))

    async def prune(self, age: timedelta | None, days_age: timedelta = timedelta(days=2)) -> int:
        """Delete sums of old days and sessions unused for longer than `age` (None: none); return how many."""
        now = self._clock()
        async with self._database.writing() as connection:
            before = local(now - days_age).date()
            await connection.execute(sa.delete(interview_days).where(interview_days.c.day < before))
            if age is None:
                return 0
            deleted = await connection.execute(
                sa.delete(interview_sessions).where(interview_sessions.c.touched_at < now - age)
            )
        return deleted.rowcount

    async def _count(self, connection: AsyncConnection, owner: str, sessions: int, usage: Usage) -> None:
        """Add usage to the sums of the day and to the costs of models."""
        day, now = interview_days, self._clock()
        added = insert(connection, day).values(
            owner=owner, day=local(now).date(), sessions=sessions, tokens=usage.tokens
        )
        await connection.execute(
            added.on_conflict_do_update(
                index_elements=[day.c.owner, day.c.day],
                set_={"sessions": day.c.sessions + sessions, "tokens": day.c.tokens + usage.tokens},
            )
        )
        for role, part in usage.by_role.items():
            await connection.execute(
                sa.insert(spending).values(spent_at=now, purpose=PURPOSE, **spent_columns(role, part))
            )

    async def _one(self, query: sa.Select[Any]) -> Session | None:
        async with self._database.reading() as connection:
            row = (await connection.execute(query)).mappings().one_or_none()
        return None if row is None else Session(**row)

    async def _update(self, session_id: str, values: dict[str, object]) -> None:
        await self._database.change(
            sa.update(interview_sessions).where(interview_sessions.c.id == session_id).values(values)
        )


async def _insert(connection: AsyncConnection, session_id: str, seq: int, stored: Stored) -> None:
    await connection.execute(
        sa.insert(interview_events).values(
            session_id=session_id,
            seq=seq,
            key=stored.key,
            event=to_json(stored.event),
            tokens=stored.usage.tokens,
            at=stored.event.at,
        )
    )
