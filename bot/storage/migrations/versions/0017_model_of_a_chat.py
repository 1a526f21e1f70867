"""Which model writes the answers in a chat.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0017"
down_revision = "0016"


def upgrade() -> None:
    """Add the column."""
    op.add_column("chats", sa.Column("model", sa.Text, nullable=True))


def downgrade() -> None:
    """Drop it again."""
    op.drop_column("chats", "model")
