"""Carries out the jobs of the channel."""

from __future__ import annotations

import json
from dataclasses import replace
from datetime import timedelta
from functools import partial
from typing import Final

import structlog

from bot.clock import utcnow
from bot.matrix import commands
from bot.matrix.desk import Desk
from bot.matrix.ids import job_id, next_job_id, number
from bot.matrix.intake import Intake
from bot.matrix.parsing import (
    Edited,
    Invited,
    Raw,
    Reacted,
    Redacted,
    Sealed,
    body_of,
    merge,
    parse,
    replied_to,
)
from bot.service.errors import ChatGoneError, DeliveryError
from bot.service.incoming import Asked, Commanded, Place, Presence, Sender, Unreadable
from bot.service.languages import spoken, spoken_to
from bot.texts import TEXTS
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

STEPS: Final = ("replied", "original", "name", "stop 1", "rate", "look", "join", "leave")
"""Names of the steps, besides those of the service and of commands."""

_SAID_FOR: Final = timedelta(hours=24)


class Work:
    """Carries out the jobs.

    Args:
        desk: The parts of the bot.
        intake: Records the job that answers a changed question.
    """

    def __init__(self, desk: Desk, intake: Intake) -> None:
        self._desk = desk
        self._intake = intake

    async def carry_out(self, payload: str, run_step: RunStep) -> None:
        """Do what an event asks for; `payload` is its `Raw` as JSON.

        Raises:
            DeliveryError: the homeserver does not take an answer.
            OperatorError: the store cannot be used.
        """
        raw: Raw = json.loads(payload)
        try:
            await self._carry_out(raw, run_step)
        except ChatGoneError as exc:
            _log.info("a room cannot be written to", job=raw["job"], reason=str(exc))

    async def give_up(self, payload: str, run_step: RunStep) -> None:
        """End what a job was for that was given up; `payload` describes that job as JSON.

        Raises:
            DeliveryError: the homeserver does not take the apology.
        """
        raw: Raw = json.loads(json.loads(payload)["payload"])
        heard = parse(raw, self._desk.homeserver.me)
        try:
            if isinstance(heard, Asked) and "refusal" not in raw:
                await self._desk.apologies(raw).apologise(heard, raw["job"], run_step)
            elif isinstance(heard, Commanded):
                person = await self._desk.parts.users.get(heard.message.sender.id)
                text = TEXTS.text("command-failed", spoken_to(person))
                await self._desk.messenger(raw).say(run_step, heard.message.place, text)
        except ChatGoneError as exc:
            _log.info("nobody is told that work was given up", job=raw["job"], reason=str(exc))

    async def _carry_out(self, raw: Raw, run_step: RunStep) -> None:
        desk = self._desk
        heard = parse(raw, desk.homeserver.me)
        match heard:
            case Asked(message=message) | Commanded(message=message) if "refusal" in raw:
                await desk.messenger(raw).say(run_step, message.place, raw["refusal"])
            case Asked():
                await desk.answering(raw)(await self._with_quote(heard, raw, run_step), run_step)
            case Commanded():
                await commands.carry_out(desk, heard, raw, run_step)
            case Unreadable():
                await desk.reception(raw).turn_down(heard, run_step)
            case Edited():
                await self._ask_anew(heard, raw, run_step)
            case Redacted(place=place, target=target):
                ask = await desk.asks.find_by_message(place.chat_id, number(target))
                if ask is not None and ask.is_open:
                    await run_step("stop 1", partial(desk.stopping(raw).stop, ask, place))
            case Reacted():
                await run_step("rate", partial(self._rate, heard, raw))
            case Sealed(place=place, sender=sender):
                text = await run_step("look", partial(self._explain_encryption, place, sender, raw["job"]))
                await desk.messenger(raw).say(run_step, place, text)
            case Invited():
                await self._come(heard, raw, run_step)
            case _:
                pass

    async def _with_quote(self, asked: Asked, raw: Raw, run_step: RunStep) -> Asked:
        """Return a question with the words of another person's message that it replies to."""
        message = asked.message
        if message.replied is None or message.replied.is_mine:
            return asked

        async def fetch() -> str:
            try:
                return body_of(await self._desk.homeserver.fetch(raw["room"], replied_to(raw["event"])))
            except (ChatGoneError, DeliveryError):
                return ""

        words: str = await run_step("replied", fetch, is_light=True)
        return replace(asked, message=replace(message, replied=replace(message.replied, text=words)))

    async def _ask_anew(self, edited: Edited, raw: Raw, run_step: RunStep) -> None:
        """Answer the new text of a question instead of the former one."""
        desk, place = self._desk, edited.place

        async def look() -> Raw | None:
            try:
                original = await desk.homeserver.fetch(raw["room"], edited.target)
            except (ChatGoneError, DeliveryError):
                return None
            return merge(original, raw["event"])

        async def name() -> str:
            ask = await desk.asks.find_by_message(place.chat_id, number(edited.target))
            return job_id(edited.target) if ask is None else next_job_id(ask.workflow_id)

        event: Raw | None = await run_step("original", look)
        if event is None:
            return
        changed = {**raw, "event": event, "edited_by": raw["event"]["event_id"]}
        changed["to_me"] = await self._intake.replies_to_me(event, place)
        # Recorded before it is used: afterwards the question belongs to that job.
        changed["job"] = await run_step("name", name)
        asked = parse(changed, desk.homeserver.me)
        if isinstance(asked, Asked) and await desk.stopping(raw).withdraw(asked, run_step):
            async with desk.jobs.together():
                await self._intake.admit(changed, asked)

    async def _rate(self, reacted: Reacted, raw: Raw) -> None:
        ask = await self._desk.asks.find_by_answer(reacted.place.chat_id, number(reacted.target))
        if ask is None or ask.answered_id is None:
            return
        if await self._desk.stopping(raw).is_asker(reacted.sender, reacted.place, ask):
            await self._desk.parts.answers.feedback(ask.answered_id, reacted.is_useful)

    async def _explain_encryption(self, place: Place, sender: Sender, by: str) -> str:
        """Return what to do instead of writing encrypted messages; empty if it was said a while ago."""
        until = utcnow() + _SAID_FOR
        if not await self._desk.parts.notices.is_due(
            "matrix-encrypted", until=until, by=by, chat_id=place.chat_id
        ):
            return ""
        return TEXTS.text("matrix-encrypted", spoken_to(await self._desk.parts.users.get(sender.id)))

    async def _come(self, invited: Invited, raw: Raw, run_step: RunStep) -> None:
        """Accept an invitation; whoever may not ask is told so, once, and the bot leaves again."""
        homeserver, room = self._desk.homeserver, raw["room"]
        text, stays = await run_step("look", partial(self._receive, invited, raw["job"]))
        if stays or text:
            await run_step("join", partial(homeserver.join, room))
        await self._desk.messenger(raw).say(run_step, invited.place, text)
        if not stays:
            await run_step("leave", partial(homeserver.leave, room))

    async def _receive(self, invited: Invited, by: str) -> tuple[str, bool]:
        """Return what to say in a new room, and whether the bot stays there."""
        parts, place, sender = self._desk.parts, invited.place, invited.sender
        await parts.chats.seen(place)
        await parts.access.admit_group(Presence(0, place, is_active=True, by=sender))
        refusal = await parts.access.may_ask(place, sender, by)
        if refusal is None:
            return "", True
        language = spoken(sender, (await parts.users.get(sender.id)).language)
        text = TEXTS.text(refusal.message_id, language, **refusal.values) if refusal.is_notice_due else ""
        # Whoever may become the owner needs a room for that.
        return text, refusal.message_id == "start-unclaimed"
