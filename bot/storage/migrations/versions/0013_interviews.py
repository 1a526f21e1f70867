"""Interviews: sessions, their logs of events, and what they used in a day.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0013"
down_revision = "0012"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "interview_sessions",
        sa.Column("id", sa.String(36), primary_key=True),
        sa.Column("owner", sa.String(200), nullable=False),
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("pack", sa.String(100), nullable=False),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.Column("touched_at", sa.DateTime, nullable=False),
        sa.Column("closed_at", sa.DateTime),
        sa.Column("summary_message_id", sa.BigInteger),
    )
    op.create_index(
        "ix_interview_sessions_owner_conversation_id", "interview_sessions", ["owner", "conversation_id"]
    )
    op.create_table(
        "interview_events",
        sa.Column(
            "session_id",
            sa.String(36),
            sa.ForeignKey(
                "interview_sessions.id",
                name="fk_interview_events_session_id",
                ondelete="CASCADE",
            ),
            primary_key=True,
        ),
        sa.Column("seq", sa.Integer, primary_key=True, autoincrement=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("event", sa.Text, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.UniqueConstraint("session_id", "key", name="uq_interview_events_session_id_key"),
    )
    op.create_table(
        "interview_days",
        sa.Column("owner", sa.String(200), primary_key=True),
        sa.Column("day", sa.Date, primary_key=True),
        sa.Column("sessions", sa.Integer, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("interview_days")
    op.drop_table("interview_events")
    op.drop_table("interview_sessions")
