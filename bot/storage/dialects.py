"""What SQLite and PostgreSQL say with the same words, but SQLAlchemy keeps in two places."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def insert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Begin an ``INSERT`` that can say ``ON CONFLICT``.

    Args:
        connection: Where it will be carried out.
        table: Where to insert.
    """
    if connection.dialect.name == "postgresql":
        # Not above: whoever uses SQLite must not wait for this import.
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    return sqlite.insert(table)
