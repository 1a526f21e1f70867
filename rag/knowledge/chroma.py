"""Search by meaning with Chroma: an index on disk that is only ever a cache of our own database.

Problems of Chroma, and how this module works around them:

- One process at a time. A second one would read stale vectors or break the files, so the owner holds a
  file lock; others search exactly (`rag.knowledge.vectors`).
- A process that dies while it writes can leave files that look intact but give wrong results, or crash the
  next reader. So an index is built whole in a folder of its own. It gets its name, the hash of its content,
  when it is complete; after that it is only read. New documents make another index.
- Writes hold Python's global lock for 100 ms and more, so they are done in small batches with pauses.
"""

from __future__ import annotations

import hashlib
import json
import shutil
import sqlite3
import tempfile
import threading
import uuid
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal

from rag.errors import KnowledgeError
from rag.knowledge.embedder import Vectors
from rag.knowledge.store import read_state
from rag.knowledge.vectors import VectorHit
from rag.reasons import Reason, reason_of_os
from rag.values import PassageId

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection
    from filelock import FileLock

FOLDER: Final = "chroma"
_SIZES: Final = "sizes.json"
_BUILDING: Final = "building-"
_COLLECTION: Final = "passages"
_BATCH: Final = 50

VectorReader = Callable[[Sequence[PassageId]], dict[PassageId, Vectors]]

Condition = Literal["absent", "whole", "outdated", "damaged", "in use"]
"""Condition of an index on disk. "outdated" means that it holds other passages or another embedding."""


class ChromaBusyError(KnowledgeError):
    """The Chroma index is in use by another process."""


@dataclass(frozen=True, eq=False, repr=False)
class ChromaIndex:
    """An open index. A thread may ask it while another closes it: it answers rightly or not at all."""

    collection: ChromaCollection
    _client: Client
    _count: int
    _closed: threading.Event = field(default_factory=threading.Event)

    def nearest(self, vector: Vectors, limit: int) -> list[VectorHit]:
        """The passages nearest to a normalised vector, best first.

        Raises:
            KnowledgeError: Chroma fails, or the index is closed, maybe while it is asked.
        """
        found = self._nearest(vector, min(limit, self._count)) if not self._closed.is_set() else []
        if self._closed.is_set():
            raise KnowledgeError(Reason("chroma-failed", {"error": "the index is closed"}))
        return found

    def _nearest(self, vector: Vectors, limit: int) -> list[VectorHit]:
        if limit <= 0:
            return []
        reply = _call(
            self.collection.query, query_embeddings=[vector], n_results=limit, include=["distances"]
        )
        return [
            VectorHit(PassageId(passage), 1.0 - float(distance))
            for passage, distance in zip(reply["ids"][0], reply["distances"][0], strict=True)
        ]

    def close(self) -> None:
        """Close the index for all who hold it."""
        self._closed.set()
        with suppress(KnowledgeError):  # closing a failed client can fail too
            _call(self._client.close)


