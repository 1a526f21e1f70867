"""The migrations begin here: a database of the last release has these tables already.

`bot.storage.migrations.create` makes a new database, without any migration.
"""

from __future__ import annotations

revision = "0019"
down_revision = None


def upgrade() -> None:
    """Do nothing: these tables are there."""
