"""Everything that our tables keep of a person, in one place: to show it, and to erase it.

The records of jobs are in `bot.jobs.personal`.

To add a table that knows people: read it in `export`, delete from it in `erase`, and add a row of it to the
test that wants both. What stays: sums that name nobody, the decision or the role that administrators gave to
this id, that it asked for access (or else an erasure would let it ask again), and for two days the moments of
questions and commands and the sums of tokens and interviews, or else an erasure would lift every limit.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import utcnow
from bot.current_step import run_id
from bot.service import keys
from bot.service.keys import PeerId
from bot.service.passed_questions import exchange_of
from bot.service.people import Json
from bot.storage.chats import first_id
from bot.storage.conversations import withdrawal
from bot.storage.database import Database
from bot.storage.tables import (
    access_request_messages,
    access_requests,
    answered,
    arrivals,
    ask_messages,
    asked,
    asks,
    chats,
    confirmations,
    conversations,
    interview_days,
    interview_events,
    interview_sessions,
    logins,
    messages,
    notices,
    passed_messages,
    passed_questions,
    run_events,
    runs,
    sent_messages,
    spent,
    summaries,
    users,
)


@dataclass(frozen=True, slots=True)
class Counts:
    """Numbers of rows about a person: messages, questions in administrators' lists, and all others."""

    messages: int
    questions: int
    others: int


