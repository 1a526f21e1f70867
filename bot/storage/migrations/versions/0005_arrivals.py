"""Which answered question an arrival led to, so that the day's tokens of a chat can be summed up.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0005"
down_revision = "0004"


def upgrade() -> None:
    """Add the column."""
    op.add_column("arrivals", sa.Column("answered_id", sa.String(200)))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("arrivals", "answered_id")
