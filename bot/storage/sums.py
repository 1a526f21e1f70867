"""The sums behind `bot.statistics.values.Statistics`, in SQL that SQLite and PostgreSQL both speak."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import replace
from datetime import date, datetime
from typing import Any, TypeAlias

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.statistics.values import Day, Latency, Statistics
from bot.storage.tables import answered, asked, saved, spending
from rag.values import FREE_LAYERS, LABELS, FreeLayer, Label, Savings, Usage

_Query: TypeAlias = sa.Select[*tuple[Any, ...]]

COUNCIL = "council "
"""How the purpose of a member's call begins; the step follows, and the role is the seat."""

_OTHER_PURPOSES = {"summarize": "summaries"}
"""Names of calls that belong to no question, as the statistics list them beside the roles."""


async def statistics(connection: AsyncConnection, since: datetime, until: datetime) -> Statistics:
    """Return the sums over `since` ≤ asked < `until`."""
    period = sa.and_(answered.c.asked_at >= since, answered.c.asked_at < until)
    totals = (await connection.execute(_totals(period))).one()
    days = await _days(connection, period)
    whole = (await connection.execute(_percentiles(period, None))).one()
    labels: dict[Label, int] = {
        label: count for label in LABELS if (count := sum(day.labels.get(label, 0) for day in days))
    }
    return Statistics(
        since=since,
        until=until,
        questions=totals.questions,
        people=totals.people,
        labels=labels,
        used_documents=totals.used_documents,
        usage=await _usage(connection, since, until),
        savings=Savings(
            totals.saved_calls or 0, totals.saved_tokens or 0, await _saved_by_layer(connection, period)
        ),
        latency=Latency(whole.p50, whole.p95) if totals.questions else None,
        useful=totals.useful,
        wrong=totals.wrong,
        days=days,
    )


def _totals(period: sa.ColumnElement[bool]) -> _Query:
    count = sa.func.count
    return (
        sa.select(
            count(answered.c.id).label("questions"),
            count(sa.distinct(asked.c.user_key)).filter(asked.c.user_key != "").label("people"),
            count(answered.c.id).filter(answered.c.used_documents).label("used_documents"),
            sa.func.sum(answered.c.saved_calls).label("saved_calls"),
            sa.func.sum(answered.c.saved_tokens).label("saved_tokens"),
            count(answered.c.id).filter(answered.c.feedback == "useful").label("useful"),
            count(answered.c.id).filter(answered.c.feedback == "wrong").label("wrong"),
        )
        .select_from(answered.outerjoin(asked, asked.c.answered_id == answered.c.id))
        .where(period)
    )


async def _saved_by_layer(
    connection: AsyncConnection, period: sa.ColumnElement[bool]
) -> dict[FreeLayer, Savings]:
    query = (
        sa.select(
            saved.c.layer,
            sa.func.sum(saved.c.calls).label("calls"),
            sa.func.sum(saved.c.tokens).label("tokens"),
        )
        .select_from(saved.join(answered, saved.c.answered_id == answered.c.id))
        .where(period)
        .group_by(saved.c.layer)
    )
    found = {row.layer: Savings(row.calls, row.tokens) for row in await connection.execute(query)}
    return {layer: found[layer] for layer in FREE_LAYERS if layer in found}


async def _days(connection: AsyncConnection, period: sa.ColumnElement[bool]) -> tuple[Day, ...]:
    day = sa.func.date(answered.c.asked_at)
    counted = sa.select(day.label("day"), answered.c.label, sa.func.count().label("questions"))
    labels: dict[date, dict[Label, int]] = defaultdict(dict)
    for row in await connection.execute(counted.where(period).group_by(day, answered.c.label)):
        labels[_date(row.day)][row.label] = row.questions
    latencies = {
        _date(row.day): Latency(row.p50, row.p95)
        for row in await connection.execute(_percentiles(period, day))
    }
    return tuple(Day(found, labels[found], latencies[found]) for found in sorted(labels))


def _percentiles(period: sa.ColumnElement[bool], group: sa.ColumnElement[Any] | None) -> _Query:
    """Percentiles of the seconds by nearest rank: the k-th smallest of n, k = ⌈n · p / 100⌉."""
    seconds = answered.c.seconds
    ranked = (
        sa.select(
            (sa.literal("") if group is None else group).label("day"),
            seconds,
            sa.func.row_number().over(partition_by=group, order_by=seconds).label("rank"),
            sa.func.count().over(partition_by=group).label("size"),
        )
        .where(period)
        .subquery()
    )

    def percentile(percent: int) -> sa.ColumnElement[float]:
        last = (ranked.c.size * percent + 99) // 100
        return sa.func.max(ranked.c.seconds).filter(ranked.c.rank <= last).label(f"p{percent}")

    if group is None:
        return sa.select(percentile(50), percentile(95))
    return sa.select(ranked.c.day, percentile(50), percentile(95)).group_by(ranked.c.day)


async def _usage(connection: AsyncConnection, since: datetime, until: datetime) -> Usage:
    columns = ("calls", "input_tokens", "output_tokens", "seconds", "cost", "unpriced_calls")
    query = (
        sa.select(
            spending.c.purpose,
            spending.c.role,
            *(sa.func.sum(spending.c[name]).label(name) for name in columns),
        )
        .where(spending.c.spent_at >= since, spending.c.spent_at < until)
        .group_by(spending.c.purpose, spending.c.role)
        .order_by(sa.func.sum(spending.c.input_tokens + spending.c.output_tokens).desc())
    )
    by_role: dict[str, Usage] = {}
    by_seat: dict[str, dict[str, Usage]] = {}
    for row in await connection.execute(query):
        part = Usage(*(getattr(row, column) for column in columns))
        if row.purpose.startswith(COUNCIL):
            by_seat.setdefault(row.role, {})[row.purpose.removeprefix(COUNCIL)] = part
            name = "council"
        else:
            name = row.role if row.purpose == "answer" else _OTHER_PURPOSES.get(row.purpose, row.purpose)
        by_role[name] = _added(by_role.get(name, Usage()), part)
    total = Usage()
    for part in by_role.values():
        total = _added(total, part)
    return replace(total, by_role=by_role, by_seat=by_seat)


def _added(one: Usage, other: Usage) -> Usage:
    return Usage(
        calls=one.calls + other.calls,
        input_tokens=one.input_tokens + other.input_tokens,
        output_tokens=one.output_tokens + other.output_tokens,
        seconds=one.seconds + other.seconds,
        cost=one.cost + other.cost,
        unpriced_calls=one.unpriced_calls + other.unpriced_calls,
    )


def _date(value: date | str) -> date:
    """SQLite gives a date as text, PostgreSQL as a date."""
    return value if isinstance(value, date) else date.fromisoformat(value)
