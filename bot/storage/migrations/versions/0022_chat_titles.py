"""The title that somebody gave to a chat of the console.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0022"
down_revision = "0021"


def upgrade() -> None:
    """Add the column."""
    op.add_column("conversations", sa.Column("title", sa.String(200), nullable=True))
