"""Whether a chat is answered from documents only.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0020"
down_revision = "0019"


def upgrade() -> None:
    """Add the column."""
    op.add_column("chats", sa.Column("documents_only", sa.Boolean, nullable=True))
