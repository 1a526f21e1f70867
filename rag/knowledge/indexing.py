"""Indexing beside other work: in a thread, and ended by whoever stops waiting for it."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable
from typing import TypeAlias

from rag.knowledge.sync import Progress, SyncReport

OnProgress: TypeAlias = Callable[[Progress], None]
"""Told how far an indexing is, in its thread; what it raises ends the work, and nothing is lost."""


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
