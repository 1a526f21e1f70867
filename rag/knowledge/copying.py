"""Brings one knowledge base to the state of another one without embedding anything.

Each of several machines searches a copy of what they share. Documents carry the mark of the sync that wrote
them, so only those that differ are copied, and only vectors that are missing.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from rag.knowledge import catalog
from rag.knowledge.origin import Connection, Origin, Row, Writing, select_in
from rag.knowledge.store import read_state

_TOGETHER: Final = 500
"""Documents or vectors that are read at once."""

_FILES: Final = ("key", "path", "size", "mtime_ns", "sha256", "notes", "address")
_DOCUMENTS: Final = ("key", "file", "title", "sha256", "language", "characters", "url", "mark")
_PASSAGES: Final = (
    "id", "document", "ordinal", "heading", "text", "content", "lead", "lead_heading", "anchors", "terms",
)  # fmt: skip
_PASSAGES_OF: Final = (
    f"SELECT {', '.join(_PASSAGES)} FROM passages JOIN words ON words.rowid = passages.number"  # noqa: S608
    " WHERE document IN ({wanted}) ORDER BY document, ordinal"
)
_VECTORS: Final = (
    "SELECT content, vector FROM vectors WHERE fingerprint = :fingerprint AND content IN ({wanted})"
)


def copy(source: Origin, target: Origin) -> bool:
    """Bring the target to the state of the source, and return whether it was in another one; blocking.

    Whoever searches the target sees its previous generation until everything is there.

    Raises:
        KnowledgeBusyError: Somebody else writes to the target.
        ThinkTwiceError: One of them cannot be used.
    """
    with source.reading() as reader:
        with target.reading() as held:
            if catalog.read_mark(reader) == catalog.read_mark(held):
                return False
        with target.alone() as writing:
            _copy(reader, target, writing)
    return True


def _copy(reader: Connection, target: Origin, writing: Writing) -> None:
    state = read_state(reader)
    files, documents = _read(reader, "files", _FILES), _read(reader, "documents", _DOCUMENTS)
    with target.reading() as held:
        files_before = _read(held, "files", _FILES)
        documents_before = _read(held, "documents", _DOCUMENTS)
        written = [key for key, row in documents.items() if documents_before.get(key) != row]
        in_documents = "SELECT DISTINCT content FROM passages WHERE document IN ({wanted})"
        contents = {row[0] for row in select_in(reader, in_documents, written)}
        missing = contents - catalog.embedded(held, contents, state.fingerprint)
    for vectors in _portions(reader, _VECTORS, sorted(missing), {"fingerprint": state.fingerprint}):
        with writing() as writer:
            found = {content: bytes(vector) for content, vector in vectors}
            catalog.write_vectors(writer, state.fingerprint, found)
    with writing() as writer:
        catalog.delete_documents(writer, [*(documents_before.keys() - documents.keys()), *written])
        catalog.replace_files(
            writer,
            files_before.keys() - files.keys(),
            [row for key, row in files.items() if files_before.get(key) != row],
        )
        catalog.insert(writer, "documents", [documents[key] for key in written])
        for passages in _portions(reader, _PASSAGES_OF, written):
            rows = [dict(zip(_PASSAGES, row, strict=True)) for row in passages]
            catalog.insert_passages(writer, rows)
        catalog.write_state(writer, state, catalog.read_mark(reader))
    with writing() as writer:
        catalog.delete_unused_vectors(writer, state.fingerprint)


def _read(connection: Connection, table: str, columns: Sequence[str]) -> dict[str, dict[str, Any]]:
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608 - constants of this file
    return {row[0]: dict(zip(columns, row, strict=True)) for row in rows}


def _portions(
    connection: Connection, statement: str, wanted: Sequence[str], values: Mapping[str, Any] | None = None
) -> Iterator[list[Row]]:
    for start in range(0, len(wanted), _TOGETHER):
        yield list(select_in(connection, statement, wanted[start : start + _TOGETHER], values))
