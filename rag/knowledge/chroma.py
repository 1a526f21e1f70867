"""Search by meaning with Chroma: an index on disk that is only ever a cache of our own database.

Problems of Chroma, and how this module works around them:

- One process at a time. A second one would read stale vectors or break the files, so the owner holds a
  file lock; others search exactly (`rag.knowledge.vectors`).
- A process that dies while it writes can leave files that look intact but give wrong results, or crash the
  next reader. The manifest says whether a write was in progress and how long each file was after it. If that
  does not match, the folder is not opened, and a new one is built beside it.
- Writes hold Python's global lock for 100 ms and more, so they are done in small batches with pauses.
- Deleted passages may still be found for a moment: callers must drop ids that are not current.
"""

from __future__ import annotations

import json
import shutil
import tempfile
import uuid
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from rag.errors import KnowledgeError
from rag.knowledge.embedder import Vectors
from rag.knowledge.vectors import VectorHit
from rag.reasons import Reason, reason_of_os
from rag.values import PassageId

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection
    from filelock import FileLock

FOLDER: Final = "chroma"
_MANIFEST: Final = "manifest.json"
_COLLECTION: Final = "passages"
_BATCH: Final = 50
_PAGE: Final = 1000

VectorReader = Callable[[Sequence[PassageId]], dict[PassageId, Vectors]]
"""Reads stored vectors by passage."""

Condition = Literal["absent", "whole", "outdated", "damaged", "in use"]
"""Condition of an index on disk. "outdated" means that it belongs to another embedding."""


class ChromaBusyError(KnowledgeError):
    """The Chroma index is in use by another process."""


