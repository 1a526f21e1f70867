"""Shows and erases what the record of jobs holds of a person.

The payload of a job holds what somebody wrote, and the outcomes of its steps hold the results.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Mapping

from bot.current_step import run_id
from bot.jobs.journal import Entry, Journal
from bot.jobs.plain import plain_job
from bot.jobs.runner import Jobs
from bot.jobs.values import Kept


class PersonalJobs:
    """Finds the jobs of a person by `Job.person`. Every method raises `StorageError`."""

    def __init__(self, jobs: Jobs) -> None:
        self._jobs = jobs
        self._journal: Journal = jobs.journal

    async def count(self, person: str) -> int:
        """Return the number of recorded jobs, without the one that asks."""
        return len(await self._of(person))

    async def kept(self, person: str) -> tuple[Kept, ...]:
        """Return what is kept of a person's jobs, oldest first."""
        return await self._journal.read_kept(person)

    async def texts(self, person: str) -> Mapping[str, str]:
        """Return what is kept of each job of a person, as JSON, by the id of the job."""
        kept = await self.kept(person)
        return {job.id: json.dumps(plain_job(job), ensure_ascii=False) for job in kept}

    async def forget(self, person: str, job_ids: Collection[str]) -> None:
        """Stop these jobs of a person and forget what is kept of them, but for the job that asks for it.

        What came of such a job goes with it: the job that was begun anew, or that told of its failure.
        """
        meant = {
            job
            for job in await self._of(person)
            if any(job.id == known or job.id.startswith(f"{known}:") for known in job_ids)
        }
        for job in meant:
            if not job.is_over:
                await self._jobs.cancel(job.id)
        await self._journal.forget({job.id for job in meant})

    async def erase(self, person: str, lanes: Collection[str]) -> None:
        """Stop the jobs of a person and forget what is kept of them, but for the job that asks for it.

        Other people's jobs recall what was said in their lane before: where the person has spoken (`lanes`,
        and the lanes of the jobs that are kept), those that are over are forgotten as well.
        """
        own = await self._of(person)
        for job in own:
            if not job.is_over:
                await self._jobs.cancel(job.id)
        spoken_in = {*lanes, *(job.lane for job in own if job.lane)}
        await self._journal.forget({job.id for job in own} | await self._journal.find_over_in(spoken_in))

    async def _of(self, person: str) -> list[Entry]:
        """The jobs of a person, but for the one that is carried out right here."""
        asking = run_id()
        return [job for job in await self._journal.find_of_person(person) if job.id != asking]
