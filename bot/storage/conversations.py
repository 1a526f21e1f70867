"""Conversations in the database; fulfils `bot.conversations.memory.ConversationRepository`."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Any, get_args

import sqlalchemy as sa
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import utcnow
from bot.conversations.values import BEFORE_ALL, Conversation, Message, MessageId, Summary
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import (
    answered,
    asked,
    conversations,
    messages,
    passed_questions,
    run_events,
    runs,
    summaries,
)
from rag.reasons import as_written
from rag.values import Answer, Label

_ANSWER = TypeAdapter(Answer)
_UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StoredConversations:
    """Reads and writes conversations."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def append(
        self,
        conversation_id: str,
        added: Sequence[Message],
        replaces: str = "",
        *,
        then: Callable[[int], object] = lambda _unsummarised: None,
    ) -> None:
        """Add messages, all of them or none, and drop those of other exchanges that `replaces` begins.

        Messages of an exchange that is stored already are not added again. Once that is kept, `then` is
        called with the number of messages that the summary does not cover.
        """
        async with self._database.together():
            await self._append(conversation_id, added, replaces)
            unsummarised = (await self.conversation(conversation_id)).unsummarised
            self._database.after_commit(partial(then, unsummarised))

    async def _append(self, conversation_id: str, added: Sequence[Message], replaces: str) -> None:
        async with self._database.writing() as connection:
            keys = {message.exchange for message in added if message.exchange}
            if replaces:
                begun = messages.c.exchange.startswith(replaces, autoescape=True)
                await connection.execute(sa.delete(messages).where(begun, messages.c.exchange.not_in(keys)))
            if keys and await connection.scalar(
                sa.select(messages.c.id).where(messages.c.exchange.in_(keys)).limit(1)
            ):
                return
            await connection.execute(
                insert(connection, conversations)
                .values(id=conversation_id, created_at=self._clock())
                .on_conflict_do_nothing()
            )
            await connection.execute(
                sa.insert(messages), [to_row(conversation_id, message) for message in added]
            )

    async def oldest_unsummarised(self, conversation_id: str, limit: int) -> tuple[Message, ...]:
        """Return the first `limit` messages behind the summary, oldest first."""
        behind = messages.c.id > _covered(conversation_id)
        return await self._read(_of(conversation_id).where(behind).order_by(messages.c.id).limit(limit))

    async def conversation(self, conversation_id: str, latest: int = 0) -> Conversation:
        """Return a summary, the number of messages after it, and the last `latest`; nothing if unknown."""
        async with self._database.reading() as connection:
            summary = await _summary(connection, conversation_id)
            unsummarised = await connection.scalar(
                sa.select(sa.func.count())
                .select_from(messages)
                .where(messages.c.conversation_id == conversation_id, messages.c.id > summary.up_to)
            )
            query = _of(conversation_id).order_by(messages.c.id.desc()).limit(latest)
            rows = (await connection.execute(query)).all() if latest else ()
        return Conversation(
            conversation_id, summary, unsummarised or 0, tuple(from_row(row) for row in reversed(rows))
        )

    async def save_summary(
        self,
        conversation_id: str,
        summary: Summary,
        *,
        replaces: Summary | None = None,
        of: Sequence[int] = (),
    ) -> None:
        """Keep the summary, unless what it speaks of is gone or a later one is there.

        Args:
            replaces: The summary that it continues; if that one was erased or changed, nothing is kept.
            of: Ids of the messages that it sums up; if one of them is gone, nothing is kept.
        """
        wanted = {summary.up_to, *of}
        async with self._database.writing() as connection:
            there = await connection.scalar(
                sa.select(sa.func.count())
                .select_from(messages)
                .where(messages.c.id.in_(wanted), messages.c.conversation_id == conversation_id)
            )
            before = await _summary(connection, conversation_id)
            is_stale = replaces is not None and before.text != replaces.text
            if there != len(wanted) or is_stale or before.up_to > summary.up_to:
                return
            values = {"text": storable(summary.text), "up_to": summary.up_to}
            await connection.execute(
                insert(connection, summaries)
                .values(conversation_id=conversation_id, **values)
                .on_conflict_do_update(index_elements=[summaries.c.conversation_id], set_=values)
            )

    async def last_answer(self, conversation_id: str) -> Answer | None:
        """Return the latest answer with its trace."""
        answered = _of(conversation_id).where(messages.c.answer.is_not(None))
        found = await self._read(answered.order_by(messages.c.id.desc()).limit(1))
        return found[0].answer if found else None

    async def load_answer(self, exchange: str) -> Answer | None:
        """Return the answer of an exchange."""
        answered = messages.c.answer.is_not(None)
        found = await self._read(sa.select(messages).where(messages.c.exchange == exchange, answered))
        return found[0].answer if found else None

    async def clear(self, conversation_id: str) -> None:
        """Forget the conversation."""
        async with self._database.writing() as connection:
            # Its messages and its summary go with it.
            await connection.execute(sa.delete(conversations).where(conversations.c.id == conversation_id))
            # Runs stay for their time, so that none is carried out twice, but nothing of them can be watched.
            own = runs.c.conversation_id == conversation_id
            theirs = run_events.c.run_id.in_(sa.select(runs.c.id).where(own))
            await connection.execute(sa.delete(run_events).where(theirs))
            await connection.execute(sa.delete(runs).where(own, runs.c.work == ""))
            await connection.execute(withdrawal(passed_questions.c.conversation_id == conversation_id))
            unseen = {"kind": "", "conversation_id": "", "result": None}
            await connection.execute(sa.update(runs).where(own).values(unseen))

    async def prune(self, age: timedelta) -> int:
        """Delete messages and questions that are older than `age`, and summaries that speak of no other.

        Returns how many messages.
        """
        before = self._clock() - age
        old_questions = sa.select(answered.c.id).where(answered.c.asked_at < before)
        kept = sa.union(sa.select(messages.c.conversation_id), sa.select(asked.c.conversation_id))
        async with self._database.writing() as connection:
            deleted = await connection.execute(sa.delete(messages).where(messages.c.created_at < before))
            await connection.execute(sa.delete(asked).where(asked.c.answered_id.in_(old_questions)))
            await connection.execute(sa.delete(passed_questions).where(passed_questions.c.asked_at < before))
            await connection.execute(
                sa.delete(summaries).where(summaries.c.up_to.not_in(sa.select(messages.c.id)))
            )
            await connection.execute(
                sa.delete(conversations).where(
                    conversations.c.created_at < before, conversations.c.id.not_in(kept)
                )
            )
        return deleted.rowcount

    async def _read(self, query: sa.Select[Any]) -> tuple[Message, ...]:
        rows = await self._database.rows(query)
        return tuple(from_row(row) for row in rows)


