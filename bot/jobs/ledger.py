"""What the database of dbos holds of jobs: looked up, cancelled and forgotten.

Every function raises `StorageError` when the database cannot be used.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from typing import Final

from dbos import DBOS, WorkflowStatus
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs.durable import apart
from bot.jobs.values import DeadLetter, JobState
from bot.storage.database import StorageError

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
_BATCH: Final = 500


async def state(job_id: str) -> JobState | None:
    """What became of a job; None when it is unknown or forgotten."""
    with _translated():
        listed = await apart(
            DBOS.list_workflows_async(workflow_ids=[job_id], load_input=False, load_output=False)
        )
    return _STATES[listed[0].status] if listed else None


async def dead_letters(limit: int) -> tuple[DeadLetter, ...]:
    """The jobs that were given up, newest first."""
    with _translated():
        listed = await apart(DBOS.list_workflows_async(status="ERROR", sort_desc=True, limit=limit))
    return tuple(_dead_letter(status) for status in listed)


async def cancel(job_id: str) -> None:
    """Keep a job from being carried out or brought back."""
    with _translated():
        await apart(DBOS.cancel_workflow_async(job_id))


async def prune(age: timedelta) -> int:
    """Forget the jobs that have been over for longer than `age`, and return how many."""
    before = (datetime.now(UTC) - age).isoformat()
    pruned = 0
    while True:
        with _translated():
            listed = await apart(
                DBOS.list_workflows_async(
                    status=_OVER, completed_before=before, limit=_BATCH, load_input=False, load_output=False
                )
            )
            if listed:
                await apart(DBOS.delete_workflows_async([status.workflow_id for status in listed]))
        pruned += len(listed)
        if len(listed) < _BATCH:
            return pruned


def cause(error: BaseException) -> str:
    """What a driver of a database says, without what SQLAlchemy wraps around it."""
    return str(getattr(error, "orig", None) or error)


def _dead_letter(status: WorkflowStatus) -> DeadLetter:
    kind, payload = (status.input or {"args": ("", "")})["args"][:2]
    at = datetime.fromtimestamp((status.completed_at or status.updated_at or 0) / 1000, UTC)
    return DeadLetter(status.workflow_id, kind, payload, str(status.error or ""), at)


@contextmanager
def _translated() -> Iterator[None]:
    try:
        yield
    except SQLAlchemyError as exc:
        raise StorageError(
            f"the work in progress cannot be looked at or changed ({cause(exc)})", is_passing=True
        ) from exc
