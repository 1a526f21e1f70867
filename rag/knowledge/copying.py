"""Brings one knowledge base to the state of another one without embedding anything.

Each of several machines searches a copy of what they share. Documents carry the mark of the sync that wrote
them, so only those that differ are copied, and only vectors that are missing.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
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


def copy(source: Origin, target: Origin) -> bool:
    """Bring the target to the state of the source; blocking.

    Whoever searches the target sees its previous generation until everything is there.

    Returns:
        Whether the target was in another state before.

    Raises:
        KnowledgeBusyError: Somebody else writes to the target.
        ThinkTwiceError: One of them cannot be used.
    """
    with source.reading() as reader:
        if _is_same(reader, target):
            return False
        with target.alone() as writing:
            _copy(reader, target, writing)
    return True


def _is_same(reader: Connection, target: Origin) -> bool:
    with target.reading() as held:
        return catalog.read_mark(reader) == catalog.read_mark(held)


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
    for vectors in _vectors(reader, missing, state.fingerprint):
        with writing() as writer:
            catalog.insert_vectors(writer, state.fingerprint, vectors)
    with writing() as writer:
        catalog.delete_documents(writer, [*(documents_before.keys() - documents.keys()), *written])
        # References between rows are checked at the end of the transaction.
        catalog.replace_files(
            writer,
            files_before.keys() - files.keys(),
            [_named(_FILES, row) for key, row in files.items() if files_before.get(key) != row],
        )
        catalog.insert_documents(writer, [_named(_DOCUMENTS, documents[key]) for key in written])
        for passages in _passages(reader, written):
            catalog.insert_passages(writer, passages)
        catalog.write_state(writer, state, catalog.read_mark(reader))
    with writing() as writer:
        catalog.delete_unused_vectors(writer, state.fingerprint)


def _read(connection: Connection, table: str, columns: Sequence[str]) -> dict[str, tuple[Any, ...]]:
    rows = connection.execute(f"SELECT {', '.join(columns)} FROM {table}")  # noqa: S608 - constants of this file
    return {row[0]: tuple(row) for row in rows}


def _vectors(connection: Connection, contents: Iterable[str], fingerprint: str) -> Iterator[dict[str, bytes]]:
    statement = (
        "SELECT content, vector FROM vectors WHERE fingerprint = :fingerprint AND content IN ({wanted})"
    )
    for portion in _portions(sorted(contents)):
        rows = select_in(connection, statement, portion, {"fingerprint": fingerprint})
        yield {content: bytes(vector) for content, vector in rows}


def _passages(connection: Connection, documents: Sequence[str]) -> Iterator[list[Mapping[str, Any]]]:
    statement = (
        f"SELECT {', '.join(_PASSAGES)} FROM passages JOIN words ON words.rowid = passages.number"  # noqa: S608
        " WHERE document IN ({wanted}) ORDER BY document, ordinal"
    )
    for portion in _portions(documents):
        yield [_named(_PASSAGES, row) for row in select_in(connection, statement, portion)]


def _portions(values: Sequence[str]) -> Iterator[Sequence[str]]:
    for start in range(0, len(values), _TOGETHER):
        yield values[start : start + _TOGETHER]


def _named(columns: Sequence[str], row: Row) -> Mapping[str, Any]:
    return dict(zip(columns, row, strict=True))
