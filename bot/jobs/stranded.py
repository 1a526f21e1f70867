"""Runs that stopped because the database could not be written, and their way back."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Final

import structlog

from bot.jobs.disk_space import has_room
from bot.service.errors import StorageError
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, as_written

_log = structlog.get_logger(__name__)

_FIRST_WAIT_SECONDS: Final = 1.0
_LONGEST_WAIT_SECONDS: Final = 30.0

MAX_STRANDINGS: Final = 20
"""Errors of the database that pass are waited out, but not by a run that meets them again and again."""


class StrandedJobs:
    """Runs that wait until something can be recorded again.

    Args:
        folder: Where the disk must have room to go on.
        on_trouble: Called with the reason why nothing can be recorded, and with None when it can again.
        bring_back: Lets a run wait for its turn again, told how often it has stranded; raises `StorageError`.
    """

    def __init__(
        self,
        folder: Path,
        on_trouble: Callable[[Reason | None], None],
        bring_back: Callable[[str, int], Awaitable[None]],
    ) -> None:
        self._folder = folder
        self._on_trouble = on_trouble
        self._bring_back = bring_back
        self._waiting: set[str] = set()
        self._times: dict[str, int] = {}
        self._bringing_back: asyncio.Task[None] | None = None
        self._is_closed = False
        self._trouble: Reason | None = None

    @property
    def trouble(self) -> Reason | None:
        """Why nothing can be recorded at the moment; None when all is well."""
        return self._trouble

    def add(self, run_id: str, error: BaseException) -> None:
        """Bring a run back as soon as something can be recorded."""
        self._times[run_id] = self._times.get(run_id, 0) + 1
        self._waiting.add(run_id)
        self.report_trouble(error.__cause__ or error)
        if not self._is_closed and (self._bringing_back is None or self._bringing_back.done()):
            self._bringing_back = asyncio.create_task(self._bring_all_back())

    def drop(self, run_id: str) -> None:
        """Do not bring a run back."""
        self._waiting.discard(run_id)

    def forget(self, run_id: str) -> None:
        """Forget how often a run has stranded."""
        self._times.pop(run_id, None)

    def close(self) -> None:
        """Bring no run back any more."""
        self._is_closed = True
        if self._bringing_back is not None:
            self._bringing_back.cancel()

    def report_trouble(self, error: BaseException) -> None:
        """Report once that nothing can be recorded."""
        if not self._trouble:
            cause = error.reason if isinstance(error, ThinkTwiceError) else as_written(str(error))
            self._trouble = Reason("not-recorded", {"reason": cause})
            _log.error("nothing can be recorded, so nothing new is accepted", reason=str(cause))
            self._on_trouble(self._trouble)

    def report_recovery(self) -> None:
        """Report that something was recorded, unless runs are still to be brought back."""
        if self._trouble and not self._waiting:
            self._trouble = None
            _log.warning("work can be recorded again")
            self._on_trouble(None)

    async def _bring_all_back(self) -> None:
        wait = _FIRST_WAIT_SECONDS
        while self._waiting:
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT_SECONDS)
            # Not by trying a run: it would send its message again each time.
            if not await asyncio.to_thread(has_room, self._folder):
                continue
            try:
                for run_id in list(self._waiting):
                    # It may have been stopped meanwhile, for good.
                    if run_id in self._waiting:
                        await self._bring_back(run_id, self._times.get(run_id, 0))
                        self._waiting.discard(run_id)
            except StorageError as exc:
                self.report_trouble(exc)
        self.report_recovery()
