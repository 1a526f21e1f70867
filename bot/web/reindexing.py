"""The documents being read anew at an administrator's wish, while pages look how far it is."""

from __future__ import annotations

import asyncio
from dataclasses import dataclass

import structlog

from bot.documents.library import Library
from rag.errors import ThinkTwiceError
from rag.knowledge.sync import Progress, SyncReport
from rag.reasons import Reason

_log = structlog.get_logger(__name__)


@dataclass(slots=True)
class Reindexing:
    """One reading at a time; the last outcome stays until the next one.

    Args:
        library: Reads.
    """

    library: Library
    progress: Progress | None = None
    report: SyncReport | None = None
    failure: Reason | None = None
    _task: asyncio.Task[None] | None = None
    _is_wanted_again: bool = False

    @property
    def is_at_work(self) -> bool:
        """Whether the documents are being read."""
        return self._task is not None and not self._task.done()

    def start(self, who: str, *, rebuild: bool = False) -> None:
        """Begin to read what changed, or everything; while it is at work, what changed is read once more."""
        if self.is_at_work:
            # The reading at work may have looked at the folder before the change that this one is for.
            self._is_wanted_again = True
            return
        self._task = asyncio.create_task(self._read(who, rebuild=rebuild))

    async def _read(self, who: str, *, rebuild: bool) -> None:
        while True:
            self._is_wanted_again = False
            self.progress = self.report = self.failure = None
            try:
                self.report = await self.library.sync(
                    who, rebuild=rebuild, on_progress=self._tell, waits=True
                )
            except ThinkTwiceError as exc:
                _log.warning("the documents could not be read", reason=str(exc))
                self.failure = exc.reason
            if not self._is_wanted_again:
                return
            rebuild = False

    def _tell(self, progress: Progress) -> None:
        self.progress = progress
