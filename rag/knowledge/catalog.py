"""Reads files and documents of a generation from the database, and writes a new generation into it."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from rag.knowledge.documents import Chunk
from rag.knowledge.embedder import Vectors
from rag.knowledge.store import State
from rag.reasons import Reason, from_json
from rag.values import PassageId


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was last seen.

    Args:
        key: Its name inside the corpus.
        path: Where it is stored.
        size: Bytes.
        mtime_ns: Its modification time in nanoseconds, or -1 if that cannot be relied on.
        sha256: Hash of its bytes; empty when it could not be read, so that the next sync tries again.
        notes: The reasons why parts of it could not be read.
        address: Where the settings say that it can be opened, or an empty string.
    """

    key: str
    path: str
    size: int
    mtime_ns: int
    sha256: str
    notes: tuple[Reason, ...] = ()
    address: str = ""


@dataclass(frozen=True, slots=True)
class DocumentRecord:
    """A document without its text."""

    key: str
    file: str
    title: str
    sha256: str
    language: str
    characters: int
    url: str = ""


@dataclass(frozen=True, slots=True)
class PassageRecord:
    """A passage as it is written to the database.

    Args:
        chunk: The passage.
        content: Hash of its embedded text: the key of its vector.
        terms: Its terms in the word index, separated by spaces.
    """

    chunk: Chunk
    content: str
    terms: str


@dataclass(frozen=True, slots=True)
class Catalog:
    """Every file and document of one generation, by key."""

    files: Mapping[str, FileRecord]
    documents: Mapping[str, DocumentRecord]

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Catalog:
        """Read the catalog of the generation that this connection sees."""
        files = connection.execute("SELECT key, path, size, mtime_ns, sha256, notes, address FROM files")
        documents = connection.execute(
            "SELECT key, file, title, sha256, language, characters, url FROM documents"
        )
        return cls(
            {
                key: FileRecord(
                    key, path, size, mtime_ns, sha256, tuple(map(from_json, json.loads(notes))), address
                )
                for key, path, size, mtime_ns, sha256, notes, address in files
            },
            {row[0]: DocumentRecord(*row) for row in documents},
        )


def write_files(
    connection: sqlite3.Connection, before: Mapping[str, FileRecord], files: Iterable[FileRecord]
) -> None:
    """Replace the stored files, writing only what differs.

    Args:
        connection: In a write transaction.
        before: The files that are stored now, by key.
        files: The files to be stored.
    """
    after = {file.key: file for file in files}
    connection.executemany("DELETE FROM files WHERE key = ?", ((key,) for key in before.keys() - after))
    connection.executemany(
        "INSERT OR REPLACE INTO files (key, path, size, mtime_ns, sha256, notes, address)"
        " VALUES (?, ?, ?, ?, ?, ?, ?)",
        (
            (
                file.key,
                file.path,
                file.size,
                file.mtime_ns,
                file.sha256,
                json.dumps([note.to_json() for note in file.notes]),
                file.address,
            )
            for key, file in after.items()
            if before.get(key) != file
        ),
    )


def write_documents(
    connection: sqlite3.Connection,
    removed: Iterable[str],
    written: Sequence[tuple[DocumentRecord, Sequence[PassageRecord]]],
) -> None:
    """Remove documents and write new or changed ones, together with their passages and words.

    Args:
        connection: In a write transaction.
        removed: Keys of documents.
        written: Documents with their passages in reading order.
    """
    for key in (*removed, *(document.key for document, _ in written)):
        connection.execute(
            "DELETE FROM words WHERE rowid IN (SELECT number FROM passages WHERE document = ?)", (key,)
        )
        connection.execute("DELETE FROM passages WHERE document = ?", (key,))
        connection.execute("DELETE FROM documents WHERE key = ?", (key,))
    for document, passages in written:
        connection.execute(
            "INSERT INTO documents (key, file, title, sha256, language, characters, url)"
            " VALUES (:key, :file, :title, :sha256, :language, :characters, :url)",
            asdict(document),
        )
        for passage in passages:
            _write_passage(connection, document.key, passage)


def write_state(connection: sqlite3.Connection, state: State) -> None:
    """Replace the state."""
    connection.execute(
        "UPDATE state SET generation = :generation, build = :build, embedding = :embedding,"
        " fingerprint = :fingerprint, reading = :reading, roots = :roots",
        asdict(state),
    )


def delete_unused_vectors(connection: sqlite3.Connection, fingerprint: str) -> None:
    """Delete vectors of other embeddings and of texts that no passage has."""
    connection.execute(
        "DELETE FROM vectors WHERE fingerprint != ?"
        " OR NOT EXISTS (SELECT 1 FROM passages WHERE passages.content = vectors.content)",
        (fingerprint,),
    )


def write_vectors(connection: sqlite3.Connection, fingerprint: str, vectors: Mapping[str, Vectors]) -> None:
    """Store vectors by the hash of their text."""
    connection.executemany(
        "INSERT OR REPLACE INTO vectors (content, fingerprint, vector) VALUES (?, ?, ?)",
        ((content, fingerprint, vector.astype(np.float32).tobytes()) for content, vector in vectors.items()),
    )


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """The file that a document was read from, and how many documents it holds."""

    path: str
    documents: int


def file_of_document(connection: sqlite3.Connection, document: str) -> DocumentFile | None:
    """The file of the document with this key; None for an unknown key."""
    row = connection.execute(
        "SELECT files.path, (SELECT count(*) FROM documents AS others WHERE others.file = files.key)"
        " FROM documents JOIN files ON files.key = documents.file WHERE documents.key = ?",
        (document,),
    ).fetchone()
    return DocumentFile(*row) if row else None


def passage_counts(connection: sqlite3.Connection) -> dict[str, int]:
    """How many passages each document has, by its key."""
    return dict(connection.execute("SELECT document, count(*) FROM passages GROUP BY document").fetchall())


def embedded(connection: sqlite3.Connection, contents: Iterable[str], fingerprint: str) -> set[str]:
    """The given contents that already have a vector of this embedding."""
    rows = connection.execute(
        "SELECT content FROM vectors WHERE fingerprint = ? AND content IN (SELECT value FROM json_each(?))",
        (fingerprint, json.dumps(list(contents))),
    )
    return {row[0] for row in rows}


def stored_texts(connection: sqlite3.Connection, documents: Iterable[str]) -> dict[str, str]:
    """The texts of the documents' stored passages that have to be embedded, by content hash."""
    rows = connection.execute(
        "SELECT content, id, heading, text, ordinal FROM passages"
        " WHERE document IN (SELECT value FROM json_each(?))",
        (json.dumps(list(documents)),),
    )
    return {content: Chunk(PassageId(chunk), *rest).embedded_text for content, chunk, *rest in rows}


def _write_passage(connection: sqlite3.Connection, document: str, passage: PassageRecord) -> None:
    chunk = passage.chunk
    number = connection.execute(
        "INSERT INTO passages (id, document, ordinal, heading, text, content, lead, lead_heading, anchors)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            chunk.id,
            document,
            chunk.ordinal,
            chunk.heading,
            chunk.text,
            passage.content,
            chunk.lead,
            chunk.lead_heading,
            json.dumps([[anchor.start, anchor.name] for anchor in chunk.anchors]),
        ),
    ).lastrowid
    connection.execute("INSERT INTO words (rowid, terms) VALUES (?, ?)", (number, passage.terms))
