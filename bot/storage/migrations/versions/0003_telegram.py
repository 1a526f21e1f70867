"""Telegram's chats and people, the questions they asked, and what was said to them once.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"


def upgrade() -> None:
    """Make the tables, and let a message say whose it is."""
    op.add_column("messages", sa.Column("user_key", sa.String(100)))
    op.create_index("ix_messages_user_key", "messages", ["user_key"])
    op.create_table(
        "chats",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("title", sa.Text, nullable=False),
        sa.Column("is_active", sa.Boolean, nullable=False),
        sa.Column("access", sa.String(20)),
        sa.Column("mode", sa.String(20)),
        sa.Column("migrated_to", sa.BigInteger),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_chats"),
    )
    op.create_table(
        "users",
        sa.Column("id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("name", sa.Text, nullable=False),
        sa.Column("language", sa.String(20)),
        sa.Column("role", sa.String(20)),
        sa.Column("access", sa.String(20)),
        sa.Column("created_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_users"),
    )
    op.create_table(
        "asks",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("workflow_id", sa.String(100), nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False),
        sa.Column("thread_id", sa.BigInteger, nullable=False),
        sa.Column("message_id", sa.BigInteger),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("fingerprint", sa.String(64), nullable=False),
        sa.Column("placeholder_id", sa.BigInteger),
        sa.Column("answered_id", sa.String(200)),
        sa.Column("asked_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_asks"),
        sa.UniqueConstraint("chat_id", "message_id", name="uq_asks_chat_id_message_id"),
        sa.UniqueConstraint("workflow_id", name="uq_asks_workflow_id"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_asks_chat_id_thread_id_state", "asks", ["chat_id", "thread_id", "state"])
    op.create_index("ix_asks_user_id", "asks", ["user_id"])
    op.create_table(
        "ask_messages",
        sa.Column("chat_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("message_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("ask_id", sa.Integer, nullable=False),
        sa.ForeignKeyConstraint(["ask_id"], ["asks.id"], name="fk_ask_messages_ask_id", ondelete="CASCADE"),
        sa.PrimaryKeyConstraint("chat_id", "message_id", name="pk_ask_messages"),
    )
    op.create_index("ix_ask_messages_ask_id", "ask_messages", ["ask_id"])
    op.create_table(
        "arrivals",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("key", sa.String(100), nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("arrived_at", sa.DateTime, nullable=False),
        sa.Column("is_refused", sa.Boolean, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_arrivals"),
        sa.UniqueConstraint("key", name="uq_arrivals_key"),
        sqlite_autoincrement=True,
    )
    op.create_index("ix_arrivals_chat_id_arrived_at", "arrivals", ["chat_id", "arrived_at"])
    op.create_index("ix_arrivals_user_id_arrived_at", "arrivals", ["user_id", "arrived_at"])
    op.create_table(
        "notices",
        sa.Column("kind", sa.String(50), nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("user_id", sa.BigInteger, nullable=False, autoincrement=False),
        sa.Column("said_by", sa.String(100), nullable=False),
        sa.Column("said_at", sa.DateTime, nullable=False),
        sa.Column("ends_at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("kind", "chat_id", "user_id", name="pk_notices"),
    )
    op.create_table(
        "confirmations",
        sa.Column("id", sa.Integer, nullable=False, autoincrement=True),
        sa.Column("user_id", sa.BigInteger, nullable=False),
        sa.Column("chat_id", sa.BigInteger, nullable=False),
        sa.Column("command", sa.Text, nullable=False),
        sa.Column("expires_at", sa.DateTime, nullable=False),
        sa.Column("taken_by", sa.String(100)),
        sa.PrimaryKeyConstraint("id", name="pk_confirmations"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Drop them again, dependants first."""
    for table in ("confirmations", "notices", "arrivals", "ask_messages", "asks", "users", "chats"):
        op.drop_table(table)
    op.drop_index("ix_messages_user_key", "messages")
    op.drop_column("messages", "user_key")
