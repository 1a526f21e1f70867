"""The weekly digest: what the documents did not answer and what was marked as wrong, told to the admins.

Its work has the week in its id, so that a restart, or a second machine, sends none twice.
"""

from __future__ import annotations

import asyncio
import json
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final

import structlog

from bot.clock import local
from bot.jobs.values import Job
from bot.service.digest import LATE, WEEK, last_due
from bot.service.languages import spoken_to
from bot.statistics.values import Unanswered
from bot.telegram.commands.context import lines
from bot.telegram.outbound.notes import tell_admins
from bot.telegram.rendering.characters import shorten
from bot.telegram.services import Services
from bot.texts import TEXTS
from rag.errors import ThinkTwiceError
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

DIGEST: Final = "digest"
"""The kind of a job that sends a digest; its payload is JSON: the first and the last moment of the week."""


_LOOK_SECONDS: Final = 300.0
_MOST_COUNTED: Final = 1000
_SHOWN: Final = 10
_QUESTION_CHARACTERS: Final = 150


@dataclass(frozen=True, slots=True)
class _Week:
    questions: int
    wrong: int
    groups: tuple[Unanswered, ...]


class Digest:
    """Sends the weekly digest to the administrators."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def run(self) -> None:
        """Send a digest whenever one is due, until cancelled."""
        while True:
            try:
                await self.look()
            except ThinkTwiceError as exc:
                _log.warning("the weekly digest was not sent", reason=str(exc))
            await asyncio.sleep(_LOOK_SECONDS)

    async def look(self) -> None:
        """Record the work of a digest that is due."""
        services, settings = self._services, self._services.parts.settings
        if not settings.digest.enabled:
            return
        now = services.clock()
        due = last_due(now, settings.digest.weekday, settings.digest.hour, settings.zone)
        if now - due >= LATE:
            return
        payload = json.dumps({"since": (due - WEEK).isoformat(), "until": due.isoformat()})
        # The week, not the moment: another hour or zone in the settings sends no second one.
        await services.jobs.submit(Job(f"tg:{services.me.id}:{DIGEST}:{due:%G-%V}", DIGEST, payload))

    async def send(self, payload: str, run_step: RunStep) -> None:
        """Tell the administrators; carries out `DIGEST`. Nothing is sent when there is nothing to tell."""
        told = json.loads(payload)
        since, until = (datetime.fromisoformat(told[name]) for name in ("since", "until"))
        week: _Week = await run_step("digest", partial(self._week, since, until))
        if week.groups:
            await tell_admins(self._services, run_step, lambda admin: _text(week, spoken_to(admin)))

    async def _week(self, since: datetime, until: datetime) -> _Week:
        answers = self._services.parts.answers
        figures = await answers.summary(since, until)
        groups = await answers.unanswered(since, _MOST_COUNTED, until)
        return _Week(figures.questions, figures.wrong, groups)


def _text(week: _Week, language: str) -> str:
    shown = week.groups[:_SHOWN]
    more = len(week.groups) - len(shown)
    return lines(
        [
            TEXTS.text(
                "digest-title",
                language,
                questions=week.questions,
                open=sum(group.count for group in week.groups),
                wrong=week.wrong,
            ),
            *(
                TEXTS.text(
                    "unanswered-line",
                    language,
                    count=group.count,
                    question=shorten(group.text, _QUESTION_CHARACTERS),
                    last=f"{local(group.last_asked):%Y-%m-%d}",
                )
                for group in shown
            ),
            TEXTS.text("documents-more-notes", language, notes=more) if more > 0 else "",
            TEXTS.text("digest-end", language),
        ]
    )