class Privacy:
    """Shows and erases what is kept of a person. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def export(self, user_id: PeerId) -> dict[str, Json]:
        """Return everything that is kept of a person, as JSON values; moments in ISO 8601."""
        person = _Person(user_id)
        async with self._database.reading() as connection:
            return {
                "user_id": user_id,
                "exported_at": self._clock().isoformat(),
                "profile": await _fetch_rows(connection, sa.select(users).where(users.c.id == user_id)),
                "private_chat": await _fetch_rows(connection, sa.select(chats).where(chats.c.id == user_id)),
                "messages": await _fetch_rows(connection, person.messages()),
                "summaries_of_private_chats": await _fetch_rows(connection, person.summaries()),
                "questions": await _fetch_rows(connection, person.questions()),
                "requests": await _fetch_rows(connection, sa.select(asks).where(asks.c.user_id == user_id)),
                "runs": await _fetch_rows(connection, person.runs()),
                "run_events": await _fetch_rows(connection, person.run_events()),
                "arrivals": await _fetch_rows(
                    connection, sa.select(arrivals).where(arrivals.c.user_id == user_id)
                ),
                "notices": await _fetch_rows(
                    connection, sa.select(notices).where(notices.c.user_id == user_id)
                ),
                "replies_in_the_private_chat": await _fetch_rows(
                    connection, sa.select(sent_messages).where(sent_messages.c.chat_id == user_id)
                ),
                "answers_in_the_private_chat": await _fetch_rows(
                    connection, sa.select(ask_messages).where(ask_messages.c.chat_id == user_id)
                ),
                "spent": await _fetch_rows(connection, sa.select(spent).where(spent.c.user_id == user_id)),
                "logins": await _fetch_rows(connection, person.logins()),
                "access_requests": await _fetch_rows(
                    connection, sa.select(access_requests).where(access_requests.c.user_id == user_id)
                ),
                "access_request_messages": await _fetch_rows(
                    connection,
                    sa.select(access_request_messages).where(access_request_messages.c.admin_id == user_id),
                ),
                "confirmations": await _fetch_rows(
                    connection, sa.select(confirmations).where(confirmations.c.user_id == user_id)
                ),
                "passed_questions": await _fetch_rows(
                    connection, sa.select(passed_questions).where(passed_questions.c.person == user_id)
                ),
                "replies_to_passed_questions": await _fetch_rows(connection, person.replied()),
                "passed_messages": await _fetch_rows(
                    connection, sa.select(passed_messages).where(passed_messages.c.chat_id == user_id)
                ),
                "interviews": await _fetch_rows(connection, person.interviews()),
                "interview_events": await _fetch_rows(connection, person.interview_events()),
                "interview_days": await _fetch_rows(connection, person.interview_days()),
            }

    async def count(self, user_id: PeerId) -> Counts:
        """Return how much is kept of a person."""
        kept = await self.export(user_id)

        def count_rows(*names: str) -> int:
            return sum(len(part) for name in names if isinstance(part := kept[name], list))

        return Counts(
            count_rows("messages", "interview_events"),
            count_rows("questions"),
            count_rows(
                "interviews",
                "requests",
                "arrivals",
                "notices",
                "replies_in_the_private_chat",
                "spent",
                "logins",
                "access_requests",
                "access_request_messages",
                "confirmations",
                "passed_questions",
                "passed_messages",
            ),
        )

    async def lanes(self, user_id: PeerId) -> tuple[str, ...]:
        """Return the lanes (`bot.service.incoming.Place.lane`) in which words of a person are kept.

        Of a chat that has moved also the lane under its first id, in which its work goes on.
        """
        person = _Person(user_id)
        query = sa.select(messages.c.conversation_id).where(person.said()).distinct()
        lanes: set[str] = set()
        async with self._database.reading() as connection:
            for conversation_id in (await connection.scalars(query)).all():
                if keys.is_web(conversation_id):
                    lanes.add(conversation_id)
                    continue
                chat_id, thread_id = keys.chat_and_topic(conversation_id)
                first = await first_id(connection, chat_id)
                lanes |= {keys.lane(chat_id, thread_id), keys.lane(first, thread_id)}
        return tuple(sorted(lanes))

    async def erase(self, user_id: PeerId) -> None:
        """Erase what is kept of a person, all of it or nothing; again, nothing is left to erase.

        Work that still answers this person must have been cancelled (`Asks.open_of` names it), or it writes
        its answer afterwards.
        """
        person = _Person(user_id)
        async with self._database.writing() as connection:
            # First: they are found by messages.
            await _forget_summaries(connection, user_id, person)
            for table, whose in (
                # But for the run that erases: whoever asked for it is told.
                (runs, sa.and_(person.ran(), runs.c.id != run_id())),
                (asked, person.asked()),
                (messages, person.said()),
                (conversations, person.private(conversations.c.id)),
                # Their events go with them.
                (interview_sessions, interview_sessions.c.owner == user_id),
                (asks, asks.c.user_id == user_id),
                # Of questions of others in a group, explained in the private chat.
                (ask_messages, ask_messages.c.chat_id == user_id),
                (notices, sa.or_(notices.c.user_id == user_id, notices.c.chat_id == user_id)),
                (sent_messages, sent_messages.c.chat_id == user_id),
                (confirmations, confirmations.c.user_id == user_id),
                (logins, logins.c.user_id == user_id),
                (access_request_messages, access_request_messages.c.admin_id == user_id),
                (passed_messages, passed_messages.c.chat_id == user_id),
                (chats, chats.c.id == user_id),
                (users, sa.and_(users.c.id == user_id, users.c.role.is_(None), users.c.access.is_(None))),
            ):
                await connection.execute(sa.delete(table).where(whose))
            await connection.execute(withdrawal(passed_questions.c.person == user_id))
            # What they answered to others stays with these, without who said it.
            await _forget_who_replied(connection, user_id)
            await connection.execute(
                sa.update(passed_questions)
                .where(passed_questions.c.replied_by == user_id)
                .values(replied_by=None)
            )
            await connection.execute(
                sa.update(users)
                .where(users.c.id == user_id)
                .values(name="", language=None, client_language=None)
            )


class _Person:
    """How a person's rows are found: by id in groups, by conversation in private chats and the console."""

    def __init__(self, user_id: PeerId) -> None:
        self._id = user_id
        self._alone = keys.conversations_of(user_id)
        self._in_console = keys.web_conversations_of(user_id)

    def private(self, conversation_id: sa.Column[str]) -> sa.ColumnElement[bool]:
        return sa.or_(
            conversation_id.startswith(self._alone, autoescape=True),
            conversation_id.startswith(self._in_console, autoescape=True),
        )

    def logins(self) -> sa.Select[tuple[object, ...]]:
        # Without the hash: it tells nobody anything.
        columns = (logins.c.kind, logins.c.name, logins.c.created_at, logins.c.expires_at)
        return sa.select(*columns).where(logins.c.user_id == self._id).order_by(logins.c.id)

    def said(self) -> sa.ColumnElement[bool]:
        return sa.or_(messages.c.user_key == self._id, self.private(messages.c.conversation_id))

    def asked(self) -> sa.ColumnElement[bool]:
        return sa.or_(asked.c.user_key == self._id, self.private(asked.c.conversation_id))

    def ran(self) -> sa.ColumnElement[bool]:
        return sa.or_(runs.c.person == self._id, self.private(runs.c.conversation_id))

    def runs(self) -> sa.Select[tuple[object, ...]]:
        # The rest is shown by `bot.jobs.personal`, with the outcomes of steps.
        columns = (runs.c.id, runs.c.kind, runs.c.person, runs.c.conversation_id, runs.c.result, runs.c.at)
        return sa.select(*columns).where(self.ran(), runs.c.kind != "")

    def run_events(self) -> sa.Select[tuple[object, ...]]:
        columns = (run_events.c.run_id, run_events.c.type, run_events.c.json, run_events.c.at)
        own = sa.select(runs.c.id).where(self.ran())
        return sa.select(*columns).where(run_events.c.run_id.in_(own)).order_by(run_events.c.seq)

    def messages(self) -> sa.Select[tuple[object, ...]]:
        columns = (messages.c.conversation_id, messages.c.role, messages.c.author, messages.c.text)
        return (
            sa.select(*columns, messages.c.label, messages.c.language, messages.c.created_at)
            .where(self.said())
            .order_by(messages.c.id)
        )

    def summaries(self) -> sa.Select[tuple[object, ...]]:
        return sa.select(summaries.c.conversation_id, summaries.c.text).where(
            self.private(summaries.c.conversation_id)
        )

    def replied(self) -> sa.Select[tuple[object, ...]]:
        # Without the question: it is somebody else's.
        columns = (passed_questions.c.number, passed_questions.c.reply)
        return sa.select(*columns).where(passed_questions.c.replied_by == self._id)

    def interviews(self) -> sa.Select[tuple[object, ...]]:
        return sa.select(interview_sessions).where(interview_sessions.c.owner == self._id)

    def interview_events(self) -> sa.Select[tuple[object, ...]]:
        return (
            sa.select(interview_events)
            .join(interview_sessions, interview_sessions.c.id == interview_events.c.session_id)
            .where(interview_sessions.c.owner == self._id)
            .order_by(interview_events.c.session_id, interview_events.c.seq)
        )

    def interview_days(self) -> sa.Select[tuple[object, ...]]:
        return sa.select(interview_days).where(interview_days.c.owner == self._id)

    def questions(self) -> sa.Select[tuple[object, ...]]:
        figures = (answered.c.asked_at, answered.c.language, answered.c.label, answered.c.feedback)
        return (
            sa.select(asked.c.conversation_id, asked.c.text, *figures)
            .join(answered, answered.c.id == asked.c.answered_id)
            .where(self.asked())
            .order_by(answered.c.asked_at)
        )


