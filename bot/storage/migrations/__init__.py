"""Creates a database in the newest form, or brings one of the last release to it.

Alembic takes up to a second to import, so whoever opens a database first compares the revision that
it carries with `HEAD`, and migrates only when they differ.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import sqlalchemy as sa

from bot.storage.tables import metadata

if TYPE_CHECKING:
    from alembic.config import Config
    from sqlalchemy import Connection

HEAD = "0024"

LAST_RELEASE = "0019"
"""The oldest revision that is brought to the newest form: its programs are of 26 November 2026."""

OLDEST = "0021"
"""The oldest revision whose programs work on a database of the newest form: they may run beside this one.

A migration that only adds what older programs need not know leaves it; one that they do not bear raises it.
"""


def configuration(connection: Connection | None = None) -> Config:
    """Alembic's configuration, without a file of its own."""
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.attributes["connection"] = connection
    return config


def create(connection: Connection) -> None:
    """Create the tables of the newest form in an empty database, inside the transaction of `connection`.

    A test compares the tables with those that `upgrade` makes of a database of the last release.
    """
    versions = sa.Table(
        "alembic_version",
        sa.MetaData(),
        sa.Column("version_num", sa.String(32)),
        sa.PrimaryKeyConstraint("version_num", name="alembic_version_pkc"),
    )
    metadata.create_all(connection, checkfirst=False)
    versions.create(connection)
    connection.execute(versions.insert().values(version_num=HEAD))


def upgrade(connection: Connection, revision: str = HEAD) -> None:
    """Carry out every migration up to `revision`, inside the transaction of `connection`."""
    from alembic import command

    command.upgrade(configuration(connection), revision)
