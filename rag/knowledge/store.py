"""The file of the knowledge base: one SQLite database from which everything else can be rebuilt.

Readers never wait for a sync: in WAL mode a connection that has begun to read keeps seeing the state
from before the commit that replaces the documents.

`synchronous=NORMAL`: a killed process loses nothing that was committed. After a power cut the last
commits may be lost, but the file is intact, and a repeated sync restores them from the documents.
"""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from rag.errors import KnowledgeBusyError, KnowledgeError
from rag.knowledge.origin import Connection, Writing
from rag.knowledge.write_ahead import switch_to_write_ahead_log
from rag.reasons import Reason, reason_of_os

FILE_NAME: Final = "knowledge.sqlite3"
_LOCK_NAME: Final = "knowledge.lock"
_BUSY_SECONDS: Final = 10.0

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
        roots TEXT NOT NULL DEFAULT '[]'
    );
    INSERT INTO state (id) VALUES (1);

    CREATE TABLE files (
        key TEXT PRIMARY KEY,
        path TEXT NOT NULL,
        size INTEGER NOT NULL,
        mtime_ns INTEGER NOT NULL,
        sha256 TEXT NOT NULL,
        notes TEXT NOT NULL
    );

    CREATE TABLE documents (
        key TEXT PRIMARY KEY,
        file TEXT NOT NULL REFERENCES files (key) DEFERRABLE INITIALLY DEFERRED,
        title TEXT NOT NULL,
        sha256 TEXT NOT NULL,
        language TEXT NOT NULL,
        characters INTEGER NOT NULL
    );
    CREATE INDEX documents_of_file ON documents (file);

    CREATE TABLE passages (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        document TEXT NOT NULL REFERENCES documents (key) DEFERRABLE INITIALLY DEFERRED,
        ordinal INTEGER NOT NULL,
        heading TEXT NOT NULL,
        text TEXT NOT NULL,
        content TEXT NOT NULL
    );
    CREATE UNIQUE INDEX passages_of_document ON passages (document, ordinal);
    CREATE INDEX passages_of_content ON passages (content);

    CREATE TABLE vectors (
        content TEXT NOT NULL,
        fingerprint TEXT NOT NULL,
        vector BLOB NOT NULL,
        UNIQUE (content, fingerprint)
    );

    -- Terms are cut and stemmed by us; 'ascii' splits them at spaces and nowhere else.
    CREATE VIRTUAL TABLE words USING fts5 (terms, tokenize = 'ascii');
    CREATE VIRTUAL TABLE word_counts USING fts5vocab (words, 'row');
    """,
    """
    ALTER TABLE passages ADD COLUMN lead INTEGER NOT NULL DEFAULT 0;
    ALTER TABLE passages ADD COLUMN lead_heading TEXT NOT NULL DEFAULT '';
    """,
    """
    ALTER TABLE files ADD COLUMN address TEXT NOT NULL DEFAULT '';
    ALTER TABLE documents ADD COLUMN url TEXT NOT NULL DEFAULT '';
    ALTER TABLE passages ADD COLUMN anchors TEXT NOT NULL DEFAULT '[]';
    """,
    # A mark tells who wrote a row last. Every file begins with marks of its own, because a copy of a database
    # must not take the rows of another one for its own.
    """
    ALTER TABLE state ADD COLUMN mark TEXT NOT NULL DEFAULT '';
    ALTER TABLE documents ADD COLUMN mark TEXT NOT NULL DEFAULT '';
    UPDATE state SET mark = lower(hex(randomblob(8)));
    UPDATE documents SET mark = (SELECT mark FROM state);
    """,
    "ALTER TABLE state ADD COLUMN read_at REAL NOT NULL DEFAULT 0;",
)


@dataclass(frozen=True, slots=True)
class State:
    """The current state of the knowledge base.

    Args:
        generation: Grows by one with every sync that changed something; 0 before the first.
        build: Grows by one with every forced rebuild.
        embedding: Name of the embedding model, empty before the first sync.
        reading: How documents were read and split; if it changes, all must be read again.
        roots: The corpus paths, as JSON.
        read_at: When the corpus was read last, in seconds of the epoch; 0: never, or by an older version.
    """

    generation: int
    build: int
    embedding: str
    fingerprint: str
    reading: str
    roots: str
    read_at: float = 0.0


class Store:
    """Opens, migrates and lends connections; thread-safe. The folder is created if it does not exist.

    Raises:
        KnowledgeError: The file cannot be opened, read or written, is damaged or comes from a newer version.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / FILE_NAME
        self._idle: list[sqlite3.Connection] = []
        self._lock = threading.Lock()
        self._is_closed = False
        with self._translated():
            folder.mkdir(parents=True, exist_ok=True)
            connection = self._connect()
            try:
                self._migrate(connection)
            except BaseException:
                connection.close()
                raise
            self._idle.append(connection)

    def close(self) -> None:
        """Close every connection; active readers close theirs when they are done."""
        with self._lock:
            self._is_closed = True
            connections, self._idle = self._idle, []
        for connection in connections:
            connection.close()

    @contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """A connection that sees a snapshot of the database."""
        with self._translated(), self._borrowed() as connection:
            connection.execute("BEGIN")
            try:
                yield connection
            finally:
                connection.execute("ROLLBACK")

    @contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """A connection in a write transaction: committed at the end, rolled back on an exception."""
        with self._translated(), self._borrowed() as connection:
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # After some errors, such as a full disk, SQLite has already rolled back.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    @contextmanager
    def alone(self) -> Iterator[Writing]:
        """Be the only process that brings this file up to date; as `Origin.alone`."""
        from filelock import FileLock, Timeout

        folder = self.path.parent
        lock = FileLock(folder / _LOCK_NAME, timeout=0)
        try:
            lock.acquire()
        except Timeout as error:
            raise KnowledgeBusyError(Reason("indexing", {"folder": str(folder)})) from error
        except OSError as error:
            raise KnowledgeError(
                Reason("data-folder", {"folder": str(folder), "reason": reason_of_os(error)})
            ) from error
        try:
            yield self.writing
        finally:
            lock.release()

    def state(self) -> State:
        """Return the current state."""
        with self.reading() as connection:
            return read_state(connection)

    @contextmanager
    def _borrowed(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            connection = self._idle.pop() if self._idle else None
        connection = connection or self._connect()
        try:
            yield connection
        finally:
            with self._lock:
                is_kept = not self._is_closed and not connection.in_transaction
                if is_kept:
                    self._idle.append(connection)
            if not is_kept:
                connection.close()

    def _connect(self) -> sqlite3.Connection:
        connection = sqlite3.connect(
            self.path, timeout=_BUSY_SECONDS, isolation_level=None, check_same_thread=False
        )
        try:
            switch_to_write_ahead_log(connection, _BUSY_SECONDS)
            connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
            connection.execute("PRAGMA cache_size = -16000")
        except BaseException:
            connection.close()
            raise
        return connection

    def _migrate(self, connection: sqlite3.Connection) -> None:
        version = _version(connection)
        if version > len(_MIGRATIONS):
            raise KnowledgeError(Reason("knowledge-newer", {"path": str(self.path)}))
        if version == len(_MIGRATIONS):
            return
        connection.execute("BEGIN IMMEDIATE")
        try:
            # Read again: another process may have been first.
            for script in _MIGRATIONS[_version(connection) :]:
                for statement in _statements(script):
                    connection.execute(statement)
            connection.execute(f"PRAGMA user_version = {len(_MIGRATIONS)}")
            connection.execute("COMMIT")
        except BaseException:
            with suppress(sqlite3.OperationalError):  # nothing to roll back
                connection.execute("ROLLBACK")
            raise

    @contextmanager
    def _translated(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            raise KnowledgeError(_reason(error, str(self.path))) from error
        except OSError as error:
            if not self._is_ours(error):
                raise
            raise KnowledgeError(
                Reason("data-folder", {"folder": str(self.path.parent), "reason": reason_of_os(error)})
            ) from error

    def _is_ours(self, error: OSError) -> bool:
        return error.filename is not None and self.path.is_relative_to(str(error.filename))


def read_state(connection: Connection) -> State:
    """Return the state as this connection sees it."""
    row = connection.execute(
        "SELECT generation, build, embedding, fingerprint, reading, roots, read_at FROM state"
    ).fetchone()
    return State(*row)


def _version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def _statements(script: str) -> Iterator[str]:
    """Split a script; `executescript` would commit the transaction it runs in."""
    statement = ""
    for line in script.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""


def _reason(error: sqlite3.Error, path: str) -> Reason:
    # Extended codes hold the primary one in their low byte.
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_ERROR) & 0xFF
    if code in {sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED}:
        return Reason("knowledge-locked", {"path": path})
    if code in {sqlite3.SQLITE_FULL, sqlite3.SQLITE_IOERR}:
        return Reason("knowledge-not-written", {"path": path, "error": str(error)})
    if code in {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}:
        return Reason("knowledge-damaged", {"path": path})
    if code in {sqlite3.SQLITE_READONLY, sqlite3.SQLITE_CANTOPEN, sqlite3.SQLITE_PERM}:
        return Reason("knowledge-not-opened", {"path": path, "error": str(error)})
    return Reason("knowledge-failed", {"path": path, "error": str(error)})
