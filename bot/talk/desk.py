"""Puts together what answers one message: a job has a messenger of its own, which knows where it writes."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import datetime

from bot.jobs.personal import PersonalJobs
from bot.jobs.runner import Jobs
from bot.parts import Parts
from bot.service.admission import Reception
from bot.service.answering import Answering
from bot.service.apologies import Apologies
from bot.service.incoming import Asked, Commanded, Message, Place, Presence, Sender, Unreadable
from bot.service.keys import PeerId
from bot.service.languages import spoken, spoken_to
from bot.service.limits import Limits, Tell
from bot.service.people import Ask
from bot.service.stopping import Stopping
from bot.service.strangers import Strangers
from bot.storage.asks import Asks
from bot.storage.privacy import Privacy
from bot.talk.messenger import Talker
from bot.texts import TEXTS
from rag.runs.run import RunStep


class Desk:
    """The parts that all channels share, as one channel uses them.

    Args:
        jobs: Records and cancels jobs; need not be open yet.
        tell: Tells the administrators that somebody has used up the day.
    """

    def __init__(self, parts: Parts, jobs: Jobs, tell: Tell) -> None:
        self.parts = parts
        self.jobs = jobs
        self.asks = Asks(parts.database)
        self.limits = Limits(parts.arrivals, parts.spent, parts.notices, parts.settings.limits, tell)
        self.stores = parts.stores(self.asks)
        self.privacy = Privacy(parts.database)
        self.personal_jobs = PersonalJobs(jobs)
        self._strangers = Strangers()

    @property
    def days_of_work(self) -> int:
        """Return the days for which the record of finished work is kept, rounded up."""
        return math.ceil(self.parts.settings.keep_work_days)

    async def role_changed(self, user_id: PeerId) -> None:
        """Take note that the role of a person has changed."""

    async def is_worth_recording(self, said: object, place: Place, sender: Sender, now: datetime) -> bool:
        """Return whether a message is more than one of many of somebody who gets no answer anyway."""
        is_counted = isinstance(said, Asked | Commanded | Unreadable)
        if is_counted and self.limits.refuses(place, sender, now, isinstance(said, Commanded)):
            return False
        is_stranger = await self.parts.access.role(sender, place) == "none"
        return not is_stranger or self._strangers.may_be_recorded(sender.id)

    async def word_late(self, message: Message) -> str:
        """Return the reply to a message that is too old; empty for those who may not ask."""
        if await self.parts.access.role(message.sender, message.place) == "none":
            return ""
        return TEXTS.text("answer-late", await self.language_of(message.sender))

    async def language_of(self, sender: Sender) -> str:
        """Return the ISO 639-1 code of the language for messages to a sender."""
        return spoken(sender, (await self.parts.users.get(sender.id)).language)


@dataclass(frozen=True, slots=True)
class Case:
    """What a job works with."""

    desk: Desk
    talker: Talker
    job_id: str

    @property
    def reception(self) -> Reception:
        """Return what decides on the question."""
        desk, parts = self.desk, self.desk.parts
        return Reception(desk.stores, self.talker, parts.access, desk.limits, self._work_id, parts.councils)

    @property
    def stopping(self) -> Stopping:
        """Return what stops answers."""
        return Stopping(self.desk.stores, self.talker, self.desk.jobs, self.desk.parts.access)

    @property
    def answering(self) -> Answering:
        """Return what answers the question."""
        engine, abandon = self.desk.parts.app.engine, self.stopping.abandon
        return Answering(engine, self.desk.stores, self.talker, self.reception, abandon)

    @property
    def apologies(self) -> Apologies:
        """Return what ends the question when its job was given up."""
        recorded = self.desk.jobs.recorded
        return Apologies(self.desk.stores, self.talker, self.answering, recorded, self._work_id)

    async def receive(self, place: Place, sender: Sender) -> tuple[str, bool]:
        """Return what to say where somebody has invited the bot, and whether it stays there."""
        parts = self.desk.parts
        await parts.chats.seen(place)
        await parts.access.admit_group(Presence(0, place, is_active=True, by=sender))
        refusal = await parts.access.may_ask(place, sender, self.job_id)
        if refusal is None:
            return "", True
        language = spoken_to(await parts.users.get(sender.id))
        text = TEXTS.text(refusal.message_id, language, **refusal.values) if refusal.is_notice_due else ""
        # Whoever may become the owner needs a chat for that.
        return text, refusal.message_id == "start-unclaimed"

    async def rate(self, ask: Ask | None, sender: Sender, place: Place, *, is_useful: bool) -> None:
        """Store what the asker thinks of an answer; others rate nothing."""
        if ask and ask.answered_id and await self.stopping.is_asker(sender, place, ask):
            await self.desk.parts.answers.feedback(ask.answered_id, is_useful)

    async def give_up(self, said: object, run_step: RunStep) -> None:
        """Tell the sender that the job for their message was given up, and close the question."""
        match said:
            case Asked():
                await self.apologies.apologise(said, self.job_id, run_step)
            case Commanded(message=message):
                person = await self.desk.parts.users.get(message.sender.id)
                text = TEXTS.text("command-failed", spoken_to(person))
                await self.talker.say(run_step, message.place, text)

    def _work_id(self, _asked: Asked) -> str:
        return self.job_id
