"""Carries runs out: claims them, records their steps, and goes on with them after a crash.

The same runner serves a SQLite file and PostgreSQL. A library for durable work (dbos) did this before; its
public interface can neither bring back the work of another machine that died nor be told that there is work,
so a dozen of its private methods had to be used, and its records had transactions of their own. Here the
record of a step, what the step writes along with it and the events of the run are one transaction.

What a process is at names it. A process that starts brings back what earlier processes of the same machine
have left; on PostgreSQL the others bring back the work of a machine that has died (`bot.fleet.membership`).
"""

from __future__ import annotations

import asyncio
import json
import secrets
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterable, Mapping
from contextlib import asynccontextmanager, suppress
from contextvars import Context
from dataclasses import replace
from datetime import timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import structlog

from bot import kill_points
from bot.current_step import Write
from bot.jobs import former
from bot.jobs.attempts import Attempts
from bot.jobs.journal import Claimed, Journal
from bot.jobs.records import UnreadableRecordError
from bot.jobs.steps import Outcome, Step, Steps
from bot.jobs.stranded import MAX_STRANDINGS, StrandedJobs
from bot.jobs.values import FAILED, DeadLetter, Job, JobState, Work
from bot.service.errors import StorageError
from bot.service.fence import Fence
from bot.service.runs import Runs, UnrecordableError
from bot.storage.database import Database
from rag.reasons import Reason, as_written

_log = structlog.get_logger(__name__)

_CANCEL_SECONDS: Final = 5.0
_OF_PROCESS: Final = "#"

_POLL_SECONDS: Final = 1.0
"""How often work of other machines is looked for; a file is used by one process, which knows its work."""

_RETRY_SECONDS: Final = 1.0


class _StrandedError(BaseException):
    """Nothing can be recorded now. No `Exception`, which a step would take for its outcome."""


class _TakenOverError(BaseException):
    """The run is over, erased, or another machine goes on with it. No `Exception`, for the same reason."""


