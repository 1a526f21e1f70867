"""The messages of the bot that answer no question, and what each day has spent by chat and person.

What was spent on the day of the upgrade, before it, is not carried over.
A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0014"
down_revision = "0013"


def upgrade() -> None:
    """Make the tables, and drop the column that sums of a chat's day came from."""
    op.create_table(
        "sent_messages",
        sa.Column("chat_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("message_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(200)),
        sa.Column("sent_at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("key", name="uq_sent_messages_key"),
    )
    op.create_index("ix_sent_messages_sent_at", "sent_messages", ["sent_at"])
    op.create_table(
        "spent",
        sa.Column("day", sa.String(10), primary_key=True),
        sa.Column("chat_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column("tokens", sa.BigInteger, nullable=False),
    )
    op.drop_column("arrivals", "answered_id")


def downgrade() -> None:
    """Take it back."""
    op.add_column("arrivals", sa.Column("answered_id", sa.String(200)))
    op.drop_table("spent")
    op.drop_table("sent_messages")
