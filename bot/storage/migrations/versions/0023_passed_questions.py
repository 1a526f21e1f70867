"""Questions that were passed on to the people who know, and the messages that show them.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"


def upgrade() -> None:
    """Add the tables."""
    op.create_table(
        "passed_questions",
        sa.Column("number", sa.Integer, primary_key=True, autoincrement=True),
        sa.Column("exchange", sa.String(100), nullable=False),
        sa.Column("person", sa.String(100), nullable=False),
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("chat_id", sa.String(100), nullable=False),
        sa.Column("thread_id", sa.BigInteger),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("run_id", sa.String(200), nullable=False),
        sa.Column("question", sa.Text, nullable=False),
        sa.Column("answer", sa.Text, nullable=False),
        sa.Column("set_name", sa.String(100), nullable=False),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.Column("told_at", sa.DateTime, nullable=False),
        sa.Column("reply", sa.Text),
        sa.Column("replied_by", sa.String(100)),
        sa.Column("replied_in", sa.String(200)),
        sa.UniqueConstraint("exchange", name="uq_passed_questions_exchange"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_passed_questions_person", "passed_questions", ["person"])
    op.create_table(
        "passed_messages",
        sa.Column("chat_id", sa.String(100), primary_key=True),
        sa.Column("message_id", sa.BigInteger, primary_key=True, autoincrement=False),
        sa.Column(
            "number",
            sa.Integer,
            sa.ForeignKey("passed_questions.number", name="fk_passed_messages_number", ondelete="CASCADE"),
            nullable=False,
        ),
    )
    op.create_index("ix_passed_messages_number", "passed_messages", ["number"])