def to_row(conversation_id: str, message: Message) -> dict[str, object]:
    """Columns of a message."""
    answer = message.answer
    return {
        "conversation_id": conversation_id,
        "role": message.role,
        "author": storable(message.author),
        "text": storable(message.text),
        "label": answer.label if answer else None,
        "language": answer.language if answer else None,
        "answer": storable(json.dumps(_ANSWER.dump_python(answer), ensure_ascii=False)) if answer else None,
        "created_at": message.created_at,
        "user_key": message.user_key or None,
        "exchange": message.exchange or None,
    }


def from_row(row: sa.Row[Any]) -> Message:
    """A message from its columns."""
    answer = _parse_answer(row.answer)
    label = None if answer or row.label is None else known_label(row.label)
    return Message(
        row.role,
        row.text,
        row.created_at,
        row.author,
        answer,
        MessageId(row.id),
        label,
        row.user_key or "",
        row.exchange or "",
    )


def storable(text: str) -> str:
    """Replace what no database takes (NUL, halves of surrogate pairs) by the replacement character."""
    return _UNSTORABLE.sub("\ufffd", text)


def withdrawal(which: sa.ColumnElement[bool]) -> sa.Update:
    """Return the statement that empties passed questions; their numbers stay, to recognise late replies."""
    blank = ("person", "conversation_id", "chat_id", "run_id", "question", "answer", "reply")
    key = sa.literal("withdrawn:").concat(sa.cast(passed_questions.c.number, sa.String))
    values = {**dict.fromkeys(blank, ""), "exchange": key, "message_id": None, "replied_by": None}
    return sa.update(passed_questions).where(which).values(values)


def _parse_answer(text: str | None) -> Answer | None:
    if text is None:
        return None
    try:
        return _ANSWER.validate_python(_with_reasons(json.loads(text)))
    except (ValidationError, ValueError):
        # Written by another version, and only the trail of an old answer: the conversation goes on.
        return None


def _with_reasons(record: Any) -> Any:  # noqa: ANN401 - a record of any version
    """The record of an answer with reasons where a former version wrote sentences."""
    match record:
        case {"trace": list(trace), "verdict": verdict, **rest}:
            return {
                **rest,
                "trace": [_typed(step, "detail", "detail") for step in trace],
                "verdict": _typed(verdict, "reason", "reason"),
                "failure": _typed(rest.get("failure"), "message", "reason"),
            }
        case _:
            return record


def _typed(record: Any, was: str, name: str) -> Any:  # noqa: ANN401 - as above
    if not isinstance(record, dict) or not isinstance(record.get(was), str):
        return record
    return {**record, name: as_written(record[was]).to_json()}


def known_label(text: str) -> Label:
    """Return a stored label; one that only another version knows promises nothing here."""
    return next((label for label in get_args(Label) if label == text), "unverified")


def _of(conversation_id: str) -> sa.Select[Any]:
    return sa.select(messages).where(messages.c.conversation_id == conversation_id)


def _covered(conversation_id: str) -> sa.ColumnElement[int]:
    covered = sa.select(summaries.c.up_to).where(summaries.c.conversation_id == conversation_id)
    return sa.func.coalesce(covered.scalar_subquery(), BEFORE_ALL)


async def _summary(connection: AsyncConnection, conversation_id: str) -> Summary:
    row = (
        await connection.execute(
            sa.select(summaries.c.text, summaries.c.up_to).where(
                summaries.c.conversation_id == conversation_id
            )
        )
    ).one_or_none()
    return Summary(row.text, MessageId(row.up_to)) if row else Summary()
