"""Jobs that were begun by a process that ended: how often that happened is counted, and they are begun again.

With a SQLite file, dbos brings the jobs of the process back at the start. Machines of a fleet do it
themselves, for those of another machine that died and for their own: a job goes back to the queue when its
crash is on record, because the machine that gets it next must know that its steps may have been begun.
"""

from __future__ import annotations

import secrets
from collections.abc import Callable, Collection
from typing import Final

from dbos import DBOS, WorkflowStatus
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs import queries
from bot.jobs.attempts import Attempts, from_attributes
from bot.jobs.durable import call_outside_workflow, requeue_work_of
from bot.service.errors import StorageError

_BEGUN: Final = ["PENDING", "ENQUEUED"]
_OF_PROCESS: Final = "#"


class KnownAttempts:
    """What this process knows about the attempts at its jobs; the database holds the same beside each job."""

    def __init__(self) -> None:
        self._of: dict[str, Attempts] = {}

    def __contains__(self, job_id: str) -> bool:
        return job_id in self._of

    def of(self, job_id: str) -> Attempts:
        """Return what is known of a job; a clean sheet if that is nothing."""
        return self._of.get(job_id, Attempts())

    def forget(self, job_id: str) -> None:
        """Forget a job that is over; what the database holds of it stays."""
        self._of.pop(job_id, None)

    async def note(self, job_id: str, attempts: Attempts) -> None:
        """Remember and record what is known of a job."""
        self._of[job_id] = attempts
        await _record(job_id, attempts)

    async def learn(self, job_id: str) -> None:
        """Read what is recorded of a job, because another machine may have counted its crashes."""
        status = await call_outside_workflow(DBOS.get_workflow_status_async(job_id))
        if status is not None and status.attributes:
            self._of[job_id] = from_attributes(status.attributes)

    async def count_crashes(self, executor: str) -> None:
        """Count the crash of each job that this process, `executor`, had begun before it was restarted."""
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(status=_BEGUN, load_input=False, load_output=False)
        )
        for status in listed:
            # A job that waits has not begun, unless it was brought back, which may have been noted of it.
            if (status.recovery_attempts or status.attributes) and status.executor_id == executor:
                self._of[status.workflow_id] = await _count_crash(status)


async def _record(job_id: str, attempts: Attempts) -> None:
    await call_outside_workflow(
        DBOS.update_workflow_attributes_async(job_id, attempts.to_attributes(), merge=True)
    )


async def _count_crash(status: WorkflowStatus) -> Attempts:
    """Record that the process that had begun a job ended; return what is known of its beginnings now."""
    steps = await call_outside_workflow(DBOS.list_workflow_steps_async(status.workflow_id, load_output=False))
    attempts = from_attributes(status.attributes).after_restart(len(steps))
    await _record(status.workflow_id, attempts)
    return attempts


def name_executor(machine: str) -> str:
    """Return the name under which this process of a machine works; no other process had it before."""
    return f"{machine}{_OF_PROCESS}{secrets.token_hex(4)}"


async def take_over(alive: Collection[str]) -> int:
    """Bring the jobs that dead machines had begun back to the queue; return how many.

    Several machines may do this at a time: the first one to bring a job back wins.

    Args:
        alive: Names of the machines that are alive.

    Raises:
        StorageError: The database cannot be used.
    """
    return await _bring_back(lambda executor: _machine_of(executor) not in alive)


async def bring_back_own(executor: str) -> int:
    """Bring the jobs that earlier processes of this machine had begun back to the queue; return how many.

    Args:
        executor: Name of this process.

    Raises:
        StorageError: The database cannot be used.
    """
    machine = _machine_of(executor)
    return await _bring_back(lambda other: other != executor and _machine_of(other) == machine)


async def _bring_back(is_dead: Callable[[str], bool]) -> int:
    try:
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(status="PENDING", load_input=False, load_output=False)
        )
        begun = [status for status in listed if is_dead(status.executor_id or "")]
        for status in begun:
            await _count_crash(status)
        dead = {status.executor_id or "" for status in begun}
        return sum([await requeue_work_of(executor) for executor in sorted(dead)])
    except SQLAlchemyError as exc:
        reason = f"the work of dead machines cannot be taken over ({queries.reason_of(exc)})"
        raise StorageError(reason, is_passing=True) from exc


def _machine_of(executor: str) -> str:
    return executor.rpartition(_OF_PROCESS)[0] or executor
