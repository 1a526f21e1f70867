"""The language of a person's Telegram, because the bot writes to administrators unasked as well.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"


def upgrade() -> None:
    """Add the column; it is filled when somebody writes."""
    op.add_column("users", sa.Column("client_language", sa.String(20)))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("users", "client_language")
