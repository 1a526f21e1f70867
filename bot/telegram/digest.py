"""The weekly digest: what the documents did not answer and what was marked as wrong, told to the admins.

Its work has the week in its id, so that a restart, or a second machine, sends none twice.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Final
from zoneinfo import ZoneInfo

import structlog

from bot.clock import local, utcnow
from bot.jobs.values import Job
from bot.service.access import Access
from bot.service.digest import LATE, WEEK, last_due
from bot.service.incoming import Me, Place
from bot.service.languages import spoken_to
from bot.service.people import Person
from bot.settings.sections import Digest as DigestSettings
from bot.statistics.values import Unanswered
from bot.storage.answered import StoredAnswers
from bot.telegram.commands.context import lines
from bot.telegram.ids import keep_those_of_telegram
from bot.telegram.inbound.inbox import Queue
from bot.telegram.outbound.messages import post
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import text_parts
from bot.telegram.rendering.characters import shorten
from bot.texts import TEXTS
from rag.errors import ThinkTwiceError
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

DIGEST: Final = "digest"
"""The kind of a job that sends a digest; its payload is JSON: the first and the last moment of the week."""

STEPS: Final = ("admins", "digest")
"""Names of the steps, besides those of posting."""

_LOOK_SECONDS: Final = 300.0
_MOST_COUNTED: Final = 1000
_SHOWN: Final = 10
_QUESTION_CHARACTERS: Final = 150


@dataclass(frozen=True, slots=True)
class _Week:
    """The figures of a week.

    Args:
        questions: Questions of all kinds.
        wrong: Answers that their readers called wrong.
        groups: Questions that were not answered or wrongly, the most frequent first.
    """

    questions: int
    wrong: int
    groups: tuple[Unanswered, ...]


class Digest:
    """Sends the weekly digest to the administrators.

    Args:
        me: The bot.
        settings: Whether and when it is sent.
        zone: The time zone of the hour.
        answers: The outcomes of questions.
        access: Who the administrators are.
        delivery: Sends to Telegram.
        queue: Records the job.
        clock: Tells the time.
    """

    def __init__(
        self,
        me: Me,
        settings: DigestSettings,
        zone: ZoneInfo,
        answers: StoredAnswers,
        access: Access,
        delivery: Delivery,
        queue: Queue,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._me = me
        self._settings = settings
        self._zone = zone
        self._answers = answers
        self._access = access
        self._delivery = delivery
        self._queue = queue
        self._clock = clock

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
        if not self._settings.enabled:
            return
        now = self._clock()
        due = last_due(now, self._settings.weekday, self._settings.hour, self._zone)
        if now - due >= LATE:
            return
        payload = json.dumps({"since": (due - WEEK).isoformat(), "until": due.isoformat()})
        # The week, not the moment: another hour or zone in the settings sends no second one.
        await self._queue.submit(Job(f"tg:{self._me.id}:{DIGEST}:{due:%G-%V}", DIGEST, payload))

    async def send(self, payload: str, run_step: RunStep) -> None:
        """Tell the administrators; carries out `DIGEST`. Nothing is sent when there is nothing to tell."""
        told = json.loads(payload)
        since, until = (datetime.fromisoformat(told[name]) for name in ("since", "until"))
        week: _Week = await run_step("digest", partial(self._week, since, until))
        if not week.groups:
            return
        admins: tuple[Person, ...] = await run_step("admins", self._access.admins)
        for number, admin in enumerate(keep_those_of_telegram(admins), 1):
            (part, *_) = text_parts(_text(week, spoken_to(admin)))
            try:
                await post(run_step, self._delivery, Place(admin.id, "private"), (part,), first=number)
            except (ChatGoneError, DeliveryError) as exc:
                # An administrator who has never written to the bot cannot be written to.
                _log.warning("an admin could not be told", admin=admin.id, reason=str(exc))

    async def _week(self, since: datetime, until: datetime) -> _Week:
        figures = await self._answers.summary(since, until)
        groups = await self._answers.unanswered(since, _MOST_COUNTED, until)
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
