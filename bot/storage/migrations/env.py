"""Alembic's entry for every command: our connection, in the transaction it is already in."""

from __future__ import annotations

from alembic import context

from bot.storage.tables import metadata

context.configure(
    connection=context.config.attributes["connection"],
    target_metadata=metadata,
    # SQLite can alter little of a table; a batch copies it.
    render_as_batch=True,
    # The caller's transaction: either all steps are done or none.
    transactional_ddl=False,
)
context.run_migrations()
