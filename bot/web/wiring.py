"""Puts the console together from what all channels share."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from starlette.types import ASGIApp

from bot.jobs.personal import PersonalJobs
from bot.jobs.runner import Jobs
from bot.jobs.values import Job, Work
from bot.parts import Parts
from bot.service.interview_deletion import InterviewDeletion
from bot.service.keys import PeerId
from bot.service.limits import Limits, Tell, tell_nobody
from bot.service.passed_questions import PASSED, REPLIED
from bot.storage.write_ahead_logs import erase_from_logs
from bot.web.interviews import INTERVIEW, WebInterviews
from bot.web.reindexing import INDEX, Reindexing
from bot.web.runs import PERSON, RUN, Kept, WebRuns
from rag.runs.run import RunStep

if TYPE_CHECKING:
    from bot.web.context import Context


@dataclass(frozen=True, slots=True)
class Console:
    """The console, before anybody listens; `works` carry out its jobs, by kind.

    `role_changed` is told who got or lost a role, so that other channels follow.
    """

    works: Mapping[str, Work]
    runs: WebRuns
    interviews: WebInterviews
    parts: Parts
    jobs: Jobs
    role_changed: Callable[[PeerId], Awaitable[None]]
    reindexing: Reindexing

    def application(self, routes: Mapping[str, ASGIApp] | None = None) -> ASGIApp:
        """Return what answers requests; `routes` are further ones, by path."""
        from bot.web.app import application

        return application(self.context(), routes)

    def context(self) -> Context:
        """Return what its pages work with."""
        # Imported here and above: who switched the console off need not wait for it.
        from bot.web.app import PAGES
        from bot.web.context import Context

        return Context(
            self.parts,
            self.runs,
            self.interviews,
            self.jobs,
            self.parts.app.models.describe,
            self.reindexing,
            self.role_changed,
            tuple(entry for _, entry in PAGES if entry is not None),
        )


async def _nothing(_user_id: PeerId) -> None:
    pass


def console(
    parts: Parts,
    jobs: Jobs,
    tell: Tell = tell_nobody,
    role_changed: Callable[[PeerId], Awaitable[None]] = _nothing,
) -> Console:
    """Build the console.

    Args:
        jobs: The work; need not be open yet.
        tell: Tells the admins that somebody has used up the day.
    """
    limits = Limits(parts.arrivals, parts.spent, parts.notices, parts.settings.limits, tell)
    kept = Kept(
        parts.memory,
        parts.answers,
        parts.spent,
        parts.document_sets,
        parts.runs,
        parts.stored_runs,
        parts.users,
        parts.chats,
        parts.passed_questions(jobs),
    )
    work, waiting = _Work(jobs, RUN), _Work(jobs, PERSON)
    runs = WebRuns(parts.app.engine, kept, parts.access, limits, parts.councils, work, waiting)
    interviews = WebInterviews(
        parts.interviews,
        parts.access,
        limits,
        parts.spent,
        parts.runs,
        parts.stored_runs,
        _Work(jobs, INTERVIEW),
        InterviewDeletion(
            parts.interviews,
            parts.runs,
            PersonalJobs(jobs),
            partial(erase_from_logs, parts.settings.data_dir),
        ),
    )
    reindexing = Reindexing(parts.library, jobs.submit)
    works = {RUN: runs.carry_out, PERSON: runs.pass_on, PASSED: _do_nothing, REPLIED: runs.bring_reply}
    works |= {INTERVIEW: interviews.carry_out, INDEX: reindexing.carry_out}
    return Console(works, runs, interviews, parts, jobs, role_changed, reindexing)


async def _do_nothing(_payload: str, _run_step: RunStep) -> None:
    """Those who know see in the console what is asked."""


class _Work:
    def __init__(self, jobs: Jobs, kind: str) -> None:
        self._jobs = jobs
        self._kind = kind

    async def submit(self, run_id: str, payload: str, lane: str, person: str) -> bool:
        return await self._jobs.submit(Job(run_id, self._kind, payload, lane, person=person))

    async def cancel(self, run_id: str) -> bool:
        return await self._jobs.cancel(run_id)
