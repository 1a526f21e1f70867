"""Keeps the Chroma index up to date in its own thread, and says when it can be used.

Importing Chroma takes a second and filling it longer; until it is ready, and whenever it fails, questions use
exact search.
"""

from __future__ import annotations

import threading
from collections.abc import Sequence
from pathlib import Path

import structlog

from rag.errors import KnowledgeError
from rag.knowledge.chroma import ChromaIndex, ChromaVectors, wanted_index
from rag.knowledge.embedder import Vectors
from rag.knowledge.store import Store, read_state
from rag.knowledge.vectors import read_vectors
from rag.values import PassageId

_PAUSE_SECONDS = 0.05  # pause between two batches, so that questions get processor time

_log = structlog.get_logger(__name__)


class ChromaUpkeep:
    """One background thread that owns the process's Chroma index."""

    def __init__(self, store: Store, folder: Path) -> None:
        self._store = store
        self._folder = folder
        self._condition = threading.Condition()
        self._wanted = 0
        self._done = 0
        self._is_stopping = False
        self._index: ChromaVectors | None = None
        self._ready: tuple[int, ChromaIndex] | None = None
        self._thread: threading.Thread | None = None

    def want(self, generation: int) -> None:
        """Request the index of a generation; returns at once."""
        with self._condition:
            if generation <= self._wanted or self._is_stopping:
                return
            self._wanted = generation
            self._condition.notify_all()
            if self._thread is None:
                self._thread = threading.Thread(target=self._work, name="chroma", daemon=True)
                self._thread.start()

    def index_of(self, generation: int) -> ChromaIndex | None:
        """The index, if it is complete for this generation."""
        ready = self._ready
        return ready[1] if ready is not None and ready[0] == generation else None

    def wait(self, seconds: float) -> bool:
        """Wait for the requested index, and return whether it can be used."""
        with self._condition:
            self._condition.wait_for(lambda: self._done >= self._wanted, seconds)
            return self._ready is not None and self._ready[0] == self._wanted

    def close(self) -> None:
        """Stop, even in the middle of an update, and release the index."""
        with self._condition:
            self._is_stopping = True
            self._condition.notify_all()
        if self._thread is not None:
            self._thread.join()
        self._close_index()

    def _work(self) -> None:
        while True:
            with self._condition:
                self._condition.wait_for(lambda: self._is_stopping or self._wanted > self._done)
                if self._is_stopping:
                    return
                wanted = self._wanted
            self._ready = None
            try:
                self._update()
            except KnowledgeError as error:
                # The next generation tries again.
                _log.warning("chroma index not available, searching exactly", reason=str(error))
                self._close_index()
            except Exception as error:  # noqa: BLE001 - the thread's outermost loop
                # The thread must survive, for `wait` and for the next generation.
                _log.exception("chroma index failed, searching exactly", reason=repr(error))
                self._close_index()
            finally:
                with self._condition:
                    self._done = wanted
                    self._condition.notify_all()

    def _update(self) -> None:
        with self._store.reading() as connection:
            state = read_state(connection)
            name, passages = wanted_index(connection)
        self._index = self._index or ChromaVectors(self._folder)

        def read(some: Sequence[PassageId]) -> dict[PassageId, Vectors]:
            with self._store.reading() as connection:
                return read_vectors(connection, some, state.fingerprint)

        index = self._index.update(name, passages, read, self._pause)
        self._ready = None if index is None else (state.generation, index)

    def _pause(self) -> bool:
        with self._condition:
            return self._condition.wait_for(lambda: self._is_stopping, _PAUSE_SECONDS)

    def _close_index(self) -> None:
        self._ready = None
        index, self._index = self._index, None
        if index is not None:
            index.close()
