"""Stores the outcome of each question once, with the ratings of its readers, and sums them up.

Figures and persons are kept apart. A row of `answered` tells nothing about who asked what and stays;
the words and the person's id hang on the conversation and are deleted with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from typing import get_args

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import utcnow
from bot.statistics.similar import grouped
from bot.statistics.values import Circumstances, Statistics, Thumb, Totals, Unanswered
from bot.storage import sums
from bot.storage.conversations import storable
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import answered, asked, conversations, saved, spending
from rag.prices import SEATED_ROLES
from rag.values import Answer, Usage

_LONGEST_ROLE = 40
"""Characters of a seat's name that the statistics keep."""

_MOST_QUESTIONS = 5_000
"""Unanswered questions that are grouped: the latest ones."""


class StoredAnswers:
    """Writes down what came of questions, and reads it back. Every method raises `StorageError`."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self._database = database
        self._clock = clock

    async def record(self, answer: Answer, circumstances: Circumstances) -> None:
        """Write down a question that was just answered; a second time changes nothing."""
        seconds = answer.seconds if circumstances.seconds is None else circumstances.seconds
        asked_at = self._clock() - timedelta(seconds=seconds)
        row = _row(answer, circumstances) | {"asked_at": asked_at, "seconds": seconds}
        async with self._database.writing() as connection:
            # A row count would not do: PostgreSQL does not tell one here.
            added = await connection.scalar(
                insert(connection, answered).values(row).on_conflict_do_nothing().returning(answered.c.id)
            )
            if added is None:
                return
            if circumstances.conversation_id:
                await _remember_words(connection, answer, circumstances, self._clock())
            about = {"answered_id": circumstances.id, "spent_at": asked_at}
            parts = [
                {**about, "purpose": purpose, **spent_columns(role, usage)}
                for purpose, role, usage in _parts(answer.usage)
            ]
            if parts:
                await connection.execute(sa.insert(spending), parts)
            for layer, own in answer.savings.by_layer.items():
                values = {"answered_id": circumstances.id, "layer": layer, "calls": own.calls}
                await connection.execute(sa.insert(saved).values(**values, tokens=own.tokens))

    async def spend(self, purpose: str, usage: Usage) -> None:
        """Write down model calls that belong to no question, such as those for summaries."""
        now = self._clock()
        async with self._database.writing() as connection:
            for role, part in usage.by_role.items():
                await connection.execute(
                    sa.insert(spending).values(spent_at=now, purpose=purpose, **spent_columns(role, part))
                )

    async def feedback(self, answered_id: str, useful: bool | None) -> bool:
        """Keep the reader's last word on an answer, or None; return whether there is such an answer."""
        thumb = None if useful is None else "useful" if useful else "wrong"
        changed = await self._database.change(
            sa.update(answered)
            .where(answered.c.id == answered_id)
            .values(feedback=thumb, feedback_at=None if thumb is None else self._clock())
        )
        return changed > 0

    async def rating(self, answered_id: str) -> Thumb | None:
        """Return what the reader said of an answer, or None when nothing was said or it is unknown."""
        query = sa.select(answered.c.feedback).where(answered.c.id == answered_id)
        said = await self._database.value(query)
        return next((thumb for thumb in get_args(Thumb) if thumb == said), None)

    async def summary(self, since: datetime, until: datetime | None = None) -> Statistics:
        """Return the sums of the period from `since` until before `until`; None: until now."""
        async with self._database.reading() as connection:
            return await sums.statistics(connection, since, until or self._clock())

    async def totals(self) -> Totals:
        """Return the sums over everything that was answered."""
        by = (answered.c.channel, answered.c.label, answered.c.source)
        async with self._database.reading() as connection:
            counted = await connection.execute(sa.select(*by, sa.func.count()).group_by(*by))
            questions = {(row[0], row[1], row[2]): row[3] for row in counted}
            columns = (spending.c.calls, spending.c.input_tokens, spending.c.output_tokens, spending.c.cost)
            spent = (await connection.execute(sa.select(*(sa.func.sum(column) for column in columns)))).one()
            waited, saved_calls = (
                await connection.execute(
                    sa.select(sa.func.sum(answered.c.seconds), sa.func.sum(answered.c.saved_calls))
                )
            ).one()
        calls, read, written, cost = (value or 0 for value in spent)
        return Totals(questions, waited or 0.0, calls, read, written, cost, saved_calls or 0)

    async def unanswered(
        self,
        since: datetime,
        limit: int = 20,
        until: datetime | None = None,
        *,
        is_marked: bool | None = None,
    ) -> tuple[Unanswered, ...]:
        """Return what the documents should tell and do not, most frequent first.

        That is: answers labelled "not in the documents", answers whose evaluation found them wanting, and
        answers that a reader called wrong; but none that a reader called useful. Answers that nobody could
        check, because a model failed, say nothing about the documents.

        Args:
            limit: Groups at the most.
            until: The first moment that does not count; None: all since count.
            is_marked: Only those that a reader called wrong, or only the others; None: all.
        """
        wanting = sa.and_(
            answered.c.label == "unverified", answered.c.quality.not_in(("adequate", "unchecked"))
        )
        is_open = sa.or_(answered.c.label == "not_in_documents", wanting, answered.c.feedback == "wrong")
        query = (
            sa.select(asked.c.text, answered.c.language, answered.c.asked_at)
            .join(answered, answered.c.id == asked.c.answered_id)
            .where(
                answered.c.asked_at >= since,
                is_open,
                sa.func.coalesce(answered.c.feedback, "") != "useful",
            )
            .order_by(answered.c.asked_at.desc())
            .limit(_MOST_QUESTIONS)
        )
        if until is not None:
            query = query.where(answered.c.asked_at < until)
        if is_marked is not None:
            marked = sa.func.coalesce(answered.c.feedback, "") == "wrong"
            query = query.where(marked if is_marked else sa.not_(marked))
        rows = await self._database.rows(query)
        questions = [(row.text, row.language, row.asked_at) for row in rows]
        return await asyncio.to_thread(grouped, questions, limit)


