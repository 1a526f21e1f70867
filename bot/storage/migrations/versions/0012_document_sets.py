"""Which documents a chat may be answered from.

A migration spells its columns out instead of importing the tables: those go on changing.
"""

from __future__ import annotations

import sqlalchemy as sa
from alembic import op

revision = "0012"
down_revision = "0011"


def upgrade() -> None:
    """Make the tables; without a row every chat is answered from all documents, as before."""
    op.create_table(
        "document_sets",
        sa.Column("name", sa.String(100), nullable=False),
        sa.Column("patterns", sa.Text(), nullable=False),
        sa.PrimaryKeyConstraint("name", name=op.f("pk_document_sets")),
    )
    op.create_table(
        "chat_documents",
        sa.Column("chat_id", sa.BigInteger(), autoincrement=False, nullable=False),
        sa.Column("set_name", sa.String(100), nullable=False),
        sa.PrimaryKeyConstraint("chat_id", name=op.f("pk_chat_documents")),
        sa.ForeignKeyConstraint(
            ["set_name"], ["document_sets.name"], name=op.f("fk_chat_documents_set_name")
        ),
    )


def downgrade() -> None:
    """Drop them again."""
    op.drop_table("chat_documents")
    op.drop_table("document_sets")
