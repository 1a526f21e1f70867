"""Whose data this is, and which arrivals are commands: those are counted apart from questions.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"


def upgrade() -> None:
    """Make the table and add the column; what is there already are questions."""
    op.create_table(
        "bots",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("username", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_bots"),
    )
    op.add_column("arrivals", sa.Column("is_command", sa.Boolean, nullable=False, server_default=sa.false()))


def downgrade() -> None:
    """Take both away again."""
    op.drop_column("arrivals", "is_command")
    op.drop_table("bots")