class ChromaVectors:
    """One open Chroma folder, owned by this process until it is closed.

    Args:
        data_folder: Where the knowledge base lies; the index goes into a subfolder.
        identity: Embedding and number of the forced rebuild; an index with another identity is dropped.

    Raises:
        KnowledgeError: Another process owns the folder, or Chroma cannot open or make it.
    """

    def __init__(self, data_folder: Path, identity: str) -> None:
        self._folder = data_folder / FOLDER
        self.identity = identity
        self._client: Client | None = None
        with _translated(self._folder):
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock = _locked(data_folder)
        try:
            condition, current = _examined(self._folder, identity)
            self._current = current if current is not None and condition == "whole" else self._new_folder()
            self._remove_others()
            self._collection = self._open()
            self._ids = self._stored_ids()
        except KnowledgeError:
            self._rebuild()
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Close the index and release it for other processes."""
        try:
            self._close_client()
        finally:
            self._lock.release()

    def _close_client(self) -> None:
        client, self._client = self._client, None
        if client is not None:
            with suppress(KnowledgeError):  # closing a failed client can fail too
                _call(client.close)

    def nearest(self, vector: Vectors, limit: int) -> list[VectorHit]:
        """The passages nearest to a normalised vector, best first; a few may be outdated.

        Raises:
            KnowledgeError: Chroma failed.
        """
        if not self._ids or limit <= 0:
            return []
        count = min(limit, len(self._ids))
        reply = _call(
            self._collection.query, query_embeddings=[vector], n_results=count, include=["distances"]
        )
        return [
            VectorHit(PassageId(passage), 1.0 - float(distance))
            for passage, distance in zip(reply["ids"][0], reply["distances"][0], strict=True)
        ]

    def update(
        self,
        wanted: Collection[PassageId],
        read: VectorReader,
        pause: Callable[[], bool] = lambda: False,
    ) -> bool:
        """Update the index so that it contains exactly these passages.

        Args:
            wanted: Passages of the current generation.
            read: Gives their vectors.
            pause: Called between batches; lets others work, and stops the update by returning True.

        Returns:
            Whether the index is complete.

        Raises:
            KnowledgeError: Chroma failed, even after the folder was rebuilt.
        """
        try:
            return self._update(wanted, read, pause)
        except KnowledgeError:
            self._rebuild()
            return self._update(wanted, read, pause)

    def _update(self, wanted: Collection[PassageId], read: VectorReader, pause: Callable[[], bool]) -> bool:
        missing = [passage for passage in wanted if passage not in self._ids]
        for start in range(0, len(missing), _BATCH):
            vectors = read(missing[start : start + _BATCH])
            if vectors:
                self._write(self._collection.upsert, ids=list(vectors), embeddings=list(vectors.values()))
                self._ids.update(vectors)
            if pause():
                return False
        stale = sorted(self._ids.difference(wanted))
        for start in range(0, len(stale), _BATCH):
            self._write(self._collection.delete, ids=stale[start : start + _BATCH])
            self._ids.difference_update(stale[start : start + _BATCH])
            if pause():
                return False
        self._check(read)
        return True

    def _check(self, read: VectorReader) -> None:
        """Look up a few passages by their own vectors: an index that lost its graph finds others."""
        for passage in sorted(self._ids)[:: max(1, len(self._ids) // 3)]:
            vector = read([passage]).get(passage)
            if vector is None:
                continue
            hits = self.nearest(vector, 5)
            if not hits or hits[0].similarity < 0.99:
                raise KnowledgeError(Reason("chroma-lost"))

    def _write(self, write: Callable[..., Any], **arguments: Any) -> None:  # noqa: ANN401 - passed through
        """Write while the manifest is marked, so that the next start detects a kill in the middle."""
        self._save_manifest(files=None)
        _call(write, **arguments)
        self._save_manifest(files=self._measure_current())

    def _rebuild(self) -> None:
        """Create an empty folder beside the old one and switch to it."""
        try:
            self._close_client()
            self._current = self._new_folder()
            self._collection = self._open()
            self._ids = set()
            self._save_manifest(files=self._measure_current())
            self._remove_others()
        except BaseException:
            self.close()
            raise

    def _new_folder(self) -> Path:
        return self._folder / uuid.uuid4().hex

    def _measure_current(self) -> dict[str, int]:
        with _translated(self._folder):
            return _measure_files(self._current)

    def _save_manifest(self, files: dict[str, int] | None) -> None:
        manifest = {"folder": self._current.name, "identity": self.identity, "files": files}
        path = self._folder / _MANIFEST
        aside = path.with_suffix(".new")
        with _translated(self._folder):
            aside.write_text(json.dumps(manifest), "utf-8")
            aside.replace(path)

    def _remove_others(self) -> None:
        with _translated(self._folder):
            for folder in self._folder.iterdir():
                if folder.is_dir() and folder != self._current:
                    shutil.rmtree(folder, ignore_errors=True)

    def _open(self) -> ChromaCollection:
        with _translated(self._folder):
            import chromadb
            from chromadb.config import Settings

            self._current.mkdir(parents=True, exist_ok=True)
        self._client = _call(
            chromadb.PersistentClient,
            path=str(self._current),
            settings=Settings(anonymized_telemetry=False),
        )
        collection: ChromaCollection = _call(
            self._client.get_or_create_collection,
            name=_COLLECTION,
            embedding_function=None,
            configuration={"hnsw": {"space": "cosine"}},
        )
        return collection

    def _stored_ids(self) -> set[PassageId]:
        ids: set[PassageId] = set()
        for offset in range(0, int(_call(self._collection.count)), _PAGE):
            page = _call(self._collection.get, include=[], limit=_PAGE, offset=offset)
            ids.update(PassageId(passage) for passage in page["ids"])
        return ids


def condition(data_folder: Path, identity: str) -> Condition:
    """The condition of a data folder's index, found without opening or changing it.

    Args:
        data_folder: Where the knowledge base lies.
        identity: The embedding and forced rebuild that the index should have.

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
            return _examined(folder, identity)[0]
        finally:
            lock.release()


def _examined(folder: Path, identity: str) -> tuple[Condition, Path | None]:
    """Compare an index with its manifest; also returns the index folder that the manifest names."""
    path = folder / _MANIFEST
    try:
        if not path.exists():
            return "absent", None
        manifest = json.loads(path.read_text("utf-8"))
        current = folder / Path(manifest["folder"]).name
        if manifest["files"] is None or manifest["files"] != _measure_files(current):
            return "damaged", current
        return ("whole" if manifest["identity"] == identity else "outdated"), current
    except (OSError, ValueError, KeyError, TypeError):
        return "damaged", None


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
        if file.is_file() and not file.name.endswith(("-wal", "-shm", "-journal"))
    }
