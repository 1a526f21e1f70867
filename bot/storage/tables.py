"""The tables of our database, as they are after the last migration."""

from __future__ import annotations

from datetime import UTC, datetime

from sqlalchemy import Column, DateTime, ForeignKey, Index, Integer, MetaData, String, Table, Text
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator


class UtcDateTime(TypeDecorator[datetime]):
    """A moment: stored in UTC without a zone, read with one, so that SQLite and PostgreSQL agree."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Refuse a time without a zone: nobody knows which moment it means."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Give the zone back."""
        return None if value is None else value.replace(tzinfo=UTC)


# Names for constraints, so that a migration can address them on every database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
    }
)

conversations = Table(
    "conversations",
    metadata,
    Column("id", String(200), primary_key=True),
    Column("created_at", UtcDateTime, nullable=False),
)

messages = Table(
    "messages",
    metadata,
    Column("id", Integer, primary_key=True, autoincrement=True),
    Column(
        "conversation_id", String(200), ForeignKey("conversations.id", ondelete="CASCADE"), nullable=False
    ),
    Column("role", String(20), nullable=False),
    Column("author", Text, nullable=False),
    Column("text", Text, nullable=False),
    Column("label", String(40)),
    Column("language", String(20)),
    # The whole answer with passages, trace and usage, as JSON: it is read back as one value.
    Column("answer", Text),
    Column("created_at", UtcDateTime, nullable=False),
    Index(None, "conversation_id", "id"),
    # Ids are never given twice, so that a summary cannot point at a message that is not its own.
    sqlite_autoincrement=True,
)

summaries = Table(
    "summaries",
    metadata,
    Column(
        "conversation_id", String(200), ForeignKey("conversations.id", ondelete="CASCADE"), primary_key=True
    ),
    Column("text", Text, nullable=False),
    Column("up_to", Integer, ForeignKey("messages.id", ondelete="CASCADE"), nullable=False),
)
