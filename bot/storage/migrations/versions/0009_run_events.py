"""Runs and their events, so that a browser, Telegram and the terminal can watch the same work.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"


def upgrade() -> None:
    """Make the tables."""
    op.create_table(
        "runs",
        sa.Column("id", sa.String(100), nullable=False),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_person_at", "runs", ["person", "at"])
    op.create_index("ix_runs_at", "runs", ["at"])
    op.create_index("ix_runs_conversation_id", "runs", ["conversation_id"])
    op.create_table(
        "run_events",
        sa.Column("seq", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(100), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("type", sa.String(60), nullable=False),
        sa.Column("json", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_run_events"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_events_run_id", ondelete="CASCADE"),
        sa.UniqueConstraint("run_id", "key", name="uq_run_events_run_id_key"),
        sqlite_autoincrement=True,
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("run_events")
    op.drop_table("runs")
