"""Jobs that were begun by a process that ended: how often that happened is counted, and they are begun again.

dbos brings the jobs of its own process back at the start. With several machines, the work of one that died is
taken over by the others.
"""

from __future__ import annotations

from collections.abc import Collection

from dbos import DBOS, WorkflowStatus
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs import queries
from bot.jobs.attempts import Attempts, from_attributes
from bot.jobs.durable import apart, requeue_work_of
from bot.service.errors import StorageError


async def keep_attempts(job_id: str, attempts: Attempts) -> None:
    """Record what is known of the beginnings of a job."""
    await apart(DBOS.update_workflow_attributes_async(job_id, attempts.to_attributes(), merge=True))


async def read_attempts(job_id: str) -> Attempts | None:
    """Return what is recorded of the beginnings of a job, or None if nothing is."""
    status = await apart(DBOS.get_workflow_status_async(job_id))
    return from_attributes(status.attributes) if status is not None and status.attributes else None


async def count_crash(status: WorkflowStatus) -> Attempts:
    """Record that the process that had begun a job ended; return what is known of its beginnings now."""
    steps = await apart(DBOS.list_workflow_steps_async(status.workflow_id, load_output=False))
    attempts = from_attributes(status.attributes).after_restart(len(steps))
    await keep_attempts(status.workflow_id, attempts)
    return attempts


async def take_over(alive: Collection[str]) -> int:
    """Bring the jobs that dead machines had begun back to the queue; return how many.

    Several machines may do this at a time: the first one to bring a job back wins.

    Args:
        alive: Names of the machines that are alive.

    Raises:
        StorageError: The database cannot be used.
    """
    try:
        listed = await apart(DBOS.list_workflows_async(status="PENDING", load_input=False, load_output=False))
        dead = {status.executor_id or "" for status in listed} - set(alive)
        for status in listed:
            if status.executor_id in dead:
                await count_crash(status)
        return sum([await requeue_work_of(machine) for machine in sorted(dead)])
    except SQLAlchemyError as exc:
        reason = f"the work of dead machines cannot be taken over ({queries.reason_of(exc)})"
        raise StorageError(reason, is_passing=True) from exc
