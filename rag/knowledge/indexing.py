"""Indexing beside other work: in a thread, and ended by whoever stops waiting for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from rag.knowledge.sync import Progress, SyncReport, sync
from rag.settings import Knowledge, Models

OnProgress: TypeAlias = Callable[[Progress], None]
"""Told how far an indexing is, in its thread; what it raises ends the work, and nothing is lost."""


@dataclass(frozen=True, slots=True)
class Documents:
    """The files of a corpus, and the folder with the knowledge base made from them.

    Args:
        folder: Where the knowledge base lies.
        paths: Files and folders; none: those of the last sync.
        knowledge: How documents are read, cut and embedded.
        models: Addresses of embedding servers.
    """

    folder: Path
    paths: tuple[Path, ...]
    knowledge: Knowledge
    models: Models

    async def sync(self, on_progress: OnProgress | None = None, *, rebuild: bool = False) -> SyncReport:
        """Index what changed; arguments and errors are those of `rag.knowledge.sync.sync`."""
        return await index_in_thread(
            lambda report: sync(
                self.folder, self.paths, self.knowledge, self.models, rebuild=rebuild, on_progress=report
            ),
            on_progress,
        )


async def index_in_thread(
    index: Callable[[OnProgress], SyncReport], on_progress: OnProgress | None
) -> SyncReport:
    """Index in a thread; whoever stops waiting (Ctrl-C) ends it with its next step."""
    is_left = threading.Event()

    def report(progress: Progress) -> None:
        if is_left.is_set():
            raise InterruptedError
        if on_progress is not None:
            on_progress(progress)

    try:
        return await asyncio.to_thread(index, report)
    finally:
        is_left.set()
