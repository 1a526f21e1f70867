"""Conversations, their messages, and a summary of what falls out of the window.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "conversations",
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_conversations"),
    )
    op.create_table(
        "messages",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("role", sa.String(20), nullable=False),
        sa.Column("author", sa.Text, nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("label", sa.String(40)),
        sa.Column("language", sa.String(20)),
        sa.Column("answer", sa.Text),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name="fk_messages_conversation_id",
            ondelete="CASCADE",
        ),
        sa.PrimaryKeyConstraint("id", name="pk_messages"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_messages_conversation_id_id", "messages", ["conversation_id", "id"])
    op.create_table(
        "summaries",
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.Column("up_to", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["conversation_id"],
            ["conversations.id"],
            name="fk_summaries_conversation_id",
            ondelete="CASCADE",
        ),
        sa.ForeignKeyConstraint(["up_to"], ["messages.id"], name="fk_summaries_up_to", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("conversation_id", name="pk_summaries"),
    )


def downgrade() -> None:
    """Drop them again, dependants first."""
    op.drop_table("summaries")
    op.drop_table("messages")
    op.drop_table("conversations")
