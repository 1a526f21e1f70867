"""Search by meaning with Chroma: an index on disk that is only ever a cache of our own database.

What has to be worked around, and how:

- One process at a time. A second one would read stale vectors or break the files, so the owner holds a
  file lock; others search exactly (`rag.knowledge.vectors`).
- A process that dies while it writes can leave files that look well and answer wrongly, or crash the next
  reader. The manifest says whether a write was under way and how long each file was after it; unless
  all that fits, the folder is not opened at all but built anew beside the old one.
- Writes hold Python's global lock for 100 ms and more, so they go in small batches with pauses.
- Deleted passages may still be found for a moment: whoever asks drops ids that are not current.
"""

from __future__ import annotations

import json
import shutil
import uuid
from collections.abc import Callable, Collection, Sequence
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Final, Self

from rag.errors import KnowledgeError
from rag.knowledge.embedder import Vectors
from rag.knowledge.vectors import VectorHit
from rag.values import PassageId

if TYPE_CHECKING:
    from chromadb.api.client import Client
    from chromadb.api.models.Collection import Collection as ChromaCollection

FOLDER: Final = "chroma"
_MANIFEST: Final = "manifest.json"
_COLLECTION: Final = "passages"
_BATCH: Final = 50
_PAGE: Final = 1000

VectorReader = Callable[[Sequence[PassageId]], dict[PassageId, Vectors]]
"""Reads stored vectors by passage."""


class ChromaVectors:
    """One open Chroma folder, owned by this process until it is closed.

    Args:
        data_folder: Where the knowledge base lies; the index goes into a subfolder.
        identity: Which embedding and which forced rebuild of it; an index of another one is dropped.

    Raises:
        KnowledgeError: Another process owns the folder, or Chroma cannot open or make it.
    """

    def __init__(self, data_folder: Path, identity: str) -> None:
        from filelock import FileLock, Timeout

        self._folder = data_folder / FOLDER
        self.identity = identity
        self._lock = FileLock(data_folder / f"{FOLDER}.lock", timeout=0)
        self._client: Client | None = None
        try:
            self._folder.mkdir(parents=True, exist_ok=True)
            self._lock.acquire()
        except Timeout as error:
            raise KnowledgeError("the Chroma index is in use by another process") from error
        except OSError as error:
            raise KnowledgeError(f"the folder {self._folder} cannot be used ({error.strerror})") from error
        try:
            self._current = self._intact()
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
        """Close the index and let another process have it."""
        if self._client is not None:
            self._client.close()
            self._client = None
        self._lock.release()

    def nearest(self, vector: Vectors, limit: int) -> list[VectorHit]:
        """The passages nearest to a normalised vector, best first; a few may be out of date.

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
        """Make the index hold these passages and no others.

        Args:
            wanted: Passages of the current generation.
            read: Gives their vectors.
            pause: Called between batches; lets others work, and stops the update by returning True.

        Returns:
            Whether the index is complete.

        Raises:
            KnowledgeError: Chroma failed, also after the folder was built anew.
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
        """Ask for a few passages by their own vectors: an index that lost its graph finds others."""
        for passage in sorted(self._ids)[:: max(1, len(self._ids) // 3)]:
            vector = read([passage]).get(passage)
            if vector is None:
                continue
            hits = self.nearest(vector, 5)
            if not hits or hits[0].similarity < 0.99:
                raise KnowledgeError("the Chroma index does not find its own passages")

    def _write(self, write: Callable[..., Any], **arguments: Any) -> None:  # noqa: ANN401 - passed through
        """Write with the manifest marked, so that a kill in the middle is seen at the next start."""
        self._save_manifest(files=None)
        _call(write, **arguments)
        self._save_manifest(files=_sizes(self._current))

    def _rebuild(self) -> None:
        """Begin an empty folder beside the old one and change over to it."""
        try:
            if self._client is not None:
                self._client.close()
                self._client = None
            self._current = self._new_folder()
            self._collection = self._open()
            self._ids = set()
            self._save_manifest(files=_sizes(self._current))
            self._remove_others()
        except BaseException:
            self.close()
            raise

    def _new_folder(self) -> Path:
        return self._folder / uuid.uuid4().hex

    def _intact(self) -> Path:
        """The folder of the last run, if nothing happened to it; else a name for a new one."""
        try:
            manifest = json.loads((self._folder / _MANIFEST).read_text("utf-8"))
            folder = self._folder / Path(manifest["folder"]).name
            fits = manifest["identity"] == self.identity and manifest["files"] == _sizes(folder)
        except (OSError, ValueError, KeyError, TypeError):
            return self._new_folder()
        return folder if fits else self._new_folder()

    def _save_manifest(self, files: dict[str, int] | None) -> None:
        manifest = {"folder": self._current.name, "identity": self.identity, "files": files}
        path = self._folder / _MANIFEST
        aside = path.with_suffix(".new")
        try:
            aside.write_text(json.dumps(manifest), "utf-8")
            aside.replace(path)
        except OSError as error:
            raise KnowledgeError(f"the Chroma index cannot be written ({error.strerror})") from error

    def _remove_others(self) -> None:
        for folder in self._folder.iterdir():
            if folder.is_dir() and folder != self._current:
                shutil.rmtree(folder, ignore_errors=True)

    def _open(self) -> ChromaCollection:
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


def _call(function: Callable[..., Any], **arguments: Any) -> Any:  # noqa: ANN401 - Chroma's own types
    try:
        return function(**arguments)
    except BaseException as error:
        # Chroma raises all kinds, and its Rust side panics with a class of its own below BaseException.
        if isinstance(error, (KeyboardInterrupt, SystemExit, GeneratorExit)):
            raise
        raise KnowledgeError(f"Chroma failed: {type(error).__name__}: {str(error)[:200]}") from error


def _sizes(folder: Path) -> dict[str, int]:
    """Length of every file of a Chroma folder, without what SQLite keeps beside an open database."""
    return {
        str(file.relative_to(folder)): file.stat().st_size
        for file in sorted(folder.rglob("*"))
        if file.is_file() and not file.name.endswith(("-wal", "-shm", "-journal"))
    }
