"""Reads files and documents of a generation from a database, and writes a new generation into it.

The statements serve every `Origin`: a SQLite file and a server alike.
"""

from __future__ import annotations

import hashlib
import json
import random
import secrets
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, TypeAlias

from rag.knowledge.documents import Chunk
from rag.knowledge.origin import Connection, select_in
from rag.knowledge.store import State
from rag.reasons import Reason, from_json
from rag.values import PassageId

_Values: TypeAlias = Mapping[str, Any]
"""Columns of a row by name."""


@dataclass(frozen=True, slots=True)
class FileRecord:
    """A file as it was last seen.

    Args:
        mtime_ns: Its modification time in nanoseconds, or -1 if that cannot be relied on.
        sha256: Hash of its bytes; empty when it could not be read, so that the next sync tries again.
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
class Catalog:
    """Every file and document of one generation, by key."""

    files: Mapping[str, FileRecord]
    documents: Mapping[str, DocumentRecord]

    @classmethod
    def read(cls, connection: Connection, folder: Path) -> Catalog:
        """Read the catalog of the generation that this connection sees; `folder` is the data folder."""
        files = connection.execute("SELECT key, path, size, mtime_ns, sha256, notes, address FROM files")
        documents = connection.execute(
            "SELECT key, file, title, sha256, language, characters, url FROM documents"
        )
        return cls(
            {
                key: FileRecord(
                    key,
                    absolute_path(path, folder),
                    size,
                    mtime_ns,
                    sha256,
                    tuple(map(from_json, json.loads(notes))),
                    address,
                )
                for key, path, size, mtime_ns, sha256, notes, address in files
            },
            {row[0]: DocumentRecord(*row) for row in documents},
        )


def stored_path(path: str, folder: Path) -> str:
    """Return a path as it is stored: relative to the data folder if it is inside.

    So the data folder can be moved, and machines with different data folders can share the records.
    """
    # Without `Path`, which would take longer than reading the rows.
    return path.removeprefix(f"{folder}/")


def absolute_path(stored: str, folder: Path) -> str:
    """Return the absolute path of a stored one: the reverse of `stored_path`."""
    return stored if stored.startswith("/") else f"{folder}/{stored}"


def read_roots(state: State, folder: Path) -> list[Path]:
    """The corpus paths of the last sync."""
    return [Path(absolute_path(root, folder)) for root in json.loads(state.roots)]


def new_mark() -> str:
    """A random text that tells one write from every other."""
    return secrets.token_hex(8)


def read_mark(connection: Connection) -> str:
    """The mark of the last sync, which has written everything that this connection sees."""
    (mark,) = connection.execute("SELECT mark FROM state").fetchone()
    return str(mark)


def write_files(
    connection: Connection, before: Mapping[str, FileRecord], files: Iterable[FileRecord], folder: Path
) -> None:
    """Replace the stored files, writing only what differs."""
    after = {file.key: file for file in files}
    written = [file for key, file in after.items() if before.get(key) != file]
    rows = [
        asdict(file)
        | {
            "path": stored_path(file.path, folder),
            "notes": json.dumps([note.to_json() for note in file.notes]),
        }
        for file in written
    ]
    replace_files(connection, before.keys() - after, rows)


def replace_files(connection: Connection, removed: Iterable[str], written: Sequence[_Values]) -> None:
    """Delete some files and write others, in place of those with their keys."""
    keys = [*removed, *(row["key"] for row in written)]
    # References between rows are checked at the end of the transaction.
    connection.executemany("DELETE FROM files WHERE key = :key", [{"key": key} for key in keys])
    insert(connection, "files", written)


def delete_documents(connection: Connection, keys: Iterable[str]) -> None:
    """Delete documents with their passages and words; unknown ones are deleted already."""
    listed = [{"key": key} for key in keys]
    connection.executemany(
        "DELETE FROM words WHERE rowid IN (SELECT number FROM passages WHERE document = :key)", listed
    )
    connection.executemany("DELETE FROM passages WHERE document = :key", listed)
    connection.executemany("DELETE FROM documents WHERE key = :key", listed)


def write_documents(
    connection: Connection, written: Sequence[tuple[DocumentRecord, Sequence[Chunk]]], mark: str
) -> None:
    """Write new or changed documents, with their passages and words, in place of those with their keys."""
    delete_documents(connection, (document.key for document, _ in written))
    insert(connection, "documents", [{**asdict(document), "mark": mark} for document, _ in written])
    insert_passages(
        connection,
        [
            asdict(passage)
            | {
                "document": document.key,
                "content": passage.content,
                "anchors": json.dumps([[anchor.start, anchor.name] for anchor in passage.anchors]),
            }
            for document, passages in written
            for passage in passages
        ],
    )


def insert_passages(connection: Connection, rows: Sequence[_Values]) -> None:
    """Insert passages and, from their ``terms``, their words."""
    (last,) = connection.execute("SELECT coalesce(max(number), 0) FROM passages").fetchone()
    passages = [{name: row[name] for name in row if name != "terms"} for row in rows]
    words = [{"rowid": number, "terms": row["terms"]} for number, row in enumerate(rows, start=last + 1)]
    insert(
        connection, "passages", [{**row, "number": number} for number, row in enumerate(passages, last + 1)]
    )
    insert(connection, "words", words)


def insert(connection: Connection, table: str, rows: Sequence[_Values]) -> None:
    """Insert rows of a table that are not stored; all hold the same columns, by name."""
    if rows:
        columns, values = ", ".join(rows[0]), ", ".join(f":{name}" for name in rows[0])
        connection.executemany(f"INSERT INTO {table} ({columns}) VALUES ({values})", rows)  # noqa: S608 - our own names


def write_state(connection: Connection, state: State, mark: str) -> None:
    """Replace the state and the mark of the last sync."""
    values = {**asdict(state), "mark": mark}
    columns = ", ".join(f"{name} = :{name}" for name in values)
    connection.execute(f"UPDATE state SET {columns}", values)  # noqa: S608 - our own names


def delete_unused_vectors(connection: Connection, fingerprint: str) -> None:
    """Delete vectors of other embeddings and of texts that no passage has."""
    connection.execute(
        "DELETE FROM vectors WHERE fingerprint != :fingerprint"
        " OR NOT EXISTS (SELECT 1 FROM passages WHERE passages.content = vectors.content)",
        {"fingerprint": fingerprint},
    )


def write_vectors(connection: Connection, fingerprint: str, vectors: Mapping[str, bytes]) -> None:
    """Store vectors, as bytes of float32, by the hash of their text."""
    connection.executemany(
        "INSERT INTO vectors (content, fingerprint, vector) VALUES (:content, :fingerprint, :vector)"
        " ON CONFLICT (content, fingerprint) DO UPDATE SET vector = excluded.vector",
        [
            {"content": content, "fingerprint": fingerprint, "vector": vector}
            for content, vector in vectors.items()
        ],
    )


@dataclass(frozen=True, slots=True)
class DocumentFile:
    """The file that a document was read from, and how many documents it holds."""

    path: str
    documents: int


def file_of_document(connection: Connection, document: str, folder: Path) -> DocumentFile | None:
    """The file of the document with this key; None for an unknown key."""
    row = connection.execute(
        "SELECT files.path, (SELECT count(*) FROM documents AS others WHERE others.file = files.key)"
        " FROM documents JOIN files ON files.key = documents.file WHERE documents.key = :document",
        {"document": document},
    ).fetchone()
    return DocumentFile(absolute_path(row[0], folder), row[1]) if row else None


def passages_around(connection: Connection, passage: str, reach: int) -> Sequence[tuple[str, str, str, str]]:
    """File key, id, heading and text of a passage and of those before and behind it, in reading order."""
    return connection.execute(
        "SELECT file, near.id, near.heading, near.text FROM passages AS cited JOIN passages AS near"
        " ON near.document = cited.document JOIN documents ON key = cited.document"
        " WHERE cited.id = :passage AND abs(near.ordinal - cited.ordinal) <= :reach ORDER BY near.ordinal",
        {"passage": passage, "reach": reach},
    ).fetchall()


def headings_by_chance(connection: Connection, tries: int) -> list[Sequence[str]]:
    """File key, title and heading of the documents of some passages, which chance chooses."""
    (last,) = connection.execute("SELECT coalesce(max(number), 0) FROM passages").fetchone()
    numbers = map(str, random.sample(range(1, last + 1), min(tries, last)))
    statement = "SELECT file, title, heading FROM passages JOIN documents ON key = document"
    return list(select_in(connection, statement + " WHERE heading != '' AND number IN ({wanted})", numbers))


def find_changed(connection: Connection, documents: Iterable[str], folder: Path) -> frozenset[str]:
    """Return those of some documents whose files are not as they were read, by key; it may read the files.

    On a machine without the folder of a file, nobody can tell, and the file counts as unchanged.
    """
    statement = (
        "SELECT documents.key, path, size, mtime_ns, files.sha256 FROM documents"
        " JOIN files ON files.key = documents.file WHERE documents.key IN ({wanted})"
    )
    return frozenset(
        key
        for key, path, *known in select_in(connection, statement, documents)
        if _has_changed(Path(absolute_path(path, folder)), *known)
    )


def _has_changed(path: Path, size: int, mtime_ns: int, sha256: str) -> bool:
    try:
        status = path.stat()
        if (status.st_size, status.st_mtime_ns) == (size, mtime_ns):
            return False
        with path.open("rb") as file:
            return status.st_size != size or hashlib.file_digest(file, "sha256").hexdigest() != sha256
    except OSError:
        return path.parent.is_dir()


def passage_counts(connection: Connection) -> dict[str, int]:
    """Return how many passages each document has, by its key."""
    rows = connection.execute("SELECT document, count(*) FROM passages GROUP BY document")
    return dict(rows.fetchall())


def embedded(connection: Connection, contents: Iterable[str], fingerprint: str) -> set[str]:
    """The given contents that already have a vector of this embedding."""
    statement = "SELECT content FROM vectors WHERE fingerprint = :fingerprint AND content IN ({wanted})"
    return {row[0] for row in select_in(connection, statement, contents, {"fingerprint": fingerprint})}


def stored_texts(connection: Connection, documents: Iterable[str]) -> dict[str, str]:
    """The texts of the documents' stored passages that have to be embedded, by content hash."""
    statement = "SELECT content, id, heading, text, ordinal FROM passages WHERE document IN ({wanted})"
    return {
        content: Chunk(PassageId(chunk), heading, text, ordinal).embedded_text
        for content, chunk, heading, text, ordinal in select_in(connection, statement, documents)
    }
