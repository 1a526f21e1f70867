"""Tables of the documents that several machines share, in a schema of their own beside the bot's tables.

They are those of `rag.knowledge.store` in PostgreSQL's words, so the same statements serve both. `words` is a
plain table, because each machine searches words in a copy of its own. `uploads` holds the added files.
"""

from __future__ import annotations

from typing import Final

import sqlalchemy as sa

from bot.service.errors import StorageError

SCHEMA: Final = "thinktwice_knowledge"

_UPGRADE_LOCK: Final = 7_218_350_221_907

# The oldest number of migrations whose programs work with the tables; a migration that they do not bear
# raises it.
_OLDEST: Final = 1

# One entry per version; an entry never changes after its release.
_MIGRATIONS: Final = (
    """
    CREATE TABLE state (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        generation INTEGER NOT NULL DEFAULT 0,
        build INTEGER NOT NULL DEFAULT 0,
        embedding TEXT NOT NULL DEFAULT '',
        fingerprint TEXT NOT NULL DEFAULT '',
        reading TEXT NOT NULL DEFAULT '',
        roots TEXT NOT NULL DEFAULT '[]',
        mark TEXT NOT NULL DEFAULT ''
    );
    INSERT INTO state (id) VALUES (1);

    -- Who writes now, and until when unless it gives a sign of life.
    CREATE TABLE turns (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        holder TEXT NOT NULL,
        until TIMESTAMPTZ NOT NULL
    );

    CREATE TABLE files (
        key TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        size BIGINT NOT NULL,
        mtime_ns BIGINT NOT NULL,
        sha256 TEXT NOT NULL,
        notes TEXT NOT NULL,
        address TEXT NOT NULL
    );

    CREATE TABLE documents (
        key TEXT PRIMARY KEY,
        file TEXT NOT NULL REFERENCES files (key) DEFERRABLE INITIALLY DEFERRED,
        title TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        language TEXT NOT NULL,
        characters BIGINT NOT NULL,
        url TEXT NOT NULL,
        mark TEXT NOT NULL
    );
    CREATE INDEX documents_of_file ON documents (file);

    CREATE TABLE passages (
        number BIGINT PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        document TEXT NOT NULL REFERENCES documents (key) DEFERRABLE INITIALLY DEFERRED,
        ordinal INTEGER NOT NULL,
        heading TEXT NOT NULL,
        text TEXT NOT NULL,
        content TEXT NOT NULL,
        lead INTEGER NOT NULL,
        lead_heading TEXT NOT NULL,
        anchors TEXT NOT NULL
    );
    CREATE UNIQUE INDEX passages_of_document ON passages (document, ordinal);
    CREATE INDEX passages_of_content ON passages (content);

    CREATE TABLE words (rowid BIGINT PRIMARY KEY, terms TEXT NOT NULL);

    CREATE TABLE vectors (
        content TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        vector BYTEA NOT NULL,
        PRIMARY KEY (content, fingerprint)
    );

    -- The number grows with every version of a file.
    CREATE TABLE uploads (
        name TEXT PRIMARY KEY,
        number BIGINT GENERATED ALWAYS AS IDENTITY UNIQUE,
        content BYTEA NOT NULL
    );
    """,
    "ALTER TABLE state ADD COLUMN read_at DOUBLE PRECISION NOT NULL DEFAULT 0",
)


def upgrade(engine: sa.Engine, place: str) -> None:
    """Make the tables, or bring them to the newest form; several machines may try at once.

    The connections have the search path `SCHEMA`. Raises `StorageError` if a newer version made the tables.
    """
    with engine.begin() as connection:
        connection.exec_driver_sql(f"SELECT pg_advisory_xact_lock({_UPGRADE_LOCK})")
        connection.exec_driver_sql(f"CREATE SCHEMA IF NOT EXISTS {SCHEMA}")
        # The name tells this database from one that is made anew in its place.
        connection.exec_driver_sql(
            "CREATE TABLE IF NOT EXISTS version"
            " (number INTEGER NOT NULL, name TEXT NOT NULL DEFAULT gen_random_uuid()::text)"
        )
        connection.exec_driver_sql("ALTER TABLE version ADD COLUMN IF NOT EXISTS oldest INTEGER")
        version, oldest = connection.exec_driver_sql(
            "SELECT coalesce(max(number), 0), max(coalesce(oldest, number)) FROM version"
        ).one()
        if version > len(_MIGRATIONS) and oldest > len(_MIGRATIONS):
            raise StorageError(
                f"the database {place} was made by a newer version of Think Twice; install that version"
            )
        for number, script in enumerate(_MIGRATIONS[version:], start=version + 1):
            connection.exec_driver_sql(script)
            row = {"number": number, "oldest": min(number, _OLDEST)}
            connection.execute(sa.text("INSERT INTO version (number, oldest) VALUES (:number, :oldest)"), row)
