"""Deletes one interview with everything that is kept of it, while the others of the person stay."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection, Mapping
from typing import Protocol

from bot.service import keys
from bot.service.interview_values import Party
from bot.service.interviews import Interviews
from bot.service.runs import Runs


class Jobs(Protocol):
    """Holds what durable work keeps of a person. Methods raise `StorageError`."""

    async def texts(self, person: str) -> Mapping[str, str]:
        """Return what is kept of each job of a person, as JSON, by the id of the job."""
        ...

    async def forget(self, person: str, job_ids: Collection[str]) -> None:
        """Stop these jobs of a person and forget what is kept of them, but for the job that asks for it."""
        ...


class InterviewDeletion:
    """Deletes interviews. Methods raise `StorageError`; a repetition deletes the rest.

    `empty_logs` empties the write-ahead logs of the databases, in which deleted words can still be read.
    """

    def __init__(
        self, interviews: Interviews, runs: Runs, jobs: Jobs, empty_logs: Callable[[], Awaitable[None]]
    ) -> None:
        self._interviews = interviews
        self._runs = runs
        self._jobs = jobs
        self._empty_logs = empty_logs

    async def list_jobs(self, party: Party) -> Mapping[str, str]:
        """Return what is kept of each job of the person who is interviewed, as JSON, by the id of the job."""
        return await self._jobs.texts(party.owner)

    async def delete(self, party: Party, session_id: str, job_ids: Collection[str]) -> None:
        """Delete an interview, the jobs with words of it, its runs and events; again, nothing is left."""
        # First what could still write something.
        await self._jobs.forget(party.owner, job_ids)
        await self._runs.forget(keys.interview_runs_key(party.conversation_id, session_id), job_ids)
        await self._interviews.delete(party, session_id)
        await self._empty_logs()
