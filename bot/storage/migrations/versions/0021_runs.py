"""Runs: the jobs, which had a database of their own, with the outcomes of their steps.

Runs that were at work are carried over from that database in the same transaction, see `bot.jobs.former`.
A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0021"
down_revision = "0020"


def upgrade() -> None:
    """Make `runs` and `run_events` anew with what they hold, and make `run_steps`."""
    _set_aside()
    op.create_table(
        "runs",
        sa.Column("id", sa.String(200), nullable=False),
        sa.Column("work", sa.String(40), nullable=False),
        sa.Column("payload", sa.Text, nullable=False),
        sa.Column("person", sa.String(200), nullable=False),
        sa.Column("lane", sa.String(400), nullable=False),
        sa.Column("position", sa.BigInteger, nullable=False),
        sa.Column("state", sa.String(20), nullable=False),
        sa.Column("process", sa.String(200)),
        sa.Column("attempts", sa.Text),
        sa.Column("reason", sa.Text),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.Column("ended_at", sa.DateTime),
        sa.Column("kind", sa.String(20), nullable=False),
        sa.Column("conversation_id", sa.String(200), nullable=False),
        sa.Column("result", sa.String(20)),
        sa.PrimaryKeyConstraint("id", name="pk_runs"),
    )
    op.create_index("ix_runs_lane_state", "runs", ["lane", "state"])
    op.create_index("ix_runs_state_at", "runs", ["state", "at"])
    _make_indexes()
    op.create_table(
        "run_steps",
        sa.Column("number", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(200), nullable=False),
        sa.Column("name", sa.String(200), nullable=False),
        sa.Column("outcome", sa.Text, nullable=False),
        sa.PrimaryKeyConstraint("number", name="pk_run_steps"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_steps_run_id", ondelete="CASCADE"),
        sa.UniqueConstraint("run_id", "name", name="uq_run_steps_run_id_name"),
        sqlite_autoincrement=True,
    )
    _make_events()
    # What was at work is brought back by the runner, or has been lost.
    op.execute(
        "INSERT INTO runs (id, work, payload, person, lane, position, state, at, ended_at, kind,"
        " conversation_id, result) SELECT id, '', '', person, '', 1, 'done', at, at, kind, conversation_id,"
        " CASE state WHEN 'running' THEN NULL ELSE state END FROM kept_runs"
    )
    _take_back()


def _set_aside() -> None:
    op.execute("CREATE TABLE kept_runs AS SELECT * FROM runs")
    op.execute("CREATE TABLE kept_events AS SELECT * FROM run_events")
    op.drop_table("run_events")
    op.drop_table("runs")


def _take_back() -> None:
    op.execute(
        "INSERT INTO run_events (seq, run_id, key, type, json, at)"
        " SELECT seq, run_id, key, type, json, at FROM kept_events"
    )
    op.drop_table("kept_events")
    op.drop_table("kept_runs")
    if op.get_bind().dialect.name == "postgresql":
        op.execute(
            "SELECT setval(pg_get_serial_sequence('run_events', 'seq'), max(seq)) FROM run_events"
            " HAVING max(seq) > 0"
        )


def _make_indexes() -> None:
    op.create_index("ix_runs_person_at", "runs", ["person", "at"])
    op.create_index("ix_runs_at", "runs", ["at"])
    op.create_index("ix_runs_conversation_id", "runs", ["conversation_id"])


def _make_events() -> None:
    op.create_table(
        "run_events",
        sa.Column("seq", sa.Integer, autoincrement=True, nullable=False),
        sa.Column("run_id", sa.String(200), nullable=False),
        sa.Column("key", sa.String(200), nullable=False),
        sa.Column("type", sa.String(60), nullable=False),
        sa.Column("json", sa.Text, nullable=False),
        sa.Column("at", sa.DateTime, nullable=False),
        sa.PrimaryKeyConstraint("seq", name="pk_run_events"),
        sa.ForeignKeyConstraint(["run_id"], ["runs.id"], name="fk_run_events_run_id", ondelete="CASCADE"),
        sa.UniqueConstraint("run_id", "key", name="uq_run_events_run_id_key"),
        sqlite_autoincrement=True,
    )
