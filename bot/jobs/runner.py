"""Carries jobs out: each is a workflow of dbos, which records its steps and brings it back after a crash."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
import structlog
from dbos import error as dbos_errors
from sqlalchemy.exc import SQLAlchemyError

from bot import kill_points
from bot.jobs import queries
from bot.jobs.durable import call_outside_workflow, engine, lane_polling
from bot.jobs.recovery import KnownAttempts, bring_back_own, name_executor
from bot.jobs.serializer import UnreadableRecordError
from bot.jobs.step_log import Journal, Step, reopen_journal
from bot.jobs.stranded import StrandedJobs
from bot.jobs.values import FAILED, DeadLetter, Job, JobState, Work
from bot.jobs.workflow import perform_with, submit_workflow
from bot.service.errors import StorageError
from bot.service.fence import Fence
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, as_written

_log = structlog.get_logger(__name__)

_CANCEL_SECONDS: Final = 5.0
_OF_ANOTHER_VERSION: Final = (
    UnreadableRecordError, dbos_errors.DBOSUnexpectedStepError, dbos_errors.DBOSStepNondeterminismError,
)  # fmt: skip


class JobFailedError(ThinkTwiceError):
    """A job failed."""


class _Stranded(BaseException):
    """Nothing can be recorded now. No `Exception`, which dbos would take for the outcome of the job."""


class _TakenOver(BaseException):
    """Another machine goes on with the job. No `Exception`, for the same reason."""


class Jobs:
    """The jobs of this process; they begin within `opened`.

    Methods that look jobs up raise `StorageError` when the database cannot be used.

    Args:
        folder: Where the disk must have room to go on.
        on_trouble: Told why nothing can be recorded, and with None when it can again.
        fence: Closed while other machines may declare this one dead: it begins no step then.
    """

    def __init__(
        self,
        folder: Path,
        on_trouble: Callable[[Reason | None], None] = lambda _reason: None,
        *,
        fence: Fence | None = None,
    ) -> None:
        self._works: Mapping[str, Work] = {}
        self._fence = fence or Fence()
        self._is_shared = False
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._attempts = KnownAttempts()
        self._stranded = StrandedJobs(folder, on_trouble, self._attempts)
        self._is_ready = asyncio.Event()
        self._is_closing = False
        self._alone = asyncio.Lock()
        self._opened_at = 0.0

    @property
    def trouble(self) -> Reason | None:
        """Why nothing can be recorded at the moment; None when all is well."""
        return self._stranded.trouble

    @property
    def at_work(self) -> int:
        """Number of jobs that are carried out."""
        return len(self._tasks)

    async def submit(self, job: Job) -> bool:
        """Record a job; once this returns it is carried out, whatever happens.

        Returns:
            Whether it is new.

        Raises:
            StorageError: it could not be recorded.
        """
        kill_points.point(f"before {job.kind} is recorded")
        try:
            is_new = await call_outside_workflow(submit_workflow(job))
        except SQLAlchemyError as exc:
            self._stranded.report_trouble(exc)
            reason = Reason("work-not-recorded", {"reason": queries.reason_of(exc)})
            raise StorageError(reason, is_passing=True) from exc
        self._stranded.report_recovery()
        kill_points.point(f"after {job.kind} is recorded")
        return is_new

    async def cancel(self, job_id: str) -> bool:
        """Stop a job, waiting or running, for good.

        Returns:
            Whether there was something to stop.

        Raises:
            StorageError: the database cannot be used.
        """
        # It may have been begun anew under another id.
        found = [await self._cancel_one(known) for known in (job_id, _id_anew(job_id))]
        return any(found)

    async def _cancel_one(self, job_id: str) -> bool:
        state = await self.state(job_id)
        if state not in {"waiting", "running"}:
            return False
        self._stranded.drop(job_id)
        # First on the disk: a crash in between must not bring it back.
        await queries.cancel(job_id)
        task = self._tasks.get(job_id)
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait({task}, timeout=_CANCEL_SECONDS)
        return True

    async def state(self, job_id: str) -> JobState | None:
        """Return the state of a job; None when it is unknown or forgotten."""
        return await queries.state(job_id)

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        """Return the payloads of the jobs of a person that wait in a lane."""
        return await queries.read_waiting(person, lane)

    async def recorded(self, job_id: str, step: str) -> object:
        """Return the recorded result of a step; None when there is no record, or the step raised an error."""
        return await queries.recorded(job_id, step)

    async def dead_letters(self, limit: int = 100) -> tuple[DeadLetter, ...]:
        """The jobs that were given up, newest first."""
        return await queries.dead_letters(limit)

    async def prune(self, age: timedelta) -> int:
        """Forget the jobs that have been over for longer than `age`, and return how many."""
        return await queries.prune(age)

    async def open(self, works: Mapping[str, Work], executor: str, *, is_shared: bool = False) -> None:
        """Count the crashes of what was left, then let jobs begin.

        Args:
            works: What carries out the jobs of each kind.
            executor: Which process this is: what others are at has not crashed.
            is_shared: Whether other machines may have begun the same jobs before.

        Raises:
            StorageError: The database cannot be used.
        """
        self._works = works
        self._is_shared = is_shared
        if is_shared:
            await bring_back_own(executor)
        else:
            await self._attempts.count_crashes(executor)
        self._opened_at = time.monotonic()
        self._is_ready.set()

    async def close(self, grace_seconds: float) -> None:
        """Begin no job any more, let the running ones finish, and hand over those that do not.

        Args:
            grace_seconds: How long they get.
        """
        self._is_closing = True
        self._stranded.close()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=grace_seconds)
        left = dict(self._tasks)
        for job_id, task in left.items():
            with suppress(SQLAlchemyError):
                await self._attempts.note(job_id, replace(self._attempts.of(job_id), is_handed_over=True))
            task.cancel()
        if left:
            _log.info("left for the next start", jobs=len(left))
            await asyncio.wait(left.values(), timeout=_CANCEL_SECONDS)

    async def perform(self, job: Job) -> None:
        """Carry out a job; called by dbos."""
        task = asyncio.current_task()
        assert task is not None  # dbos runs every workflow in a task
        self._tasks[job.id] = task
        task.add_done_callback(partial(self._handle_end, job))
        await self._is_ready.wait()
        if self._is_closing:
            # The next start carries it out, as it does with the jobs that `close` cancels.
            raise asyncio.CancelledError
        await self._fence.wait_until_open()
        if self._is_shared:
            await self._learn_attempts(job.id)
        attempts = self._attempts.of(job.id)
        if attempts.is_given_up:
            await self._fail(job, Reason("job-crashes", {"crashes": attempts.crashes}))
        if not attempts.is_suspect:
            await self._carry_out(job)
            return
        await asyncio.sleep(attempts.seconds_to_wait(time.monotonic() - self._opened_at))
        async with self._alone:
            await self._carry_out(job)

    async def _carry_out(self, job: Job) -> None:
        work = self._works.get(job.kind)
        if work is None:
            await self._fail(job, Reason("job-unknown", {"kind": job.kind}))
            return
        try:
            was_begun = job.id in self._attempts or self._stranded.has_stranded(job.id)
            journal = await reopen_journal(job.id) if was_begun else Journal(job_id=job.id)
            await work(job.payload, partial(self._step, job.id, journal))
        except _OF_ANOTHER_VERSION as exc:
            # What it had found out is lost, the question is not.
            _log.warning("begun anew, its records do not fit this version", job=job.id, reason=str(exc))
            await self._submit_or_strand(replace(job, id=_id_anew(job.id)))
        except StorageError as exc:
            if exc.is_passing:
                raise _Stranded from exc
            _log.exception("a job failed", job=job.id, kind=job.kind)
            await self._fail(job, exc.reason)
        except Exception as exc:  # noqa: BLE001 - the outermost edge of all work
            _log.exception("a job failed", job=job.id, kind=job.kind)
            await self._fail(job, as_written(type(exc).__name__))

    async def _step(
        self, job_id: str, journal: Journal, name: str, fn: Step, /, *, is_light: bool = False
    ) -> Any:  # noqa: ANN401 - a step's own type
        """Carry out a step of a job; fulfils `RunStep`."""

        async def carried_out() -> Any:  # noqa: ANN401 - as above
            kill_points.point(f"before {name}")
            await self._fence.wait_until_open()
            try:
                await self._note_beginning(job_id)
                outcome = await fn()
            except StorageError as exc:
                # A disk that was full for a moment must not become the outcome of the step.
                if exc.is_passing:
                    raise _Stranded from exc
                raise
            except SQLAlchemyError as exc:
                raise _Stranded from exc
            kill_points.point(f"after {name}")
            return outcome

        try:
            outcome = await (journal.passed if is_light else journal.recorded)(name, carried_out)
        except SQLAlchemyError as exc:
            raise _Stranded from exc
        except dbos_errors.DBOSWorkflowConflictIDError as exc:
            _log.warning("another machine goes on with a job", job=job_id)
            raise _TakenOver from exc
        kill_points.point(f"recorded {name}")
        return outcome

    async def _learn_attempts(self, job_id: str) -> None:
        try:
            await self._attempts.learn(job_id)
        except SQLAlchemyError as exc:
            raise _Stranded from exc

    async def _note_beginning(self, job_id: str) -> None:
        """Note of a job that survived a crash that it may cause the next one."""
        attempts = self._attempts.of(job_id)
        if not attempts.has_begun:
            await self._attempts.note(job_id, replace(attempts, has_begun=True))

    async def _fail(self, job: Job, reason: Reason) -> None:
        """Give a job up, and submit the job that tells whoever waits for it.

        Raises:
            JobFailedError: always, to be kept as the outcome.
        """
        if job.kind == FAILED:
            _log.error("nobody could be told that a job failed", job=job.id, reason=str(reason))
        else:
            failed = {"id": job.id, "kind": job.kind, "payload": job.payload}
            payload = json.dumps({**failed, "reason": reason.to_json()})
            await self._submit_or_strand(Job(f"{job.id}:{FAILED}", FAILED, payload, person=job.person))
        # Without its cause: what is kept in the database is this sentence alone.
        raise JobFailedError(reason) from None

    async def _submit_or_strand(self, job: Job) -> None:
        try:
            await self.submit(job)
        except StorageError as exc:
            raise _Stranded from exc

    def _handle_end(self, job: Job, task: asyncio.Task[Any]) -> None:
        if self._tasks.get(job.id) is task:
            del self._tasks[job.id]
        lane_polling.notify()  # the next of its lane may begin
        error = None if task.cancelled() else task.exception()
        # Also when the job was done and only its end could not be recorded.
        if isinstance(error, (_Stranded, SQLAlchemyError)):
            self._stranded.add(job.id, error, has_lane=bool(job.lane))
        elif not self._is_closing:
            self._attempts.forget(job.id)
            self._stranded.forget(job.id)


def _id_anew(job_id: str) -> str:
    """Return the id of a job that replaces one whose records cannot be read."""
    return f"{job_id}:anew"


@asynccontextmanager
async def opened(
    jobs: Jobs,
    works: Mapping[str, Work],
    url: str,
    instance: str,
    *,
    grace_seconds: float = 0.0,
    most_at_work: int = 200,
) -> AsyncIterator[None]:
    """Continue unfinished jobs and accept new ones; at the end, leave what is not finished to the next start.

    Args:
        jobs: The jobs; not opened before.
        works: What carries out the jobs of each kind. When a job fails, a job of kind
            `FAILED` is submitted to report it.
        url: ``sqlite:///FILE`` or ``postgresql://…``.
        instance: Name of this machine.
        grace_seconds: How long running jobs get to finish at the end.
        most_at_work: Jobs of lanes that are carried out at the same time, at the most; the others wait.

    Raises:
        JobsError: the database cannot be opened.
    """
    with perform_with(jobs.perform):
        is_shared = sa.make_url(url).get_backend_name() != "sqlite"
        executor = name_executor(instance) if is_shared else instance
        async with engine(url, executor, most_at_work):
            await jobs.open(works, executor, is_shared=is_shared)
            try:
                yield
            finally:
                await jobs.close(grace_seconds)
