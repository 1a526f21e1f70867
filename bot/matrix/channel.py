"""The running channel: carries out the jobs for events, and ends what a job was for that was given up."""

from __future__ import annotations

import json
from dataclasses import replace
from functools import partial

import structlog

from bot.jobs.runner import Jobs
from bot.matrix.connection import Homeserver
from bot.matrix.ids import job_id, next_job_id, number
from bot.matrix.intake import MATRIX, Intake
from bot.matrix.parsing import Raw, Signal, body_of, merge, parse, replied_to
from bot.parts import Parts
from bot.service.errors import ChatGoneError, DeliveryError
from bot.service.incoming import Asked, Commanded, Unreadable
from bot.service.languages import spoken_to
from bot.service.limits import Tell
from bot.talk import commands
from bot.talk.desk import Desk
from bot.texts import TEXTS
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


class MatrixChannel:
    """The channel; nothing is sent or received before `run` and the jobs begin."""

    def __init__(self, parts: Parts, homeserver: Homeserver, jobs: Jobs, tell: Tell) -> None:
        self._desk = Desk(parts, jobs, tell)
        self._homeserver = homeserver
        self._intake = Intake(homeserver, self._desk)
        self.run = self._intake.run
        self.works = {MATRIX: self.carry_out}

    async def carry_out(self, payload: str, run_step: RunStep) -> None:
        """Do what an event asks for; `payload` is its `Raw` as JSON."""
        raw: Raw = json.loads(payload)
        try:
            await self._carry_out(raw, run_step)
        except ChatGoneError as exc:
            _log.info("a room cannot be written to", job=raw["job"], reason=str(exc))

    async def give_up(self, payload: str, run_step: RunStep) -> None:
        """Tell the sender that a job was given up; `payload` describes the job as JSON."""
        raw: Raw = json.loads(json.loads(payload)["payload"])
        heard, case = parse(raw, self._homeserver.me), self._intake.case(raw)
        try:
            if "refusal" not in raw:
                await case.give_up(heard, run_step)
        except ChatGoneError as exc:
            _log.info("nobody is told that work was given up", job=raw["job"], reason=str(exc))

    async def _carry_out(self, raw: Raw, run_step: RunStep) -> None:
        heard, case = parse(raw, self._homeserver.me), self._intake.case(raw)
        match heard:
            case Asked(message=message) | Commanded(message=message) if "refusal" in raw:
                await case.talker.say(run_step, message.place, raw["refusal"])
            case Asked():
                await case.answering(await self._with_quote(heard, raw, run_step), run_step)
            case Commanded():
                await commands.carry_out(case, heard, run_step)
            case Unreadable():
                await case.reception.turn_down(heard, run_step)
            case Signal("edited"):
                await self._ask_anew(heard, raw, run_step)
            case Signal("redacted", place=place, target=target):
                ask = await self._desk.asks.find_by_message(place.chat_id, number(target))
                if ask is not None and ask.is_open:
                    await run_step("stop 1", partial(case.stopping.stop, ask, place))
            case Signal("reacted"):
                ask = await self._desk.asks.find_by_answer(heard.place.chat_id, number(heard.target))
                rate = partial(case.rate, ask, heard.sender, heard.place, is_useful=heard.is_useful)
                await run_step("rate", rate)
            case Signal("sealed", place=place):
                person = await self._desk.parts.users.get(heard.sender.id)
                text = TEXTS.text("matrix-encrypted", spoken_to(person))
                await case.talker.say(run_step, place, text)
            case Signal("invited"):
                await self._come(heard, raw, run_step)

    async def _fetch(self, room: str, event_id: str) -> Raw:
        """Return an event; an empty one where there is none to be had."""
        try:
            return await self._homeserver.fetch(room, event_id)
        except (ChatGoneError, DeliveryError):
            return {}

    async def _with_quote(self, asked: Asked, raw: Raw, run_step: RunStep) -> Asked:
        """Return a question with the words of another person's message that it replies to."""
        message = asked.message
        if message.replied is None or message.replied.is_mine:
            return asked

        async def fetch() -> str:
            return body_of(await self._fetch(raw["room"], replied_to(raw["event"])))

        words: str = await run_step("replied", fetch, is_light=True)
        return replace(asked, message=replace(message, replied=replace(message.replied, text=words)))

    async def _ask_anew(self, edited: Signal, raw: Raw, run_step: RunStep) -> None:
        """Answer an edited question anew, in the place of its former answer."""

        async def look() -> Raw | None:
            return merge(await self._fetch(raw["room"], edited.target), raw["event"])

        async def name() -> str:
            ask = await self._desk.asks.find_by_message(edited.place.chat_id, number(edited.target))
            return job_id(edited.target) if ask is None else next_job_id(ask.workflow_id)

        event: Raw | None = await run_step("original", look)
        if event is None:
            return
        changed = {**raw, "event": event, "edited_by": raw["event"]["event_id"]}
        changed["to_me"] = await self._intake.replies_to_me(event, edited.place)
        # Recorded before it is used: afterwards the question belongs to that job.
        changed["job"] = await run_step("name", name)
        asked = parse(changed, self._homeserver.me)
        if isinstance(asked, Asked) and await self._intake.case(raw).stopping.withdraw(asked, run_step):
            async with self._desk.jobs.together():
                await self._intake.admit(changed, asked)

    async def _come(self, invited: Signal, raw: Raw, run_step: RunStep) -> None:
        """Accept an invitation; whoever may not ask is told so, once, and the bot leaves again."""
        homeserver, room = self._homeserver, raw["room"]
        receive = partial(self._intake.case(raw).receive, invited.place, invited.sender)
        text, stays = await run_step("look", receive)
        if stays or text:
            await run_step("join", partial(homeserver.join, room))
        await self._intake.case(raw).talker.say(run_step, invited.place, text)
        if not stays:
            await run_step("leave", partial(homeserver.leave, room))
