"""What durable work keeps of a person is found, shown and erased, and nobody else's with it."""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import sqlalchemy as sa

from bot.jobs import FAILED, Job, Work
from bot.jobs.personal import PersonalJobs
from bot.jobs.plain import plain_job
from bot.jobs.runner import Jobs, opened
from bot.storage.database import Database
from bot.storage.tables import run_steps, runs
from rag.runs.run import RunStep
from rag.values import Turn
from tests.support.jobs import reached

ANN, BOB = "telegram:41", "telegram:43"


@dataclass
class Office:
    """Work that repeats its payload, waits, fails, or erases what is kept of somebody."""

    personal: PersonalJobs
    counts: list[int] = field(default_factory=list)

    @property
    def works(self) -> dict[str, Work]:
        return {
            "say": self._say,
            "wait": self._wait,
            "break": self._break,
            "erase": self._erase,
            FAILED: self._say,
        }

    async def _say(self, payload: str, run_step: RunStep) -> None:
        async def turn() -> Turn:
            return Turn("user", payload)

        await run_step("remember", turn)

    async def _wait(self, payload: str, run_step: RunStep) -> None:
        await self._say(payload, run_step)
        await run_step("draft", asyncio.Event().wait)

    async def _break(self, payload: str, run_step: RunStep) -> None:
        raise ValueError(payload)

    async def _erase(self, person: str, run_step: RunStep) -> None:
        async def count() -> None:
            self.counts.append(await self.personal.count(person))

        await run_step("count", count)
        await run_step("carry out", partial(self.personal.erase, person, {"g:7"}))


async def stored(database: Database) -> str:
    """Everything that the runs in the database hold, as one text."""
    async with database.reading() as connection:
        found = [(await connection.execute(sa.select(table))).all() for table in (runs, run_steps)]
    return str(found)


async def test_everything_kept_of_a_person_is_shown(database: Database, tmp_path: Path) -> None:
    jobs = Jobs(database, tmp_path)
    personal = PersonalJobs(jobs)
    async with opened(jobs, Office(personal).works, "main"):
        await jobs.submit(Job("1", "say", '{"text": "alpha one"}', "a:0", person=ANN))
        await jobs.submit(Job("2", "break", "alpha two", person=ANN))
        await jobs.submit(Job("3", "say", "beta", "a:0", person=BOB))
        for job_id, state in (("1", "done"), ("2", "failed"), ("3", "done"), ("2:failed", "done")):
            await reached(jobs, job_id, state)
        kept = await personal.kept(ANN)
        assert await personal.count(ANN) == 3
    assert [(job.id, job.state) for job in kept] == [("1", "done"), ("2", "failed"), ("2:failed", "done")]
    assert [job.lane for job in kept] == ["a:0", "", ""]
    shown = json.loads(json.dumps([plain_job(job) for job in kept]))
    assert shown[0]["payload"] == {"text": "alpha one"}
    assert "alpha one" in str(shown[0]["outcomes"]["remember"])
    assert "beta" not in str(shown)


async def test_nothing_of_an_erased_person_is_left_but_the_record_of_the_erasure(
    database: Database, tmp_path: Path
) -> None:
    jobs = Jobs(database, tmp_path)
    office = Office(PersonalJobs(jobs))
    async with opened(jobs, office.works, "main"):
        for job in (
            Job("1", "say", "alpha one", "a:0", person=ANN),
            Job("2", "break", "alpha two", person=ANN),
            Job("3", "wait", "alpha three", "a:0", order=2, person=ANN),
            Job("4", "say", "alpha four", "a:0", order=3, person=ANN),
            # What others asked where she has spoken recalls her words, also where her own work is forgotten.
            Job("5", "say", "Bob, who quotes alpha", "b:0", person=BOB),
            Job("6", "say", "alpha six", "b:0", order=2, person=ANN),
            Job("7", "say", "Bob, who quotes alpha again", "g:7", person=BOB),
            Job("8", "say", "gamma", "c:0", person=BOB),
        ):
            await jobs.submit(job)
        for job_id in ("1", "2:failed", "5", "6", "7", "8"):
            await reached(jobs, job_id, "done")
        await reached(jobs, "3", "running")
        await jobs.submit(Job("9", "erase", ANN, person=ANN))
        await reached(jobs, "9", "done")
        assert [await jobs.state(str(number)) for number in range(1, 9)] == [None] * 7 + ["done"]
    # Jobs 1 to 4 and 6, and the one that told of the failed one.
    assert office.counts == [6]
    left = await stored(database)
    assert "alpha" not in left
    assert "gamma" in left


async def test_work_brought_back_after_a_restart_is_still_the_persons(
    database: Database, tmp_path: Path
) -> None:
    jobs = Jobs(database, tmp_path)
    async with opened(jobs, Office(PersonalJobs(jobs)).works, "main"):
        await jobs.submit(Job("1", "wait", "alpha", "a:0", person=ANN))
        await jobs.submit(Job("2", "wait", "alpha", person=ANN))
        await reached(jobs, "1", "running")
        await reached(jobs, "2", "running")
    jobs = Jobs(database, tmp_path)
    broken: dict[str, Work] = {**Office(PersonalJobs(jobs)).works, "wait": Office(PersonalJobs(jobs))._break}
    async with opened(jobs, broken, "main"):
        for job_id in ("1:failed", "2:failed"):
            await reached(jobs, job_id, "done")
        assert {job.id for job in await PersonalJobs(jobs).kept(ANN)} == {"1", "2", "1:failed", "2:failed"}
