"""The type of times and the naming of constraints that all tables share."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Final

from sqlalchemy import BigInteger, DateTime, MetaData, String, cast, extract, func
from sqlalchemy.engine import Dialect
from sqlalchemy.types import TypeDecorator

from bot.service.keys import MAX_PEER_LENGTH


class UtcDateTime(TypeDecorator[datetime]):
    """A time: stored in UTC without a zone and read with one, so that SQLite and PostgreSQL agree."""

    impl = DateTime
    cache_ok = True

    def process_bind_param(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Convert a time to UTC; refuse one without a zone, because it is ambiguous."""
        if value is None:
            return None
        if value.tzinfo is None:
            raise ValueError("a time without a zone cannot be stored")
        return value.astimezone(UTC).replace(tzinfo=None)

    def process_result_value(self, value: datetime | None, dialect: Dialect) -> datetime | None:  # noqa: ARG002 - theirs
        """Add the zone UTC to a stored time."""
        return None if value is None else value.replace(tzinfo=UTC)


# The id of a person or a chat, see `bot.service.keys.PeerId`.
PEER: Final = String(MAX_PEER_LENGTH)

SERVER_NOW_MS: Final = cast(extract("epoch", func.clock_timestamp()) * 1000, BigInteger)
"""The time of a PostgreSQL server, in milliseconds since 1970."""

# Constraints need names, so that a migration can address them in every database.
metadata = MetaData(
    naming_convention={
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
        "fk": "fk_%(table_name)s_%(column_0_N_name)s",
        "pk": "pk_%(table_name)s",
        "uq": "uq_%(table_name)s_%(column_0_N_name)s",
    }
)
