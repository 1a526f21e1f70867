"""Brings the knowledge base up to date with the files of the corpus.

A sync first reads and embeds, and then changes what questions see in one transaction. Until then, and if it
is killed at any moment, the previous generation stays in use. Vectors are stored under the hash of their text
as soon as they are computed, so a repeated sync continues where a killed one stopped.

A file that exists but cannot be read (encrypted, locked, damaged) is tried and reported every time; the text
read from it earlier stays searchable. The text of a deleted or emptied file is removed.
"""

from __future__ import annotations

import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

from rag.errors import DocumentError, InputError, KnowledgeBusyError, KnowledgeError
from rag.knowledge import catalog as catalogs
from rag.knowledge.addresses import address_in
from rag.knowledge.catalog import Catalog, DocumentRecord, FileRecord, PassageRecord
from rag.knowledge.documents import Document
from rag.knowledge.embedder import Embedder
from rag.knowledge.embeddings import choose, open_embedder
from rag.knowledge.reading import DocumentReader, FileContent
from rag.knowledge.sources import Discovery, Failure, Skipped, Source, discover
from rag.knowledge.splitter import split
from rag.knowledge.store import State, Store, read_state
from rag.language.detect import detect
from rag.language.words import terms
from rag.reasons import Reason, reason_of_os
from rag.settings import Knowledge, Models

Phase = Literal["reading", "embedding", "writing"]

_READING_VERSION: Final = 3
"""Increase it when unchanged documents must be read, split or stemmed again."""

_BATCH: Final = 64
"""Maximum texts embedded between two commits, which is what a kill can lose."""

_FRESH_NS: Final = 2_000_000_000
"""Nanoseconds before the sync within which a file's modification time is not trusted, because the file could
change again within the same tick of the clock."""

__all__ = ["Failure", "Phase", "Progress", "Skipped", "SyncReport", "sync"]


@dataclass(frozen=True, slots=True)
class Progress:
    """Progress of a phase of a sync: files read, texts embedded, documents written."""

    phase: Phase
    done: int
    total: int


@dataclass(frozen=True, slots=True)
class SyncReport:
    """The result of a sync.

    Args:
        added: Documents that are new.
        changed: Documents with a changed text or title.
        removed: Documents that no longer exist.
        unchanged: Documents that did not change.
        failed: Files, or parts of them, that cannot be read.
        chunks: Passages in the knowledge base now.
        seconds: Wall time.
        skipped: Files that were left out, although nothing is wrong with them.
    """

    added: int
    changed: int
    removed: int
    unchanged: int
    failed: tuple[Failure, ...]
    chunks: int
    seconds: float
    skipped: tuple[Skipped, ...] = ()


def sync(
    data_dir: Path,
    paths: Sequence[Path],
    settings: Knowledge,
    models: Models,
    *,
    rebuild: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
) -> SyncReport:
    """Index what changed; blocking.

    Args:
        data_dir: The data folder.
        paths: The corpus: folders and files. If empty, those of the last sync.
        settings: How documents are read, cut and embedded.
        models: Addresses of embedding servers.
        rebuild: Read and embed everything again.
        on_progress: Called with every step, in this thread.

    Raises:
        InputError: A path does not exist, or none was ever given.
        KnowledgeBusyError: Another sync is running.
        KnowledgeError: The database cannot be written.
        ModelError: An embedding server gave no vectors.
        OperatorError: The embedding cannot be loaded.
    """
    started = time.monotonic()
    with _only_sync(data_dir):
        store = Store(data_dir)
        try:
            run = _Run(store, settings, models, on_progress or (lambda _progress: None))
            report = run.sync(paths, rebuild=rebuild)
        finally:
            store.close()
    return replace(report, seconds=time.monotonic() - started)


@contextmanager
def _only_sync(data_dir: Path) -> Iterator[None]:
    from filelock import FileLock, Timeout

    try:
        data_dir.mkdir(parents=True, exist_ok=True)
        lock = FileLock(data_dir / "knowledge.lock", timeout=0)
        lock.acquire()
    except Timeout as error:
        raise KnowledgeBusyError(Reason("indexing", {"folder": str(data_dir)})) from error
    except OSError as error:
        raise KnowledgeError(
            Reason("data-folder", {"folder": str(data_dir), "reason": reason_of_os(error)})
        ) from error
    try:
        yield
    finally:
        lock.release()


