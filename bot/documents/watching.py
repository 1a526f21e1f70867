"""Keeps the knowledge base in step with the corpus while the program runs.

Reports of the system only wake the watcher. Whether something has changed is found by looking at the names,
sizes and times of all files, so lost reports, network drives and folders that are swapped need no care of
their own.
"""

from __future__ import annotations

import asyncio
import os
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import structlog

from bot.documents.corpus import corpus_paths, find_files
from bot.documents.library import Library
from bot.settings.tree import Settings
from rag.errors import OperatorError, ThinkTwiceError
from rag.knowledge.sources import CorpusState
from rag.reasons import Reason

_log = structlog.get_logger(__name__)

_QUIET_SECONDS: Final = 2.0
"""Files count as complete when they have not changed for so long."""

_MOST_LOOKS: Final = 10
"""Looks after which the rest is read, although a file is still being written."""


class Watcher:
    """Reads the corpus again whenever one of its files has changed."""

    def __init__(self, settings: Settings, library: Library, read: Callable[[], Awaitable[object]]) -> None:
        self._settings = settings
        self._library = library
        self._read = read
        self._pause = settings.knowledge.watch_seconds
        self._quiet = min(_QUIET_SECONDS, self._pause)
        self._devices: dict[Path, int] = {}

    async def run(self) -> None:
        """Watch until cancelled; what cannot be read is tried again. Without a pause, only wait."""
        if not self._pause:
            await asyncio.Event().wait()
        ended = threading.Event()
        pool = ThreadPoolExecutor(1, "watch")
        state: CorpusState = frozenset()
        told: Reason | None = None
        try:
            while True:
                try:
                    state = await self._settle()
                    if state == self._library.state:
                        self._library.trouble = told = None
                    elif self._library.indexing is None:
                        await self._read()
                except ThinkTwiceError as exc:
                    if exc.reason != told:
                        _log.error("the documents were not brought up to date", reason=str(exc))
                    self._library.trouble = told = exc.reason
                except Exception:  # noqa: BLE001 - the outermost loop
                    _log.exception("the documents were not brought up to date")
                await asyncio.get_running_loop().run_in_executor(pool, self._wait, state, ended)
        finally:
            ended.set()
            pool.shutdown(wait=False)

    async def _settle(self) -> CorpusState:
        """Return the files as they are once nothing is written to them any more."""
        state = await asyncio.to_thread(self._look)
        for _ in range(_MOST_LOOKS):
            if state == self._library.state:
                break
            await asyncio.sleep(self._quiet)
            before, state = state, await asyncio.to_thread(self._look)
            if state == before:
                break
        return state

    def _look(self) -> CorpusState:
        """Return the files as they are.

        Raises:
            ThinkTwiceError: A folder of the corpus is not there; what was read of it must not be forgotten.
        """
        state = find_files(self._settings).state
        for root in corpus_paths(self._settings):
            try:
                device = root.stat().st_dev
            except OSError as exc:
                raise OperatorError(Reason("corpus-gone", {"path": str(root)})) from exc
            below = f"{root.resolve()}{os.sep}"
            if any(file[0].startswith(below) for file in state):
                self._devices[root] = device
            elif self._devices.get(root, device) != device:
                raise OperatorError(Reason("corpus-unmounted", {"folder": root.name}))
        return state

    def _wait(self, state: CorpusState, ended: threading.Event) -> None:
        """Wait until the system reports a change in the folders that hold files, or for the pause."""
        from watchfiles import watch

        folders = {os.path.dirname(file[0]) for file in state}  # noqa: PTH120
        try:
            folders.update(map(str, corpus_paths(self._settings)))
            reports = watch(
                *filter(os.path.isdir, folders),
                recursive=False,  # what is excluded is not watched, and may be large
                force_polling=False,
                ignore_permission_denied=True,
                stop_event=ended,
                rust_timeout=max(int(self._pause * 1000), 1),
                yield_on_timeout=True,
                step=max(int(self._quiet * 250), 1),
                raise_interrupt=False,
            )
            next(reports, None)
        except (OSError, RuntimeError, ThinkTwiceError):
            # More folders than the system can watch, or a folder that has just gone: time alone wakes then.
            ended.wait(self._pause)
