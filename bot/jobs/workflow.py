"""Jobs as workflows of dbos: records them, and passes them on when their turn has come."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager, suppress
from typing import TypeAlias

from dbos import DBOS, DBOSContextSetAuth, SetEnqueueOptions, SetWorkflowID
from dbos import error as dbos_errors

from bot.jobs.durable import LANES, lane_polling
from bot.jobs.values import Job

Perform: TypeAlias = Callable[[Job], Awaitable[None]]
"""Carries out a job."""

_performing: list[Perform] = []


@contextmanager
def perform_with(perform: Perform) -> Iterator[None]:
    """Let `perform` carry out the jobs.

    Enter this before dbos is launched, because dbos continues unfinished jobs at once.
    """
    _performing.append(perform)
    try:
        yield
    finally:
        _performing.remove(perform)


async def submit_workflow(job: Job) -> bool:
    """Record a job; return whether it is new."""
    given = (job.kind, job.payload, job.lane, job.order)
    with (
        suppress(dbos_errors.DBOSWorkflowIDInUseError),
        SetWorkflowID(job.id, workflow_id_reuse_policy="reject"),
        DBOSContextSetAuth(job.person or None, None),
    ):
        if not job.lane:
            await DBOS.start_workflow_async(_workflow, *given)
            return True
        # By the order given first: jobs of the same millisecond, and a clock that was set back, come right.
        with SetEnqueueOptions(queue_partition_key=job.lane, priority=job.order):
            await DBOS.enqueue_workflow_async(LANES, _workflow, *given)
        lane_polling.notify()
        return True
    return False


@DBOS.workflow(name="job", max_recovery_attempts=None)
async def _workflow(kind: str, payload: str, lane: str, order: int) -> None:
    job_id = DBOS.workflow_id
    assert job_id is not None
    await _performing[-1](Job(job_id, kind, payload, lane, order, DBOS.authenticated_user or ""))
