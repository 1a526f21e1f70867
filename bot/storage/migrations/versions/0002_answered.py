"""The outcome of each question, the person who asked it, and the cost of its model calls.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    """Make the three tables."""
    op.create_table(
        "answered",
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("channel", sa.String(20), nullable=False),
        sa.Column("language", sa.String(20), nullable=False),
        sa.Column("mode", sa.String(20), nullable=False),
        sa.Column("label", sa.String(40), nullable=False),
        sa.Column("quality", sa.String(40), nullable=False),
        sa.Column("source", sa.String(20), nullable=False),
        sa.Column("confidence", sa.Float, nullable=False),
        sa.Column("used_documents", sa.Boolean, nullable=False),
        sa.Column("retries", sa.Integer, nullable=False),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("model_seconds", sa.Float, nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("unpriced_calls", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("saved_calls", sa.Integer, nullable=False),
        sa.Column("saved_tokens", sa.Integer, nullable=False),
        sa.Column("score", sa.Float),
        sa.Column("feedback", sa.String(20)),
        sa.Column("feedback_at", sa.DateTime),
        sa.PrimaryKeyConstraint("id", name="pk_answered"),
    )
    op.create_index("ix_answered_asked_at", "answered", ["asked_at"])
    op.create_table(
        "asked",
        sa.Column("answered_id", sa.String(200), nullable=False),
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("user_key", sa.String(200), nullable=False),
        sa.Column("text", sa.Text, nullable=False),
        sa.ForeignKeyConstraint(
            ["answered_id"], ["answered.id"], name="fk_asked_answered_id", ondelete="CASCADE"
        ),
        sa.ForeignKeyConstraint(
            ["conversation_id"], ["conversations.id"], name="fk_asked_conversation_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("answered_id", name="pk_asked"),
    )
    op.create_index("ix_asked_conversation_id", "asked", ["conversation_id"])
    op.create_index("ix_asked_user_key", "asked", ["user_key"])
    op.create_table(
        "spending",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("answered_id", sa.String(200)),
        sa.Column("spent_at", sa.DateTime, nullable=False),
        sa.Column("purpose", sa.String(40), nullable=False),
        sa.Column("role", sa.String(40), nullable=False),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("input_tokens", sa.Integer, nullable=False),
        sa.Column("output_tokens", sa.Integer, nullable=False),
        sa.Column("seconds", sa.Float, nullable=False),
        sa.Column("cost", sa.Float, nullable=False),
        sa.Column("unpriced_calls", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(
            ["answered_id"], ["answered.id"], name="fk_spending_answered_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("id", name="pk_spending"),
    )
    op.create_index("ix_spending_answered_id", "spending", ["answered_id"])
    op.create_index("ix_spending_spent_at", "spending", ["spent_at"])


def downgrade() -> None:
    """Drop them again, dependants first."""
    op.drop_table("spending")
    op.drop_table("asked")
    op.drop_table("answered")
