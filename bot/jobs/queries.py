"""Queries on the jobs in the database of dbos: looking them up, cancelling and forgetting them.

Every function raises `StorageError` when the database cannot be used.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Final

from dbos import DBOS, WorkflowStatus
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs.durable import LANES, call_outside_workflow
from bot.jobs.step_log import outcomes_by_step
from bot.jobs.values import DeadLetter, JobState, Kept
from bot.service.errors import StorageError
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, as_written

_STATES: Final[dict[str, JobState]] = {
    "ENQUEUED": "waiting",
    "DELAYED": "waiting",
    "PENDING": "running",
    "SUCCESS": "done",
    "ERROR": "failed",
    "MAX_RECOVERY_ATTEMPTS_EXCEEDED": "failed",
    "CANCELLED": "cancelled",
}
_OVER: Final = ["SUCCESS", "ERROR", "CANCELLED"]
_OPEN: Final = {name for name, state in _STATES.items() if state in {"waiting", "running"}}
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Entry:
    """A job as it is listed: its id, its lane, and whether it is over."""

    id: str
    lane: str
    is_over: bool


async def state(job_id: str) -> JobState | None:
    """Return the state of a job; None when it is unknown or forgotten."""
    with _translated():
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(workflow_ids=[job_id], load_input=False, load_output=False)
        )
    return _STATES[listed[0].status] if listed else None


async def recorded(job_id: str, step: str) -> object:
    """Return the recorded result of a step; None when there is no record, or the step raised an error."""
    with _translated():
        steps = await call_outside_workflow(DBOS.list_workflow_steps_async(job_id))
    for each in steps:
        outcome = outcomes_by_step(each["function_name"], each["error"] or each["output"]).get(step)
        if outcome is not None:
            return None if isinstance(outcome, Exception) else outcome
    return None


async def dead_letters(limit: int) -> tuple[DeadLetter, ...]:
    """The jobs that were given up, newest first."""
    with _translated():
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(status="ERROR", sort_desc=True, limit=limit)
        )
    return tuple(_dead_letter(status) for status in listed)


async def cancel(job_id: str) -> None:
    """Keep a job from being carried out or brought back."""
    with _translated():
        await call_outside_workflow(DBOS.cancel_workflow_async(job_id))


async def prune(age: timedelta) -> int:
    """Forget the jobs that have been over for longer than `age`, and return how many."""
    before = (datetime.now(UTC) - age).isoformat()
    pruned = 0
    while True:
        with _translated():
            listed = await call_outside_workflow(
                DBOS.list_workflows_async(
                    status=_OVER, completed_before=before, limit=_BATCH, load_input=False, load_output=False
                )
            )
            if listed:
                await call_outside_workflow(
                    DBOS.delete_workflows_async([status.workflow_id for status in listed])
                )
        pruned += len(listed)
        if len(listed) < _BATCH:
            return pruned


async def find_of_person(person: str) -> tuple[Entry, ...]:
    """The jobs of a person."""
    with _translated():
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(user=person, load_input=False, load_output=False)
        )
    return tuple(
        Entry(status.workflow_id, status.queue_partition_key or "", is_over=status.status not in _OPEN)
        for status in listed
    )


async def read_kept(person: str) -> tuple[Kept, ...]:
    """Return the records of the jobs of a person, oldest first."""
    with _translated():
        listed = await call_outside_workflow(DBOS.list_workflows_async(user=person, load_output=False))
        return tuple([await _kept(status) for status in listed])


async def read_waiting(person: str, lane: str) -> tuple[str, ...]:
    """Return the payloads of the jobs of a person that wait in a lane."""
    with _translated():
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(user=person, queue_name=LANES, status="ENQUEUED", load_output=False)
        )
    return tuple(_given(status)[1] for status in listed if status.queue_partition_key == lane)


async def find_over_in(lanes: Collection[str]) -> set[str]:
    """The ids of the jobs of these lanes that are over."""
    with _translated():
        listed = await call_outside_workflow(
            DBOS.list_workflows_async(queue_name=LANES, status=_OVER, load_input=False, load_output=False)
        )
    return {status.workflow_id for status in listed if status.queue_partition_key in lanes}


async def forget(job_ids: Collection[str]) -> None:
    """Delete what is kept of jobs: what they got, and what their steps returned."""
    ids = sorted(job_ids)
    for first in range(0, len(ids), _BATCH):
        with _translated():
            await call_outside_workflow(DBOS.delete_workflows_async(ids[first : first + _BATCH]))


def reason_of(error: BaseException) -> Reason:
    """Return the message of a database driver without the text that SQLAlchemy adds."""
    cause = getattr(error, "orig", None) or error
    if getattr(cause, "sqlite_errorcode", None) == sqlite3.SQLITE_FULL:
        return Reason("database-full")
    return cause.reason if isinstance(cause, ThinkTwiceError) else as_written(str(cause))


async def _kept(status: WorkflowStatus) -> Kept:
    kind, payload = _given(status)
    steps = await call_outside_workflow(DBOS.list_workflow_steps_async(status.workflow_id))
    outcomes: dict[str, object] = {}
    for step in steps:
        outcomes |= outcomes_by_step(step["function_name"], step["error"] or step["output"])
    at = datetime.fromtimestamp((status.created_at or 0) / 1000, UTC)
    lane = status.queue_partition_key or ""
    return Kept(status.workflow_id, kind, _STATES[status.status], payload, at, outcomes, lane)


def _given(status: WorkflowStatus) -> tuple[str, str]:
    """The kind and the payload of a job."""
    # What cannot be read any more comes as it is stored.
    if not isinstance(status.input, dict):
        return "", ""
    kind, payload = status.input["args"][:2]
    return str(kind), str(payload)


def _dead_letter(status: WorkflowStatus) -> DeadLetter:
    kind, payload = _given(status)
    at = datetime.fromtimestamp((status.completed_at or status.updated_at or 0) / 1000, UTC)
    error = status.error
    reason = error.reason if isinstance(error, ThinkTwiceError) else as_written(str(error or ""))
    return DeadLetter(status.workflow_id, kind, payload, reason, at)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as exc:
        raise StorageError(Reason("work-not-read", {"reason": reason_of(exc)}), is_passing=True) from exc
