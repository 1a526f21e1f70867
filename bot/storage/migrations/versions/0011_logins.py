"""Logins to the console.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "logins",
        sa.Column("id", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=True),
        sa.PrimaryKeyConstraint("id", name="pk_logins"),
        sa.UniqueConstraint("hash", name="uq_logins_hash"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_logins_user_id", "logins", ["user_id"])


def downgrade() -> None:
    """Drop it again."""
    op.drop_table("logins")
