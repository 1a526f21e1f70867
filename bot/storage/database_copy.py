"""Copies every row from one database to another in one transaction."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import sqlalchemy as sa
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.service.errors import StorageError
from bot.service.people import OPEN_STATES
from bot.storage.database import Database
from bot.storage.tables import asks, compatibility, metadata

_BATCH: Final = 1_000

# What the database says of itself is not moved: the other one says it, too.
_TABLES: Final = [table for table in metadata.sorted_tables if table is not compatibility]


async def copy_rows(source: Database, target: Database) -> Mapping[str, int]:
    """Copy every row of every table; return the number of copied rows by table name.

    Raises:
        StorageError: questions in the source wait for their answers, the target is not empty, or one of the
            databases cannot be used. Nothing is copied then.
    """
    counts: dict[str, int] = {}
    async with source.reading() as reader, target.writing() as writer:
        await _refuse_open_work(reader)
        await _refuse_rows(writer)
        for table in _TABLES:
            counts[table.name] = await _copy(table, reader, writer)
            await _continue_numbers(table, writer)
    return counts


async def _copy(table: sa.Table, reader: AsyncConnection, writer: AsyncConnection) -> int:
    copied = 0
    # Rows are ordered by the key, because without an order they could change places between two batches.
    ordered = sa.select(table).order_by(*table.primary_key.columns)
    while rows := (await reader.execute(ordered.limit(_BATCH).offset(copied))).mappings().all():
        await writer.execute(sa.insert(table), [dict(row) for row in rows])
        copied += len(rows)
    return copied


async def _continue_numbers(table: sa.Table, writer: AsyncConnection) -> None:
    """Let PostgreSQL number new rows after the copied ones; SQLite does so by itself."""
    number = table.autoincrement_column
    if writer.dialect.name != "postgresql" or number is None:
        return
    sequence = sa.func.pg_get_serial_sequence(table.name, number.name)
    last = sa.select(sa.func.max(number)).scalar_subquery()
    await writer.execute(sa.select(sa.func.setval(sequence, last)).where(last.is_not(None)))


async def _refuse_open_work(reader: AsyncConnection) -> None:
    is_open = sa.select(sa.func.count()).select_from(asks).where(asks.c.state.in_(OPEN_STATES))
    if waiting := await reader.scalar(is_open):
        raise StorageError(
            f"{waiting} questions are not answered yet, and work in progress is not moved: run the bot until "
            "it has answered them, then stop it and move"
        )


async def _refuse_rows(writer: AsyncConnection) -> None:
    for table in _TABLES:
        if await writer.scalar(sa.select(sa.exists().select_from(table))):
            raise StorageError(
                f"the new database is not empty (table {table.name}): make an empty one to move to"
            )
