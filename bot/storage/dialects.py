"""Statements that SQLite and PostgreSQL share, but that SQLAlchemy has once for each of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from sqlalchemy import Table
from sqlalchemy.dialects import sqlite
from sqlalchemy.ext.asyncio import AsyncConnection

if TYPE_CHECKING:
    from sqlalchemy.dialects import postgresql


def insert(connection: AsyncConnection, table: Table) -> sqlite.Insert | postgresql.Insert:
    """Return an ``INSERT`` that supports ``ON CONFLICT``."""
    if connection.dialect.name == "postgresql":
        # Imported here, so that users of SQLite need not wait for this import.
        from sqlalchemy.dialects import postgresql

        return postgresql.insert(table)
    return sqlite.insert(table)
