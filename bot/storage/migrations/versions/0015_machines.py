"""The machines of a fleet, and what one of them does at a time.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0015"
down_revision = "0014"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "machines",
        sa.Column("id", sa.String(100), primary_key=True),
        sa.Column("version", sa.String(40), nullable=False),
        sa.Column("started_ms", sa.BigInteger, nullable=False),
        sa.Column("seen_ms", sa.BigInteger, nullable=False),
        sa.Column("at_work", sa.Integer, nullable=False),
    )
    op.create_table(
        "leases",
        sa.Column("name", sa.String(50), primary_key=True),
        sa.Column("holder", sa.String(100), nullable=False),
        sa.Column("until_ms", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("leases")
    op.drop_table("machines")
