"""Whether a chat may ask the council, and which questions did, because they have a limit of their own.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0010"
down_revision = "0009"


def upgrade() -> None:
    """Add the columns."""
    op.add_column("chats", sa.Column("council", sa.String(20)))
    op.add_column(
        "arrivals", sa.Column("is_council", sa.Boolean(), nullable=False, server_default=sa.false())
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_column("arrivals", "is_council")
    op.drop_column("chats", "council")