async def _forget_summaries(connection: AsyncConnection, user_id: PeerId, person: _Person) -> None:
    """Delete the summaries that speak of this person's messages; the others' messages are summed up anew."""
    own = messages.alias()
    spoken_of = (
        sa.select(own.c.id)
        .where(
            own.c.conversation_id == summaries.c.conversation_id,
            own.c.id <= summaries.c.up_to,
            own.c.user_key == user_id,
        )
        .exists()
    )
    await connection.execute(
        sa.delete(summaries).where(sa.or_(spoken_of, person.private(summaries.c.conversation_id)))
    )


async def _forget_who_replied(connection: AsyncConnection, user_id: PeerId) -> None:
    """Take the name of a person from what this person answered to others: it stands before the words."""
    replied = sa.select(passed_questions).where(passed_questions.c.replied_by == user_id)
    for one in (await connection.execute(replied)).all():
        exchange = exchange_of(one.number, one.run_id)
        brought = sa.and_(messages.c.exchange == exchange, messages.c.role == "assistant")
        for row in (await connection.execute(sa.select(messages).where(brought))).all():
            kept = json.loads(row.answer)
            kept["text"] = one.reply
            answer = json.dumps(kept, ensure_ascii=False)
            own = sa.update(messages).where(messages.c.id == row.id)
            await connection.execute(own.values(text=one.reply, answer=answer))


async def _fetch_rows(connection: AsyncConnection, query: sa.Select[tuple[object, ...]]) -> list[Json]:
    rows = (await connection.execute(query)).mappings()
    return [{name: _json(value) for name, value in row.items()} for row in rows]


def _json(value: object) -> Json:
    if value is None or isinstance(value, str | int | float | bool):
        return value
    return value.isoformat() if isinstance(value, datetime) else str(value)