class ChromaVectors:
    """The Chroma folder, owned by this process until it is closed.

    Raises:
        KnowledgeError: Another process owns the folder, it cannot be made, or Chroma fails.
    """

    def __init__(self, data_folder: Path) -> None:
        self._folder = data_folder / FOLDER
        self._index: ChromaIndex | None = None
        with _translated(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(data_folder)

    def close(self) -> None:
        """Close the index and release it for other processes."""
        try:
            self._close_index()
        finally:
            self._lock.release()

    def update(
        self,
        name: str,
        passages: Sequence[PassageId],
        read: VectorReader,
        pause: Callable[[], bool] = lambda: False,
    ) -> ChromaIndex | None:
        """Open the index with a name, and build it first unless it is whole; return it if it is complete.

        The index of the update before is closed.

        Args:
            name: Hash of what it holds, as `wanted_index` returns it.
            pause: Called between batches; lets others work, and stops the update by returning True.
        """
        self._close_index()
        with _translated(self._folder):
            folder = _find(self._folder, name)
            if folder is not None and _is_whole(folder):
                with suppress(KnowledgeError):  # opening it may show that it is damaged
                    index = self._open(folder)
                    _check(index, passages, read)
                    return index
                self._close_index()
            return self._build(name, passages, read, pause)

    def _build(
        self, name: str, passages: Sequence[PassageId], read: VectorReader, pause: Callable[[], bool]
    ) -> ChromaIndex | None:
        for old in list(self._folder.iterdir()):
            _delete(old)
        # Chroma never opens a path again that failed once.
        attempt = uuid.uuid4().hex
        building = self._folder / f"{_BUILDING}{attempt}"
        collection = self._open(building).collection
        for start in range(0, len(passages), _BATCH):
            vectors = read(passages[start : start + _BATCH])
            if len(vectors) < len(passages[start : start + _BATCH]):
                return None  # a sync has just replaced them
            _call(collection.upsert, ids=list(vectors), embeddings=list(vectors.values()))
            if pause():
                return None
        self._close_index()
        sizes = _measure_files(building)
        (building / _SIZES).write_text(json.dumps(sizes), "utf-8")
        index = self._open(building.rename(self._folder / f"{name}-{attempt}"))
        _check(index, passages, read)
        return index

    def _open(self, folder: Path) -> ChromaIndex:
        import chromadb
        from chromadb.config import Settings

        client: Client = _call(
            chromadb.PersistentClient, path=str(folder), settings=Settings(anonymized_telemetry=False)
        )
        try:
            collection: ChromaCollection = _call(
                client.get_or_create_collection,
                name=_COLLECTION,
                embedding_function=None,
                configuration={"hnsw": {"space": "cosine"}},
            )
            self._index = ChromaIndex(collection, client, int(_call(collection.count)))
        except KnowledgeError:
            with suppress(KnowledgeError):
                _call(client.close)
            raise
        return self._index

    def _close_index(self) -> None:
        index, self._index = self._index, None
        if index is not None:
            index.close()


def wanted_index(connection: sqlite3.Connection) -> tuple[str, list[PassageId]]:
    """Return the name of the index of all passages that a connection sees, and their ids."""
    state = read_state(connection)
    passages = [PassageId(row[0]) for row in connection.execute("SELECT id FROM passages ORDER BY id")]
    content = "\n".join([f"{state.fingerprint}/{state.build}", *passages])
    return hashlib.sha256(content.encode()).hexdigest()[:32], passages


def condition(data_folder: Path, name: str) -> Condition:
    """The condition of a data folder's index, found without opening or changing it.

    Raises:
        KnowledgeError: The folder cannot be used, or filelock is not installed.
    """
    folder = data_folder / FOLDER
    with _translated(folder):
        if not folder.exists():
            return "absent"
        with tempfile.TemporaryFile(dir=folder):  # fails if it is a file, or not writable
            pass
        try:
            lock = _locked(data_folder)
        except ChromaBusyError:
            return "in use"
        try:
            if found := _find(folder, name):
                return "whole" if _is_whole(found) else "damaged"
            return "outdated" if _find(folder, "") else "absent"
        finally:
            lock.release()


def _check(index: ChromaIndex, passages: Sequence[PassageId], read: VectorReader) -> None:
    """Look up a few passages by their own vectors: an index that lost its graph finds others."""
    for passage in passages[:: max(1, len(passages) // 3)]:
        vector = read([passage]).get(passage)
        if vector is None:
            continue
        hits = index.nearest(vector, 5)
        if not hits or hits[0].similarity < 0.99:
            raise KnowledgeError(Reason("chroma-lost"))


def _delete(old: Path) -> None:
    """Delete an unused index, be it a folder, a link or a file; what cannot be deleted may stay."""
    if old.is_dir() and not old.is_symlink():
        shutil.rmtree(old, ignore_errors=True)
    else:
        with suppress(OSError):
            old.unlink()


def _find(folder: Path, name: str) -> Path | None:
    """Return the complete index whose name begins so; a damaged one only if there is no other."""
    complete = [
        one
        for one in folder.iterdir()
        if one.is_dir() and not one.is_symlink() and not one.name.startswith(_BUILDING)
    ]
    return max((one for one in complete if one.name.startswith(name)), key=_is_whole, default=None)


def _is_whole(folder: Path) -> bool:
    try:
        return bool(json.loads((folder / _SIZES).read_text("utf-8")) == _measure_files(folder))
    except (FileNotFoundError, PermissionError, ValueError):
        return False


def _locked(data_folder: Path) -> FileLock:
    from filelock import FileLock, Timeout

    lock = FileLock(data_folder / f"{FOLDER}.lock", timeout=0)
    try:
        lock.acquire()
    except Timeout as error:
        raise ChromaBusyError from error
    return lock


@contextmanager
def _translated(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise KnowledgeError(
            Reason("folder-not-used", {"folder": str(folder), "reason": reason_of_os(error)})
        ) from error
    except ImportError as error:
        raise KnowledgeError(Reason("chroma-missing", {"error": str(error)})) from error


def _call(function: Callable[..., Any], **arguments: Any) -> Any:  # noqa: ANN401 - Chroma's own types
    try:
        return function(**arguments)
    except BaseException as error:
        # Chroma raises many kinds of errors, and its Rust side panics with its own subclass of BaseException.
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
        raise KnowledgeError(
            Reason("chroma-failed", {"error": f"{type(error).__name__}: {str(error)[:200]}"})
        ) from error


def _measure_files(folder: Path) -> dict[str, int]:
    return {
        str(file.relative_to(folder)): file.stat().st_size
        for file in sorted(folder.rglob("*"))
        if file.is_file() and file.name != _SIZES and not file.name.endswith(("-wal", "-shm", "-journal"))
    }
