"""The outcomes of the steps of one job: recorded at once, or together with the next step that is.

A record costs as much as a search or a check, so light steps (see `rag.runs.work.RunStep`) have none of their
own: their outcomes are in the record of the next step that has one. Nothing outside depends on them before
that record, so after a crash they can be carried out anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, TypeAlias

from dbos import DBOS
from sqlalchemy.exc import SQLAlchemyError

from bot.current_step import carrying_out
from bot.jobs.durable import call_outside_workflow
from bot.jobs.serializer import UnreadableRecordError
from bot.service.errors import StorageError

Step: TypeAlias = Callable[[], Awaitable[Any]]


@dataclass(frozen=True, slots=True)
class Outcome:
    """The value that a step returned, or the error that it raised."""

    value: Any = None
    error: Exception | None = None

    def unwrap(self) -> Any:  # noqa: ANN401 - a step's own type
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value


@dataclass(frozen=True, slots=True)
class Record:
    """The record of a step.

    Args:
        own: The outcome of the step.
        before: Outcomes of the light steps since the previous record, by their names.
    """

    own: Outcome
    before: Mapping[str, Outcome]


class Journal:
    """The outcomes of one job that is carried out.

    Args:
        known: Recorded outcomes of light steps, by their names.
        is_reopened: The job was begun before, so its first step without a record may have been begun too.
        since: When the job was recorded, if known.
        job_id: Id of the job.
    """

    def __init__(
        self,
        known: Mapping[str, Outcome] | None = None,
        *,
        is_reopened: bool = False,
        since: datetime | None = None,
        job_id: str = "",
    ) -> None:
        self._since = since
        self._job_id = job_id
        self._known = known or {}
        self._passed: dict[str, Outcome] = {}
        self._is_reopened = is_reopened

    async def passed(self, name: str, step: Step) -> Any:  # noqa: ANN401 - a step's own type
        """Return the outcome of a light step; carry the step out if no record has it."""
        outcome = self._known.get(name)
        if outcome is None:
            with self._carrying_out(name):
                outcome = self._passed[name] = await _try(step)
        return outcome.unwrap()

    async def recorded(self, name: str, step: Step) -> Any:  # noqa: ANN401 - a step's own type
        """Return the outcome of a step; carry the step out and record it if it is not recorded.

        Raises:
            UnreadableRecordError: Another version wrote the record.
        """

        async def carried_out() -> Record:
            with self._carrying_out(name):
                own = await _try(step)
            self._is_reopened = False
            before, self._passed = self._passed, {}
            return Record(own, before)

        # Nothing is awaited before: dbos numbers steps in the order in which they are called.
        record = await DBOS.run_step_async({"name": name}, carried_out)
        if not isinstance(record, Record):
            raise UnreadableRecordError
        return record.own.unwrap()

    def _carrying_out(self, name: str) -> AbstractContextManager[None]:
        key = f"{self._job_id}/{name}" if self._job_id else ""
        return carrying_out(again=self._is_reopened, since=self._since, key=key)


async def reopen_journal(job_id: str) -> Journal:
    """Return the journal of a job that was begun before.

    Raises:
        StorageError: The journal cannot be read.
    """
    try:
        steps = await call_outside_workflow(DBOS.list_workflow_steps_async(job_id))
        status = await call_outside_workflow(DBOS.get_workflow_status_async(job_id))
    except SQLAlchemyError as exc:
        raise StorageError("the steps of a job cannot be looked at", is_passing=True) from exc
    known: dict[str, Outcome] = {}
    for step in steps:
        # What another version wrote is found out when the step itself comes.
        if isinstance(record := step["output"], Record):
            known.update(record.before)
    created = status.created_at if status else None
    since = datetime.fromtimestamp(created / 1000, UTC) if created else None
    return Journal(known, is_reopened=True, since=since, job_id=job_id)


def outcomes_by_step(name: str, record: object) -> Mapping[str, object]:
    """Return the values and errors in a record of dbos, by the names of the steps.

    Args:
        name: The step that the record belongs to.
        record: The record; another version may have written it.
    """
    if not isinstance(record, Record):
        return {name: record}
    return {
        step: outcome.error or outcome.value for step, outcome in (*record.before.items(), (name, record.own))
    }


async def _try(step: Step) -> Outcome:
    try:
        return Outcome(await step())
    except Exception as exc:  # noqa: BLE001 - an outcome like any other
        return Outcome(error=exc)
