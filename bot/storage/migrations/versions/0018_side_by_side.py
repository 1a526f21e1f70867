"""Machines of several versions side by side: the oldest that bears the database, and what a machine tells.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0018"
down_revision = "0017"


def upgrade() -> None:
    """Make the table and add the column."""
    op.create_table("compatibility", sa.Column("oldest", sa.String(20), primary_key=True))
    op.add_column("machines", sa.Column("report", sa.Text, nullable=True))


def downgrade() -> None:
    """Take it back."""
    op.drop_column("machines", "report")
    op.drop_table("compatibility")
