"""Brings the knowledge base up to date with the files of the corpus.

A sync first reads and embeds, and then changes what questions see in one transaction. Until then, and if it
is killed at any moment, the previous generation stays in use. Vectors are stored under the hash of their text
as soon as they are computed, so a repeated sync continues where a killed one stopped.

A file that exists but cannot be read (encrypted, locked, damaged) is tried and reported every time; the text
read from it earlier stays searchable. The text of a deleted or emptied file is removed.
"""

from __future__ import annotations

import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import ExitStack, closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Final, Literal

import structlog

from rag.errors import InputError, OperatorError
from rag.knowledge import catalog as catalogs
from rag.knowledge.asked_languages import is_asked_in_other_languages
from rag.knowledge.catalog import Catalog
from rag.knowledge.embedder import Embedder
from rag.knowledge.embeddings import choose, open_embedder
from rag.knowledge.origin import Origin, Writing
from rag.knowledge.planning import Plan, reading_of
from rag.knowledge.sources import CorpusState, Discovery, Failure, Skipped, discover
from rag.knowledge.store import State, Store, read_state
from rag.reasons import Reason
from rag.settings import Knowledge, Models

_log = structlog.get_logger(__name__)

Phase = Literal["reading", "embedding", "writing"]

_BATCH: Final = 64
"""Maximum texts embedded between two commits, which is what a kill can lose."""

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
        changed: Documents with a changed text or title.
        failed: Files, or parts of them, that cannot be read; first those that were not reported before.
        chunks: Passages in the knowledge base now.
        has_news: Documents have changed, or something could not be read that was not reported before.
        state: The files as they were found, to tell later whether anything has changed since.
    """

    added: int
    changed: int
    removed: int
    unchanged: int
    failed: tuple[Failure, ...]
    chunks: int
    seconds: float
    skipped: tuple[Skipped, ...] = ()
    has_news: bool = True
    state: CorpusState = field(default=frozenset(), compare=False, repr=False)


def sync(
    data_dir: Path,
    paths: Sequence[Path],
    settings: Knowledge,
    models: Models,
    *,
    rebuild: bool = False,
    on_progress: Callable[[Progress], None] | None = None,
    origin: Origin | None = None,
) -> SyncReport:
    """Index what changed; blocking.

    Args:
        paths: The corpus: folders and files. If empty, those of the last sync.
        rebuild: Read and embed everything again.
        on_progress: Called with every step, in this thread.
        origin: Where the knowledge base is kept instead of the data folder.

    Raises:
        InputError: A path does not exist, or none was ever given.
        KnowledgeBusyError: Another sync is running, or has taken over from this one.
        KnowledgeError: The database cannot be written.
        ModelError: An embedding server gave no vectors.
        OperatorError: The embedding cannot be loaded.
    """
    started = time.monotonic()
    with ExitStack() as stack:
        kept = origin or stack.enter_context(closing(Store(data_dir)))
        writing = stack.enter_context(kept.alone())
        run = _Run(kept, writing, data_dir, settings, models, on_progress or (lambda _progress: None))
        report = run.sync(paths, rebuild=rebuild)
    return replace(report, seconds=time.monotonic() - started)


class _Run:
    def __init__(
        self,
        origin: Origin,
        writing: Writing,
        data_dir: Path,
        settings: Knowledge,
        models: Models,
        report: Callable[[Progress], None],
    ) -> None:
        self._origin = origin
        self._writing = writing
        self._folder = data_dir.resolve()
        self._settings = settings
        self._models = models
        self._report = report
        with origin.reading() as connection:
            self._state = read_state(connection)
            self._catalog = Catalog.read(connection, self._folder)
        self._plan = Plan(self._catalog, settings)

    def sync(self, paths: Sequence[Path], *, rebuild: bool) -> SyncReport:
        roots = [path.resolve() for path in paths] or catalogs.read_roots(self._state, self._folder)
        if not roots:
            raise InputError(Reason("no-corpus"))
        reading = reading_of(self._settings)
        discovery = discover(roots, list(self._settings.langchain_loaders), self._settings.exclude)
        self._plan.read(
            discovery,
            roots,
            is_all=rebuild or reading != self._state.reading,
            on_read=lambda done, total: self._report(Progress("reading", done, total)),
        )
        embedding = self._settings.embedding
        if embedding == "auto":
            characters: Counter[str] = Counter()
            for document in self._plan.documents:
                characters[document.language] += document.characters
            embedding = choose(
                characters,
                "" if rebuild else self._state.embedding,
                is_asked_otherwise=is_asked_in_other_languages(self._folder),
            )
        embedding, embedder = self._open_embedder(embedding)
        self._embed(embedder, is_all=rebuild)
        chunks = self._write(
            State(
                generation=self._state.generation,
                build=self._state.build + rebuild,
                embedding=embedding,
                fingerprint=embedder.fingerprint,
                reading=reading,
                roots=json.dumps([catalogs.stored_path(str(root), self._folder) for root in roots]),
                read_at=time.time(),
            )
        )
        return self._counts(chunks, discovery)

    def _open_embedder(self, chosen: str) -> tuple[str, Embedder]:
        """Open the embedding; if one that was chosen for new languages cannot be loaded, the current one."""
        current = self._state.embedding
        try:
            return chosen, open_embedder(chosen, self._models)
        except OperatorError as error:
            if self._settings.embedding != "auto" or current in {"", chosen}:
                raise
            _log.warning("the documents keep their embedding", embedding=current, reason=str(error))
            return current, open_embedder(current, self._models)

    def _embed(self, embedder: Embedder, *, is_all: bool) -> None:
        texts = {
            passage.content: passage.embedded_text
            for _, passages in self._plan.written.values()
            for passage in passages
        }
        with self._origin.reading() as connection:
            if is_all or embedder.fingerprint != self._state.fingerprint:
                texts.update(catalogs.stored_texts(connection, self._plan.kept))
            known = set() if is_all else catalogs.embedded(connection, texts, embedder.fingerprint)
        missing = [(content, text) for content, text in texts.items() if content not in known]
        for start in range(0, len(missing), _BATCH):
            batch = missing[start : start + _BATCH]
            vectors = embedder.embed_passages([text for _, text in batch])
            with self._writing() as connection:
                catalogs.write_vectors(
                    connection,
                    embedder.fingerprint,
                    {content: vector.tobytes() for (content, _), vector in zip(batch, vectors, strict=True)},
                )
            self._report(Progress("embedding", start + len(batch), len(missing)))

    def _write(self, state: State) -> int:
        plan = self._plan
        removed = self._catalog.documents.keys() - {document.key for document in plan.documents}
        before = self._state
        same = replace(state, roots=before.roots, read_at=before.read_at)
        is_new = bool(plan.written or removed) or same != before
        if is_new:
            self._report(Progress("writing", 0, len(plan.written)))
        mark = catalogs.new_mark()
        with self._writing() as connection:
            catalogs.write_files(connection, self._catalog.files, plan.files, self._folder)
            catalogs.delete_documents(connection, removed)
            catalogs.write_documents(connection, list(plan.written.values()), mark)
            catalogs.write_state(connection, replace(state, generation=state.generation + is_new), mark)
            (chunks,) = connection.execute("SELECT count(*) FROM passages").fetchone()
        if is_new:
            self._report(Progress("writing", len(plan.written), len(plan.written)))
            with self._writing() as connection:
                catalogs.delete_unused_vectors(connection, state.fingerprint)
        return int(chunks)

    def _counts(self, chunks: int, discovery: Discovery) -> SyncReport:
        before = self._catalog.documents
        written = [document for document, _ in self._plan.written.values()]
        after = {document.key for document in self._plan.documents}
        added = sum(document.key not in before for document in written)
        changed = sum(
            document.key in before and before[document.key].sha256 != document.sha256 for document in written
        )
        removed = len(before.keys() - after)
        failed = self._plan.failed
        return SyncReport(
            added=added,
            changed=changed,
            removed=removed,
            unchanged=len(after) - added - changed,
            failed=tuple(sorted(failed, key=self._is_known)),
            chunks=chunks,
            seconds=0.0,
            skipped=discovery.skipped,
            has_news=bool(added or changed or removed) or not all(map(self._is_known, failed)),
            state=discovery.state,
        )

    def _is_known(self, failure: Failure) -> bool:
        file = self._catalog.files.get(failure.path)
        return file is not None and failure.reason in file.notes
