"""Reads what changed of the corpus and plans the next generation, before anything is written."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from rag.addresses import address_in
from rag.errors import DocumentError
from rag.knowledge.catalog import Catalog, DocumentRecord, FileRecord
from rag.knowledge.documents import Chunk, Document
from rag.knowledge.loaders.content import Content
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import Discovery, Failure, Source
from rag.knowledge.splitter import split
from rag.language.detect import detect
from rag.language.words import terms
from rag.reasons import Reason, reason_of_os
from rag.settings import Knowledge

_READING_VERSION: Final = 7
"""Increase it when unchanged documents must be read, split or stemmed again."""

_PLAIN_KINDS: Final = frozenset({"text", "markdown", "rst", "asciidoc", "csv"})
"""Kinds of files that were emptied, and not damaged, if they are read without a text."""
_FRESH_NS: Final = 2_000_000_000
"""Nanoseconds before the sync within which a file's modification time is not trusted, because the file could
change again within the same tick of the clock."""


def reading_of(settings: Knowledge) -> str:
    """Everything besides the files that determines their passages, as one string."""
    loaders = sorted(settings.langchain_loaders.items())
    return json.dumps([_READING_VERSION, settings.chunk_tokens, loaders, settings.ocr_languages])


class Plan:
    """The next generation, from a comparison of the files with the current one; `read` fills it."""

    def __init__(self, catalog: Catalog, settings: Knowledge) -> None:
        self.files: list[FileRecord] = []
        self.kept: dict[str, DocumentRecord] = {}
        self.written: dict[str, tuple[DocumentRecord, tuple[Chunk, ...]]] = {}
        self._unopened: tuple[Failure, ...] = ()
        self._catalog = catalog
        self._settings = settings
        self._started_ns = time.time_ns()
        self._documents_of: dict[str, list[DocumentRecord]] = {}
        for document in catalog.documents.values():
            self._documents_of.setdefault(document.file, []).append(document)

    @property
    def documents(self) -> list[DocumentRecord]:
        """Every document of the next generation."""
        return [*self.kept.values(), *(document for document, _ in self.written.values())]

    @property
    def failed(self) -> list[Failure]:
        """What could not be read."""
        return [*self._unopened, *(Failure(file.key, note) for file in self.files for note in file.notes)]

    def read(
        self,
        discovery: Discovery,
        roots: Sequence[Path],
        *,
        is_all: bool,
        on_read: Callable[[int, int], None],
    ) -> None:
        """Fill the plan: keep what did not change, read the rest, and tell `on_read` how many of how many."""
        self._unopened = discovery.failed
        pending: list[tuple[Source, FileRecord]] = []
        for source in discovery.sources:
            known = self._catalog.files.get(source.key)
            address = address_in(source.path, self._settings.addresses)
            if known is not None and not is_all and known.address == address and _is_same(known, source):
                self._keep(known)
            else:
                pending.append((source, self._record(source, address)))
        found = {source.key for source in discovery.sources}
        for file in self._catalog.files.values():
            if file.key not in found and _is_hidden(file, discovery.failed, roots):
                self._keep(file)
        with DocumentReader(self._settings) as reader:
            for number, (source, record) in enumerate(pending, start=1):
                self._read_one(reader, source, record, is_all=is_all)
                on_read(number, len(pending))

    def _keep(self, file: FileRecord) -> None:
        self.files.append(file)
        self.kept.update((document.key, document) for document in self._documents_of.get(file.key, ()))

    def _record(self, source: Source, address: str) -> FileRecord:
        is_fresh = source.mtime_ns > self._started_ns - _FRESH_NS
        return FileRecord(
            source.key,
            str(source.path),
            source.size,
            -1 if is_fresh else source.mtime_ns,
            sha256="",
            address=address,
        )

    def _read_one(self, reader: DocumentReader, source: Source, record: FileRecord, *, is_all: bool) -> None:
        known = self._catalog.files.get(source.key)
        try:
            record = replace(record, sha256=_sha256(source.path))
            is_same = known is not None and (known.sha256, known.address) == (record.sha256, record.address)
            if known is not None and is_same and not is_all:
                self._keep(replace(record, notes=known.notes))
                return
            reading = _read_complete(reader, source, record.sha256)
        except DocumentError as error:
            failed = replace(record, sha256="", notes=(error.reason,))
            is_emptied = error.reason.code == "no-text" and source.kind in _PLAIN_KINDS
            if source.size and not is_emptied:
                self._keep(failed)
            else:
                self.files.append(failed)
            return
        self._take(reading, record, is_all=is_all)

    def _take(self, reading: Content, record: FileRecord, *, is_all: bool) -> None:
        notes = list(reading.notes)
        for document in reading.documents:
            owner = self.kept.get(document.key) or self.written.get(document.key, (None,))[0]
            if owner is not None:
                notes.append(Reason("document-twice", {"document": repr(document.key), "file": owner.file}))
                continue
            known = self._catalog.documents.get(document.key)
            sha256 = _document_sha256(document)
            if known is not None and known.sha256 == sha256 and known.file == record.key and not is_all:
                self.kept[document.key] = known
            else:
                self.written[document.key] = self._split(document, record.key, sha256)
        self.files.append(replace(record, notes=tuple(notes)))

    def _split(self, document: Document, file: str, sha256: str) -> tuple[DocumentRecord, tuple[Chunk, ...]]:
        text = "\n".join(section.text for section in document.sections)
        language = detect(text)
        passages = tuple(
            replace(chunk, terms=" ".join(terms(chunk.embedded_text, language)))
            for chunk in split(document, self._settings)
        )
        record = DocumentRecord(document.key, file, document.title, sha256, language, len(text), document.url)
        return record, passages


def _is_same(known: FileRecord, source: Source) -> bool:
    seen = (str(source.path), source.size, source.mtime_ns)
    return bool(known.sha256) and (known.path, known.size, known.mtime_ns) == seen


def _is_hidden(file: FileRecord, failed: Iterable[Failure], roots: Iterable[Path]) -> bool:
    """Whether a file is in a folder that cannot be opened at the moment, so it does not count as deleted."""
    for failure in failed:
        if file.key == failure.path or file.key.startswith(f"{failure.path}/"):
            return True
        if any(root.name == failure.path and Path(file.path).is_relative_to(root) for root in roots):
            return True
    return False


def _read_complete(reader: DocumentReader, source: Source, sha256: str) -> Content:
    reading = reader.read(source)
    if _sha256(source.path) != sha256:
        raise DocumentError(Reason("file-being-written"))
    return reading


def _sha256(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise DocumentError(Reason("file-not-opened", {"reason": reason_of_os(error)})) from error


def _document_sha256(document: Document) -> str:
    content: list[object] = [
        document.title,
        [[section.heading, section.text] for section in document.sections],
    ]
    places = [
        [section, anchor.start, anchor.name]
        for section, found in enumerate(document.sections)
        for anchor in found.anchors
    ]
    if document.url or places:
        content += [document.url, places]
    return hashlib.sha256(json.dumps(content).encode()).hexdigest()
