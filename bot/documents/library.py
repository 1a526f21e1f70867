"""The documents of this installation, as administrators see and change them while the bot answers.

A sync makes a new generation beside the one that answers, so questions go on meanwhile. There is one at a
time: in this process by a lock that knows who holds it, between processes by the lock of the knowledge base.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import TypeVar

import structlog

from bot.clock import utcnow
from bot.documents.corpus import Spend, changing, corpus_paths, update_in_thread, web_pages
from bot.documents.given_answers import Corrections
from bot.documents.pages import Added
from bot.documents.shared import SharedDocuments, uploads_folder
from bot.documents.uploads import Uploads, safe_name
from bot.settings.tree import Settings
from rag.errors import DocumentError, KnowledgeBusyError, ThinkTwiceError
from rag.knowledge import catalog
from rag.knowledge.catalog import Catalog, passage_counts
from rag.knowledge.indexing import OnProgress
from rag.knowledge.origin import Connection
from rag.knowledge.reading import DocumentReader
from rag.knowledge.sources import KINDS, CorpusState, Source
from rag.knowledge.store import Store, read_state
from rag.knowledge.sync import SyncReport
from rag.reasons import Reason, reason_of_os
from rag.values import DocumentSet

_log = structlog.get_logger(__name__)

_BETWEEN_TRIES_SECONDS = 1.0
_FINGERPRINT = 12
_REACH = 3
_TRIES = 60
_LONGEST_NAME = 90

# Nobody reads and moves a file for so long.
_LEFT_AFTER = timedelta(hours=1)

_T = TypeVar("_T")


@dataclass(frozen=True, slots=True)
class Entry:
    """A file of the corpus.

    Args:
        name: Its key in the corpus.
        title: Of its document, or an empty string when it holds several or none.
        size: Bytes.
        changed_at: When the file was changed; None when that is not known.
        is_added: Somebody added it in a channel; otherwise it is the operator's own file.
        notes: What of it could not be read, and why.
    """

    name: str
    path: str
    title: str
    documents: int
    passages: int
    size: int
    changed_at: datetime | None
    is_added: bool
    notes: tuple[Reason, ...] = ()


@dataclass(frozen=True, slots=True)
class SourceFile:
    """The file of a document: its name as a reader sees it, where it lies, and its bytes."""

    name: str
    path: Path
    size: int


@dataclass(frozen=True, slots=True)
class Indexing:
    """A sync at work: who asked for it, and since when it runs."""

    who: str
    since: datetime


@dataclass(frozen=True, slots=True)
class KnowledgeSize:
    """What the knowledge base holds, the number of its generation, and when the files were read last."""

    documents: int
    passages: int
    generation: int
    read_at: datetime | None = None


class IndexingError(KnowledgeBusyError):
    """The documents are being indexed already."""

    def __init__(self, indexing: Indexing) -> None:
        super().__init__()
        self.indexing = indexing


class Library:
    """Reads and changes the corpus.

    What reads the knowledge base raises `KnowledgeError` when that fails, what changes files `UploadsError`.

    Args:
        folder: Where the knowledge base lies.
        patience: Seconds for which a sync of another process is waited for.
        spend: Told how many tokens of documents a server has embedded.

    Attributes:
        state: The files as they were read last; None when that failed, or was not done yet.
        trouble: Why the files are not read as they are; None when they are.
    """

    def __init__(
        self,
        settings: Settings,
        folder: Path,
        clock: Callable[[], datetime] = utcnow,
        patience: float = 600.0,
        spend: Spend | None = None,
        shared: SharedDocuments | None = None,
    ) -> None:
        self.uploads = Uploads(uploads_folder(settings), changing(shared))
        self.corrections = Corrections(uploads_folder(settings), changing(shared))
        self._shared = shared
        self._settings = settings
        self._folder = folder
        self._clock = clock
        self._patience = patience
        self._spend = spend
        self._lock = asyncio.Lock()
        self._indexing: Indexing | None = None
        self.state: CorpusState | None = None
        self.trouble: Reason | None = None

    @property
    def indexing(self) -> Indexing | None:
        """The sync at work in this process."""
        return self._indexing

    @property
    def endings(self) -> tuple[str, ...]:
        """Endings of the files that can be read, in lower case."""
        return tuple(
            sorted({*KINDS, *(ending.lower() for ending in self._settings.knowledge.langchain_loaders)})
        )

    def name(self, sent: str) -> str:
        """Return the name under which a file is kept, or an empty one for a kind that cannot be read."""
        return safe_name(sent, self.endings)

    async def entries(self) -> tuple[Entry, ...]:
        """Return the files of the corpus, other machines' too if they can be asked: with faults first."""
        return await asyncio.to_thread(self._newest_entries)

    async def measure_size(self) -> KnowledgeSize:
        """Count what the knowledge base holds."""
        return await asyncio.to_thread(self._measure_size)

    async def lost(self) -> tuple[Path, ...]:
        """Return the folders and files of the corpus that are gone; what was read of them still answers."""
        paths = await asyncio.to_thread(corpus_paths, self._settings)
        return tuple([path for path in paths if not await asyncio.to_thread(path.exists)])

    async def source_file(self, document: str) -> SourceFile | None:
        """Return the file of a document; None when it is gone, or holds other documents too."""
        return await asyncio.to_thread(self._source_file, document)

    async def around(self, passage: str, allowed: DocumentSet | None) -> list[tuple[str, str, str]]:
        """Return a passage and its neighbours in reading order, each as id, heading and text.

        Returns nothing if `allowed`, the documents that may be shown (None: all), does not hold their file.
        """
        near = partial(catalog.passages_around, passage=passage, reach=_REACH)
        rows = await asyncio.to_thread(self._read, near)
        return [row[1:] for row in rows if allowed is None or allowed.holds(row[0])]

    async def headings(self, count: int, allowed: DocumentSet | None) -> list[tuple[str, str]]:
        """Return up to so many documents of a set, chosen by chance, as title and name of a section."""
        rows = await asyncio.to_thread(self._read, partial(catalog.headings_by_chance, tries=_TRIES))
        found = {
            title: heading.rpartition(" > ")[2]
            for file, title, heading in rows
            if (allowed is None or allowed.holds(file)) and len(title + heading) <= _LONGEST_NAME
        }
        return list(found.items())[:count]

    async def contents(self) -> Mapping[str, str]:
        """Return a fingerprint of every document, to tell later what has changed since."""
        found = await asyncio.to_thread(self._read, partial(Catalog.read, folder=self._folder))
        return {key: document.sha256[:_FINGERPRINT] for key, document in found.documents.items()}

    async def put_aside(self, aside: Path, content: bytes) -> tuple[Reason, ...]:
        """Put a file aside and read it on trial; return why it is no document, and then it is gone again."""
        await asyncio.to_thread(self.uploads.put_aside, aside, content)
        problems = await asyncio.to_thread(self._problems, aside)
        if problems:
            await asyncio.to_thread(self.uploads.delete, aside.name)
        return problems

    async def add_page(self, url: str) -> Added:
        """Fetch a page of the web, or those of a sitemap, and keep them; raise `PageError` if that fails."""
        return await asyncio.to_thread(web_pages(self._settings, self._shared).add, url)

    async def sync(
        self,
        who: str,
        *,
        rebuild: bool = False,
        on_progress: OnProgress | None = None,
        waits: bool = False,
        refreshes: bool = False,
    ) -> SyncReport:
        """Index what changed; questions are answered meanwhile.

        Args:
            who: Who asked for it; empty: the program itself, which everybody waits for.
            rebuild: Read and embed everything again.
            on_progress: Told how far it is, in another thread.
            waits: Wait for a sync that runs already.

        Raises:
            IndexingError: a sync that somebody asked for runs in this process, and `waits` is off.
            KnowledgeBusyError: another process is indexing.
            ThinkTwiceError: the corpus or the knowledge base cannot be used.
        """
        if self._indexing is not None and self._indexing.who and not waits:
            raise IndexingError(self._indexing)
        async with self._lock:
            self._indexing = Indexing(who, self._clock())
            try:
                report = await self._synced(
                    rebuild=rebuild, on_progress=on_progress, waits=waits, refreshes=refreshes
                )
            except KnowledgeBusyError:
                raise
            except ThinkTwiceError as exc:
                self.state, self.trouble = None, exc.reason
                raise
            else:
                self.state, self.trouble = report.state, None
                return report
            finally:
                self._indexing = None

    async def sweep(self, is_at_work: Callable[[int], Awaitable[bool]]) -> None:
        """Delete the files that were put aside by work that did not come to its end.

        `is_at_work` tells whether the work with a number will still make a document of its file.
        """
        moment = (self._clock() - _LEFT_AFTER).timestamp()
        for path, number in (await asyncio.to_thread(self.uploads.put_aside_before, moment)).items():
            if not await is_at_work(number):
                await asyncio.to_thread(self.uploads.delete, path.name)

    async def _synced(
        self, *, rebuild: bool, on_progress: OnProgress | None, waits: bool, refreshes: bool
    ) -> SyncReport:
        left = self._patience if waits else 0.0
        while True:
            try:
                return await update_in_thread(
                    self._settings,
                    self._folder,
                    rebuild=rebuild,
                    on_progress=on_progress,
                    refreshes=refreshes,
                    shared=self._shared,
                    spend=self._spend,
                )
            except KnowledgeBusyError:
                if left <= 0:
                    raise
            left -= _BETWEEN_TRIES_SECONDS
            await asyncio.sleep(_BETWEEN_TRIES_SECONDS)

    def _newest_entries(self) -> tuple[Entry, ...]:
        if self._shared is not None:
            try:
                self._shared.refresh()
            except ThinkTwiceError as exc:
                # The database is away, or the data folder is full: the copy on this machine is listed.
                _log.warning("documents of other machines may be missing in a list", reason=str(exc))
        return self._entries()

    def _entries(self) -> tuple[Entry, ...]:
        with closing(Store(self._folder)) as store, store.reading() as connection:
            found = Catalog.read(connection, self._folder.resolve())
            passages = passage_counts(connection)
        added = self.uploads.folder
        titles: dict[str, list[str]] = {}
        counts: dict[str, int] = {}
        for document in found.documents.values():
            titles.setdefault(document.file, []).append(document.title)
            counts[document.file] = counts.get(document.file, 0) + passages.get(document.key, 0)
        entries = [
            Entry(
                file.key,
                file.path,
                titles[file.key][0] if len(titles.get(file.key, ())) == 1 else "",
                len(titles.get(file.key, ())),
                counts.get(file.key, 0),
                file.size,
                _changed_at(Path(file.path)),
                Path(file.path).is_relative_to(added),
                file.notes,
            )
            for file in found.files.values()
        ]
        return tuple(sorted(entries, key=lambda entry: (not entry.notes, entry.name.casefold())))

    def _measure_size(self) -> KnowledgeSize:
        with closing(Store(self._folder)) as store, store.reading() as connection:
            passages = passage_counts(connection)
            documents = len(Catalog.read(connection, self._folder).documents)
            state = read_state(connection)
        read_at = datetime.fromtimestamp(state.read_at, UTC) if state.read_at else None
        return KnowledgeSize(documents, sum(passages.values()), state.generation, read_at)

    def _read(self, read: Callable[[Connection], _T]) -> _T:
        with closing(Store(self._folder)) as store, store.reading() as connection:
            return read(connection)

    def _source_file(self, document: str) -> SourceFile | None:
        file = self._read(partial(catalog.file_of_document, document=document, folder=self._folder.resolve()))
        if file is None or file.documents != 1:
            return None
        path = Path(file.path)
        try:
            # What was a file when it was read may have become a link to another place since.
            is_there = path.resolve(strict=True) == path and path.is_file()
            roots = [root.resolve() for root in corpus_paths(self._settings)]
            if not is_there or not any(path.is_relative_to(root) for root in roots):
                return None
            return SourceFile(path.name, path, path.stat().st_size)
        except (OSError, RuntimeError):
            return None

    def _problems(self, path: Path) -> tuple[Reason, ...]:
        kind = KINDS.get(path.suffix.lower(), "langchain")
        try:
            status = path.stat()
        except OSError as exc:
            return (Reason("file-not-opened", {"reason": reason_of_os(exc)}),)
        source = Source(path.name, path, status.st_size, status.st_mtime_ns, kind)
        with DocumentReader(self._settings.knowledge) as reader:
            try:
                reading = reader.read(source)
            except DocumentError as exc:
                return (exc.reason,)
        return () if reading.documents else reading.notes


def _changed_at(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.stat().st_mtime, UTC)
    except OSError:
        return None
