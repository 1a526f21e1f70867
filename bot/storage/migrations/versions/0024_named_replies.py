"""Whether whoever asked sees who replied, chosen for a single reply."""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0024"
down_revision = "0023"


def upgrade() -> None:
    """Add the columns."""
    for table in ("passed_questions", "passed_messages"):
        op.add_column(table, sa.Column("is_named", sa.Boolean, nullable=True))
