"""The tables of the last release: where the migrations begin. A new database is not made by them."""

from __future__ import annotations

revision = "0019"
down_revision = None


def upgrade() -> None:
    """Do nothing: these tables are there."""