@dataclass(slots=True)
class _Plan:
    """The next generation, while it is being assembled."""

    files: list[FileRecord] = field(default_factory=list)
    kept: dict[str, DocumentRecord] = field(default_factory=dict)
    written: dict[str, tuple[DocumentRecord, tuple[PassageRecord, ...]]] = field(default_factory=dict)
    failed: list[Failure] = field(default_factory=list)
    skipped: tuple[Skipped, ...] = ()

    @property
    def documents(self) -> list[DocumentRecord]:
        """Every document of the next generation."""
        return [*self.kept.values(), *(document for document, _ in self.written.values())]


class _Run:
    """One sync."""

    def __init__(
        self, store: Store, settings: Knowledge, models: Models, report: Callable[[Progress], None]
    ) -> None:
        self._store = store
        self._settings = settings
        self._models = models
        self._report = report
        self._started_ns = time.time_ns()
        with store.reading() as connection:
            self._state = read_state(connection)
            self._catalog = Catalog.read(connection)
        self._documents_of: dict[str, list[DocumentRecord]] = {}
        for document in self._catalog.documents.values():
            self._documents_of.setdefault(document.file, []).append(document)
        self._plan = _Plan()

    def sync(self, paths: Sequence[Path], *, rebuild: bool) -> SyncReport:
        roots = [path.resolve() for path in paths] or [Path(root) for root in json.loads(self._state.roots)]
        if not roots:
            raise InputError(Reason("no-corpus"))
        reading = self._reading()
        self._read(
            discover(roots, list(self._settings.langchain_loaders)),
            roots,
            is_all=rebuild or reading != self._state.reading,
        )
        embedding = self._settings.embedding
        if embedding == "auto":
            characters: Counter[str] = Counter()
            for document in self._plan.documents:
                characters[document.language] += document.characters
            embedding = choose(characters, self._state.embedding)
        embedder = open_embedder(embedding, self._models)
        self._embed(embedder, is_all=rebuild)
        chunks = self._write(
            State(
                generation=self._state.generation,
                build=self._state.build + rebuild,
                embedding=embedding,
                fingerprint=embedder.fingerprint,
                reading=reading,
                roots=json.dumps([str(root) for root in roots]),
            )
        )
        return self._counts(chunks)

    def _reading(self) -> str:
        """Everything besides the files that determines their passages, as one string."""
        settings = self._settings
        return json.dumps(
            [
                _READING_VERSION,
                settings.chunk_tokens,
                sorted(settings.langchain_loaders.items()),
            ]
        )

    def _read(self, discovery: Discovery, roots: Sequence[Path], *, is_all: bool) -> None:
        """Fill the plan: keep what did not change, read the rest."""
        self._plan.failed.extend(discovery.failed)
        self._plan.skipped = discovery.skipped
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
                self._report(Progress("reading", number, len(pending)))

    def _keep(self, file: FileRecord) -> None:
        """Keep a file's documents as they are stored."""
        self._plan.files.append(file)
        self._plan.kept.update((document.key, document) for document in self._documents_of.get(file.key, ()))
        self._plan.failed.extend(Failure(file.key, note) for note in file.notes)

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
            reading = reader.read(source)
        except DocumentError as error:
            failed = replace(record, sha256="", notes=(error.reason,))
            if source.size:
                self._keep(failed)
            else:
                self._plan.files.append(failed)
                self._plan.failed.append(Failure(source.key, error.reason))
            return
        self._take(reading, record, is_all=is_all)

    def _take(self, reading: FileContent, record: FileRecord, *, is_all: bool) -> None:
        """Add a file's content to the plan."""
        notes = [failure.reason for failure in reading.failed]
        for document in reading.documents:
            owner = self._plan.kept.get(document.key) or self._plan.written.get(document.key, (None,))[0]
            if owner is not None:
                notes.append(Reason("document-twice", {"document": repr(document.key), "file": owner.file}))
                continue
            known = self._catalog.documents.get(document.key)
            sha256 = _document_sha256(document)
            if known is not None and known.sha256 == sha256 and known.file == record.key and not is_all:
                self._plan.kept[document.key] = known
            else:
                self._plan.written[document.key] = self._split(document, record.key, sha256)
        self._plan.files.append(replace(record, notes=tuple(notes)))
        self._plan.failed.extend(Failure(record.key, note) for note in notes)

    def _split(
        self, document: Document, file: str, sha256: str
    ) -> tuple[DocumentRecord, tuple[PassageRecord, ...]]:
        text = "\n".join(section.text for section in document.sections)
        language = detect(text)
        passages = tuple(
            PassageRecord(
                chunk,
                content=hashlib.sha256(chunk.embedded_text.encode("utf-8", "replace")).hexdigest(),
                terms=" ".join(terms(chunk.embedded_text, language)),
            )
            for chunk in split(document, self._settings)
        )
        record = DocumentRecord(document.key, file, document.title, sha256, language, len(text), document.url)
        return record, passages

    def _embed(self, embedder: Embedder, *, is_all: bool) -> None:
        """Compute and store the missing vectors."""
        texts = {
            passage.content: passage.chunk.embedded_text
            for _, passages in self._plan.written.values()
            for passage in passages
        }
        with self._store.reading() as connection:
            if is_all or embedder.fingerprint != self._state.fingerprint:
                texts.update(catalogs.stored_texts(connection, self._plan.kept))
            known = set() if is_all else catalogs.embedded(connection, texts, embedder.fingerprint)
        missing = [(content, text) for content, text in texts.items() if content not in known]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            vectors = embedder.embed_passages([text for _, text in batch])
            with self._store.writing() as connection:
                catalogs.write_vectors(
                    connection,
                    embedder.fingerprint,
                    {content: vector for (content, _), vector in zip(batch, vectors, strict=True)},
                )
            self._report(Progress("embedding", start + len(batch), len(missing)))

    def _write(self, state: State) -> int:
        """Switch to the new generation if it differs; return the number of passages."""
        plan = self._plan
        removed = self._catalog.documents.keys() - {document.key for document in plan.documents}
        is_new = bool(plan.written or removed) or replace(state, roots=self._state.roots) != self._state
        if is_new:
            self._report(Progress("writing", 0, len(plan.written)))
        with self._store.writing() as connection:
            catalogs.write_files(connection, self._catalog.files, plan.files)
            catalogs.write_documents(connection, removed, list(plan.written.values()))
            catalogs.write_state(connection, replace(state, generation=state.generation + is_new))
            (chunks,) = connection.execute("SELECT count(*) FROM passages").fetchone()
        if is_new:
            self._report(Progress("writing", len(plan.written), len(plan.written)))
            with self._store.writing() as connection:
                catalogs.delete_unused_vectors(connection, state.fingerprint)
        return int(chunks)

    def _counts(self, chunks: int) -> SyncReport:
        before = self._catalog.documents
        written = [document for document, _ in self._plan.written.values()]
        after = {document.key for document in self._plan.documents}
        added = sum(document.key not in before for document in written)
        changed = sum(
            document.key in before and before[document.key].sha256 != document.sha256 for document in written
        )
        return SyncReport(
            added=added,
            changed=changed,
            removed=len(before.keys() - after),
            unchanged=len(after) - added - changed,
            failed=tuple(self._plan.failed),
            chunks=chunks,
            seconds=0.0,
            skipped=self._plan.skipped,
        )


def _is_same(known: FileRecord, source: Source) -> bool:
    """Whether a file is unchanged and need not be opened."""
    return bool(known.sha256) and (known.path, known.size, known.mtime_ns) == (
        str(source.path),
        source.size,
        source.mtime_ns,
    )


def _is_hidden(file: FileRecord, failed: Iterable[Failure], roots: Iterable[Path]) -> bool:
    """Whether a file is in a folder that cannot be opened at the moment, so it does not count as deleted."""
    for failure in failed:
        if file.key == failure.path or file.key.startswith(f"{failure.path}/"):
            return True
        if any(root.name == failure.path and Path(file.path).is_relative_to(root) for root in roots):
            return True
    return False


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