class Jobs:
    """The runs of this process; they begin within `opened`.

    Methods but for `dispatch` and `close` raise `StorageError` when the database cannot be used.

    Args:
        folder: Where the disk must have room to go on.
        on_trouble: Told why nothing can be recorded, and with None when it can again.
        fence: Closed while other machines may declare this one dead: it begins no step then.
    """

    def __init__(
        self,
        database: Database,
        folder: Path,
        on_trouble: Callable[[Reason | None], None] = lambda _reason: None,
        *,
        fence: Fence | None = None,
    ) -> None:
        self.journal = Journal(database)
        self._database = database
        self._folder = folder
        self._works: Mapping[str, Work] = {}
        self._events: Runs | None = None
        self._fence = fence or Fence()
        self._machine = self._process = ""
        self._most_at_work = 0
        self._tasks: dict[str, asyncio.Task[Any]] = {}
        self._lanes: set[str] = set()
        self._attempts: dict[str, Attempts] = {}
        self._stranded = StrandedJobs(folder, on_trouble, self._bring_back)
        self._is_open = False
        self._is_notified = asyncio.Event()
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

    @asynccontextmanager
    async def together(self) -> AsyncIterator[None]:
        """Do the same as `Database.together`, and report a transaction that could not be kept."""
        try:
            async with self._database.together():
                yield
        except StorageError as exc:
            self._stranded.report_trouble(exc)
            raise

    async def submit(self, job: Job) -> bool:
        """Record a job; once this returns it is carried out, whatever happens.

        Inside `Database.together` it begins when that transaction is kept. Returns whether it is new.
        """
        kill_points.point(f"before {job.kind} is recorded")
        is_free = self._is_open and (not job.lane or self._free > 0)
        try:
            is_new, claimed = await self.journal.add(job, self._process if is_free else None)
        except StorageError as exc:
            self._stranded.report_trouble(exc)
            reason = Reason("work-not-recorded", {"reason": exc.reason})
            raise StorageError(reason, is_passing=exc.is_passing) from exc
        self._database.after_commit(self._stranded.report_recovery)
        self._database.after_commit(partial(kill_points.point, f"after {job.kind} is recorded"))
        if claimed is not None:
            self._database.after_commit(partial(self._begin, (claimed,)))
        elif is_new and not is_free:
            self._database.after_commit(self._is_notified.set)
        return is_new

    async def cancel(self, job_id: str) -> bool:
        """Stop a job, waiting or running, for good; return whether there was something to stop."""
        # First on the disk: a crash in between must not bring it back.
        if not await self.journal.cancel(job_id):
            return False
        self._stranded.drop(job_id)
        task = self._tasks.get(job_id)
        if task is not None and task is not asyncio.current_task():
            task.cancel()
            await asyncio.wait({task}, timeout=_CANCEL_SECONDS)
        self._is_notified.set()
        return True

    async def state(self, job_id: str) -> JobState | None:
        """Return the state of a job; None when it is unknown or forgotten."""
        return await self.journal.state(job_id)

    async def is_at_work(self, job_id: str) -> bool:
        """Return whether a job waits or is carried out."""
        return await self.journal.state(job_id) in {"waiting", "running"}

    async def waiting_in(self, person: str, lane: str) -> tuple[str, ...]:
        """Return the payloads of the jobs of a person that wait in a lane."""
        return await self.journal.read_waiting(person, lane)

    async def recorded(self, job_id: str, step: str) -> object:
        """Return the recorded result of a step; None when there is no record, or the step raised an error."""
        record = (await self.journal.steps_of(job_id)).get(step)
        found = None if record is None else Outcome.shown(record)
        return None if isinstance(found, Exception) else found

    async def dead_letters(self, limit: int = 100) -> tuple[DeadLetter, ...]:
        """The jobs that were given up, newest first."""
        return await self.journal.dead_letters(limit)

    async def prune(self, age: timedelta) -> int:
        """Forget the jobs that have been over for longer than `age`, and return how many."""
        return await self.journal.prune(age)

    async def take_over(self, alive: Collection[str]) -> int:
        """Bring back what machines that are not alive had begun; return how many runs that is."""
        brought_back = await self.journal.bring_back(lambda process: _machine_of(process) not in alive)
        if brought_back:
            self._is_notified.set()
        return brought_back

    async def open(
        self, works: Mapping[str, Work], machine: str, most_at_work: int, events: Runs | None
    ) -> None:
        """Bring back what earlier processes have left, then let jobs begin."""
        self._works, self._events, self._most_at_work = works, events, most_at_work
        self._machine, self._process = machine, f"{machine}{_OF_PROCESS}{secrets.token_hex(4)}"
        if not self._database.is_server:
            await asyncio.to_thread(former.delete, self._folder)
        # Nobody else works on a file.
        await self.journal.bring_back(
            lambda other: not self._database.is_server or _machine_of(other) == machine
        )
        self._opened_at = time.monotonic()
        self._is_open = True
        self._is_notified.set()

    async def dispatch(self) -> None:
        """Claim what waits whenever something may have changed, until cancelled."""
        interval = _POLL_SECONDS if self._database.is_server else None
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(interval):
                    await self._is_notified.wait()
            is_notified = self._is_notified.is_set()
            self._is_notified.clear()
            await self._fence.wait_until_open()
            try:
                # A claim makes every other writer wait, and most looks find nothing.
                if is_notified or await self.journal.has_waiting():
                    free = self._free
                    claimed = await self.journal.claim(self._process, free)
                    self._begin(claimed)
                    if self._free > 0 and sum(bool(one.job.lane) for one in claimed) >= free:
                        # More may wait: a job has ended meanwhile.
                        self._is_notified.set()
            except StorageError as exc:
                _log.warning("work that waits cannot be looked for", reason=str(exc))
                await asyncio.sleep(_RETRY_SECONDS)
                self._is_notified.set()

    async def close(self, grace_seconds: float) -> None:
        """Begin no job any more, let the running ones finish, and hand over those that do not."""
        self._is_open = False
        self._stranded.close()
        if self._tasks:
            await asyncio.wait(self._tasks.values(), timeout=grace_seconds)
        left = dict(self._tasks)
        for job_id, task in left.items():
            with suppress(StorageError):
                handed_over = replace(self._attempts.get(job_id, Attempts()), is_handed_over=True)
                await self.journal.note(job_id, self._process, handed_over)
            task.cancel()
        if left:
            _log.info("left for the next start", jobs=len(left))
            await asyncio.wait(left.values(), timeout=_CANCEL_SECONDS)

    @property
    def _free(self) -> int:
        return self._most_at_work - len(self._lanes)

    def _begin(self, claimed: Iterable[Claimed]) -> None:
        for one in claimed:
            if not self._is_open:
                return  # the next start carries it out
            job = one.job
            # Not in the context of whoever has submitted it, which may be a step of another run.
            task = asyncio.create_task(self._perform(one), context=Context())
            self._tasks[job.id] = task
            if job.lane:
                self._lanes.add(job.id)
            if one.attempts is not None:
                self._attempts[job.id] = one.attempts
            task.add_done_callback(partial(self._handle_end, job))

    async def _perform(self, claimed: Claimed) -> None:
        job, attempts = claimed.job, claimed.attempts or Attempts()
        await self._fence.wait_until_open()
        if attempts.is_given_up:
            await self._now(self._end(job, Reason("job-crashes", {"crashes": attempts.crashes})))
        elif not attempts.is_suspect:
            await self._carry_out(claimed)
        else:
            await asyncio.sleep(attempts.seconds_to_wait(time.monotonic() - self._opened_at))
            async with self._alone:
                await self._carry_out(claimed)

    async def _carry_out(self, claimed: Claimed) -> None:
        job = claimed.job
        work = self._works.get(job.kind)
        if work is None:
            await self._now(self._end(job, Reason("job-unknown", {"kind": job.kind})))
            return
        is_new = claimed.attempts is None
        recorded = {} if is_new else await self._now(self.journal.steps_of(job.id))
        since = None if is_new else claimed.at
        steps = Steps(job.id, partial(self._record, job.id), recorded, since)
        try:
            await work(job.payload, partial(self._step, job.id, steps))
            await self._end(job, None, steps.along)
        except UnreadableRecordError as exc:
            # What it had found out is lost, the question is not.
            _log.warning("begun anew, its records do not fit this version", job=job.id, reason=str(exc))
            await self._now(self.journal.begin_anew(job.id))
            await self._carry_out(replace(claimed, attempts=claimed.attempts or Attempts()))
        except (Exception, asyncio.CancelledError) as exc:  # the outermost edge of all work
            if isinstance(exc, StorageError) and exc.is_passing:
                raise _StrandedError from exc
            # One by one: it may have failed of one of them. Not again what is kept, nor what was erased.
            for write in steps.along:
                with suppress(Exception):
                    async with self._database.together():
                        if await self.journal.state(job.id) in {"running", "cancelled"}:
                            await write()
            if isinstance(exc, asyncio.CancelledError):
                raise
            _log.exception("a job failed", job=job.id, kind=job.kind)
            reason = exc.reason if isinstance(exc, StorageError) else as_written(type(exc).__name__)
            await self._now(self._end(job, reason))

    async def _step(
        self, job_id: str, steps: Steps, name: str, fn: Step, /, *, is_light: bool = False
    ) -> Any:  # noqa: ANN401 - a step's own type
        """Carry out a step of a job; fulfils `RunStep`."""

        async def carried_out() -> Any:  # noqa: ANN401 - as above
            kill_points.point(f"before {name}")
            await self._fence.wait_until_open()
            await self._now(self._note_beginning(job_id))
            try:
                outcome = await fn()
            except StorageError as exc:
                # A disk that was full for a moment must not become the outcome of the step.
                if exc.is_passing:
                    raise _StrandedError from exc
                raise
            kill_points.point(f"after {name}")
            return outcome

        outcome = await steps.carry_out(name, carried_out, is_light=is_light)
        kill_points.point(f"recorded {name}")
        return outcome

    async def _record(self, job_id: str, outcomes: Mapping[str, str], along: Iterable[Write]) -> None:
        async def write() -> None:
            if not await self.journal.record(job_id, self._process, outcomes):
                _log.warning("a run is over, or another machine goes on with it", job=job_id)
                raise _TakenOverError
            for write_along in along:
                await write_along()

        await self._now(self._together(write))

    async def _end(self, job: Job, reason: Reason | None, along: Iterable[Write] = ()) -> None:
        """Record that a job is over; if it was given up, submit the job that tells whoever waits for it."""
        claimed: tuple[Claimed, ...] | None = None

        async def write() -> None:
            nonlocal claimed
            lane = job.lane if self._is_open else ""
            claimed = await self.journal.end(job.id, lane, self._process, reason)
            if claimed is None:
                raise _TakenOverError
            for write_along in along:
                await write_along()
            if reason is not None and job.kind != FAILED:
                told = {"id": job.id, "kind": job.kind, "payload": job.payload, "reason": reason.to_json()}
                await self.submit(Job(f"{job.id}:{FAILED}", FAILED, json.dumps(told), person=job.person))

        if reason is not None and job.kind == FAILED:
            _log.error("nobody could be told that a job failed", job=job.id, reason=str(reason))
        await self._together(write)
        self._begin(claimed or ())

    async def _together(self, write: Step) -> None:
        """Write, and record the events that wait, in one transaction."""
        if self._events is not None:
            with suppress(UnrecordableError):
                async with self._events.recorded_along() as record_events, self._database.together():
                    await write()
                    await record_events()
                return
        async with self._database.together():
            await write()

    async def _now(self, work: Any) -> Any:  # noqa: ANN401 - any coroutine
        """Wait for the database; the job strands when it cannot be used."""
        try:
            return await work
        except StorageError as exc:
            raise _StrandedError from exc

    async def _note_beginning(self, job_id: str) -> None:
        """Note of a job that survived a crash that it may cause the next one."""
        attempts = self._attempts.get(job_id)
        if attempts is not None and not attempts.has_begun:
            begun = replace(attempts, has_begun=True)
            await self.journal.note(job_id, self._process, begun)
            self._attempts[job_id] = begun

    async def _bring_back(self, job_id: str, times: int) -> None:
        attempts = replace(self._attempts.get(job_id, Attempts()), has_begun=False)
        if times >= MAX_STRANDINGS:
            attempts = replace(attempts, crashes=MAX_STRANDINGS)
        await self.journal.put_back(job_id, self._process, attempts)
        self._is_notified.set()

    def _handle_end(self, job: Job, task: asyncio.Task[Any]) -> None:
        had_room = self._free > 0
        if self._tasks.get(job.id) is task:
            del self._tasks[job.id]
            self._lanes.discard(job.id)
        error = None if task.cancelled() else task.exception()
        # The next of its lane was claimed with its end; another lane's waits only where there was no room.
        if not had_room or task.cancelled() or error is not None:
            self._is_notified.set()
        if isinstance(error, _StrandedError):
            self._stranded.add(job.id, error)
            return
        if error is not None and not isinstance(error, _TakenOverError):
            _log.error("a job ended without a record", job=job.id, exc_info=error)
        if self._is_open:
            self._attempts.pop(job.id, None)
            self._stranded.forget(job.id)


def _machine_of(process: str) -> str:
    return process.rpartition(_OF_PROCESS)[0] or process


@asynccontextmanager
async def opened(
    jobs: Jobs,
    works: Mapping[str, Work],
    machine: str,
    *,
    grace_seconds: float = 0.0,
    most_at_work: int = 200,
    events: Runs | None = None,
) -> AsyncIterator[None]:
    """Continue unfinished jobs and accept new ones; at the end, leave what is not finished to the next start.

    Args:
        works: What carries out the jobs of each kind; a job of kind `FAILED` reports one that fails.
        grace_seconds: How long running jobs get to finish at the end.
        most_at_work: Jobs of lanes that are carried out at the same time, at the most; the others wait.
        events: Records the events of runs; those that wait are recorded with the next step.

    Raises:
        StorageError: The database cannot be used.
    """
    await jobs.open(works, machine, most_at_work, events)
    dispatching = asyncio.create_task(jobs.dispatch())
    try:
        yield
    finally:
        dispatching.cancel()
        await asyncio.wait({dispatching})
        await jobs.close(grace_seconds)
