"""Requests for access, their decisions, and the administrators' messages that show them.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0016"
down_revision = "0015"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "access_requests",
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("asked_by", sa.String(200), nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("outcome", sa.String(20)),
        sa.Column("decided_by", sa.BigInteger),
        sa.Column("decided_in", sa.String(200)),
    )
    op.create_index("ix_access_requests_asked_at", "access_requests", ["asked_at"])
    op.create_table(
        "access_request_messages",
        sa.Column(
            "user_id",
            sa.BigInteger,
            sa.ForeignKey("access_requests.user_id", ondelete="CASCADE"),
            primary_key=True,
            autoincrement=False,
        ),
        sa.Column("admin_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("message_id", sa.BigInteger, nullable=False),
    )


def downgrade() -> None:
    """Take it back."""
    op.drop_table("access_request_messages")
    op.drop_table("access_requests")