def _row(answer: Answer, circumstances: Circumstances) -> dict[str, object]:
    usage = answer.usage
    return {
        "id": circumstances.id,
        "channel": circumstances.channel,
        "language": answer.language,
        "mode": answer.mode,
        "label": answer.label,
        "quality": answer.verdict.quality,
        "source": answer.verdict.source,
        "confidence": answer.verdict.confidence,
        "used_documents": answer.used_documents,
        "retries": answer.retries,
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "model_seconds": usage.seconds,
        "cost": usage.cost,
        "unpriced_calls": usage.unpriced_calls,
        "saved_calls": answer.savings.calls,
        "saved_tokens": answer.savings.tokens,
        "score": answer.score,
    }


def _parts(usage: Usage) -> Iterator[tuple[str, str, Usage]]:
    """Return the cost of an answer as purpose, role and sums: by role, and for a council by seat and step."""
    for seat, steps in usage.by_seat.items():
        for step, part in steps.items():
            yield f"{sums.COUNCIL}{step}", seat[:_LONGEST_ROLE], part
    for role, part in usage.by_role.items():
        # What its members took is told by seat already.
        if not (usage.by_seat and role in SEATED_ROLES):
            yield "answer", role, part


def spent_columns(role: str, usage: Usage) -> dict[str, object]:
    """Return the columns of `spending` that hold figures."""
    return {
        "role": role,
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": usage.seconds,
        "cost": usage.cost,
        "unpriced_calls": usage.unpriced_calls,
    }


async def _remember_words(
    connection: AsyncConnection, answer: Answer, circumstances: Circumstances, now: datetime
) -> None:
    await connection.execute(
        insert(connection, conversations)
        .values(id=circumstances.conversation_id, created_at=now)
        .on_conflict_do_nothing()
    )
    await connection.execute(
        sa.insert(asked).values(
            answered_id=circumstances.id,
            conversation_id=circumstances.conversation_id,
            user_key=circumstances.user,
            text=storable(answer.standalone or answer.question),
        )
    )
