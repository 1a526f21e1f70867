"""Which exchange a message belongs to, so that an exchange is stored once and can be replaced.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"


def upgrade() -> None:
    """Add the column; a question and its answer share a key."""
    op.add_column("messages", sa.Column("exchange", sa.String(100)))
    op.create_index("ix_messages_exchange_role", "messages", ["exchange", "role"], unique=True)


def downgrade() -> None:
    """Drop it again."""
    op.drop_index("ix_messages_exchange_role", "messages")
    op.drop_column("messages", "exchange")
