"""Jobs that stopped because their database could not be written, and their way back."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Final

import structlog
from dbos import DBOS
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs import queries
from bot.jobs.disk_space import has_room
from bot.jobs.durable import LANES, call_outside_workflow, lane_polling
from bot.jobs.recovery import KnownAttempts
from rag.reasons import Reason

_log = structlog.get_logger(__name__)

_FIRST_WAIT_SECONDS: Final = 1.0
_LONGEST_WAIT_SECONDS: Final = 30.0
# Errors of the database that pass are waited out, but not by a job that meets them again and again.
_MAX_STRANDINGS: Final = 20


class StrandedJobs:
    """Jobs that wait until something can be recorded again.

    Args:
        folder: Where the disk must have room to go on.
        on_trouble: Called with the reason why nothing can be recorded, and with None when it can again.
        attempts: What is known of the beginnings of jobs.
    """

    def __init__(
        self, folder: Path, on_trouble: Callable[[Reason | None], None], attempts: KnownAttempts
    ) -> None:
        self._folder = folder
        self._on_trouble = on_trouble
        self._attempts = attempts
        self._has_lane: dict[str, bool] = {}
        self._times: dict[str, int] = {}
        self._bringing_back: asyncio.Task[None] | None = None
        self._is_closed = False
        self._trouble: Reason | None = None

    @property
    def trouble(self) -> Reason | None:
        """Why nothing can be recorded at the moment; None when all is well."""
        return self._trouble

    def has_stranded(self, job_id: str) -> bool:
        """Return whether a job has ever stranded since it was last forgotten."""
        return job_id in self._times

    def add(self, job_id: str, error: BaseException, *, has_lane: bool) -> None:
        """Bring a job back as soon as something can be recorded."""
        self._times[job_id] = self._times.get(job_id, 0) + 1
        self._has_lane[job_id] = has_lane
        self.report_trouble(error.__cause__ or error)
        if not self._is_closed and (self._bringing_back is None or self._bringing_back.done()):
            self._bringing_back = asyncio.create_task(self._bring_all_back())

    def drop(self, job_id: str) -> None:
        """Do not bring a job back."""
        self._has_lane.pop(job_id, None)

    def forget(self, job_id: str) -> None:
        """Forget how often a job has stranded."""
        self._times.pop(job_id, None)

    def close(self) -> None:
        """Bring no job back any more."""
        self._is_closed = True
        if self._bringing_back is not None:
            self._bringing_back.cancel()

    def report_trouble(self, error: BaseException) -> None:
        """Report once that nothing can be recorded."""
        if not self._trouble:
            cause = queries.reason_of(error)
            self._trouble = Reason("not-recorded", {"reason": cause})
            _log.error("nothing can be recorded, so nothing new is accepted", reason=str(cause))
            self._on_trouble(self._trouble)

    def report_recovery(self) -> None:
        """Report that something was recorded, unless jobs are still to be brought back."""
        if self._trouble and not self._has_lane:
            self._trouble = None
            _log.warning("work can be recorded again")
            self._on_trouble(None)

    async def _bring_all_back(self) -> None:
        wait = _FIRST_WAIT_SECONDS
        while self._has_lane:
            await asyncio.sleep(wait)
            wait = min(wait * 2, _LONGEST_WAIT_SECONDS)
            # Not by trying a job: it would send its message again each time.
            if not await asyncio.to_thread(has_room, self._folder):
                continue
            try:
                for job_id, has_lane in list(self._has_lane.items()):
                    # It may have been stopped meanwhile, for good.
                    if job_id in self._has_lane:
                        await self._bring_back(job_id, has_lane=has_lane)
            except SQLAlchemyError as exc:
                self.report_trouble(exc)
        self.report_recovery()

    async def _bring_back(self, job_id: str, *, has_lane: bool) -> None:
        attempts = replace(self._attempts.of(job_id), has_begun=False)
        if self._times.get(job_id, 0) >= _MAX_STRANDINGS:
            attempts = replace(attempts, crashes=_MAX_STRANDINGS)
        # For the next start, should it come first: dbos forgets that a job was begun when it is put back.
        await self._attempts.note(job_id, attempts)
        await call_outside_workflow(
            DBOS.resume_workflow_async(job_id, queue_name=LANES if has_lane else None)
        )
        lane_polling.notify()
        self._has_lane.pop(job_id, None)
