"""Which free layer saved which judge calls; until now only their sum was kept.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"


def upgrade() -> None:
    """Make the table."""
    op.create_table(
        "saved",
        sa.Column("answered_id", sa.String(200), nullable=False),
        sa.Column("layer", sa.String(20), nullable=False),
        sa.Column("calls", sa.Integer, nullable=False),
        sa.Column("tokens", sa.Integer, nullable=False),
        sa.PrimaryKeyConstraint("answered_id", "layer", name="pk_saved"),
        sa.ForeignKeyConstraint(
            ["answered_id"], ["answered.id"], name="fk_saved_answered_id", ondelete="CASCADE"
        ),
    )


def downgrade() -> None:
    """Take it away again."""
    op.drop_table("saved")
