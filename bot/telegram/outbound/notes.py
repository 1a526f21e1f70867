"""Service messages: apologies to people whose request failed, and alerts to admins."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from bot.jobs.values import FAILED, Job
from bot.service.errors import StorageError
from bot.service.incoming import Asked, Commanded, Incoming, Place, Pressed, Sender
from bot.service.languages import spoken, spoken_to
from bot.service.people import Person
from bot.settings.operator_words import in_operator_words
from bot.telegram.commands import command
from bot.telegram.ids import keep_those_of_telegram
from bot.telegram.inbound.inbox import answer_job_id, job_id
from bot.telegram.inbound.parsing import parse_raw_update
from bot.telegram.outbound.messages import post
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.rendering import text_parts
from bot.texts import TEXTS
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, Value, from_json
from rag.runs.run import RunStep

if TYPE_CHECKING:
    from bot.telegram.services import Services

_log = structlog.get_logger(__name__)

NOTE: Final = "note"
"""The kind of a job that alerts the admins; its payload is JSON with ``text`` and ``values``."""


class Notes:
    """Sends service messages."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def tell_failure(self, reason: Reason, key: str) -> None:
        """Tell the admins why a job was given up, once for each `key`."""
        await self.tell("admin-failed", {"reason": reason}, f"{FAILED}:{key}")

    async def reply_too_late(self, payload: str, run_step: RunStep) -> None:
        """Reply that a question or a command is too old; carries out jobs of the kind `LATE`."""
        incoming = parse_raw_update(json.loads(payload), self._services.me)
        match incoming:
            case Asked(message=message):
                text: str = await run_step("late", partial(self._word_late_question, incoming))
            case Commanded(message=message):
                text = await run_step("late", partial(self._word_late_command, incoming))
            case _:
                return
        await self._say(message.place, message.message_id, text, run_step)

    async def send_alert(self, payload: str, run_step: RunStep) -> None:
        """Alert the admins; carries out jobs of the kind `NOTE`."""
        told = json.loads(payload)
        values = {
            name: from_json(each) if name == "reason" else each for name, each in told["values"].items()
        }
        await tell_admins(
            self._services, run_step, lambda admin: _word_alert(told["text"], values, spoken_to(admin))
        )

    async def apologise(self, failed: Incoming, run_step: RunStep) -> None:
        """Apologise for a command or a press that was given up; other updates need no apology."""
        match failed:
            case Commanded(message=message):
                text = await run_step("apologise", partial(self._text, message.sender, "command-failed"))
                await self._say(message.place, message.message_id, text, run_step)
            case Pressed(place=place, message_id=message_id, sender=sender, callback_id=callback_id):
                text = await run_step("apologise", partial(self._text, sender, "press-failed"))
                alert = partial(self._services.delivery.answer_press, callback_id, text, alert=True)
                # A press can be answered only once and soon: this one was answered already, or is too old.
                if not await run_step("alert", alert):
                    await self._say(place, message_id, text, run_step)
            case _:
                return

    async def tell(self, text: str, values: Mapping[str, Value], key: str) -> None:
        """Record an alert to the admins, once for each `key`."""
        payload = json.dumps({"text": text, "values": dict(values)}, default=Reason.to_json)
        await self._services.jobs.submit(Job(f"tg:{self._services.me.id}:{NOTE}:{key}", NOTE, payload))

    async def tell_now(self, text: str, values: Mapping[str, Value]) -> None:
        """Alert the admins without a record, as far as possible: for when the store cannot be used."""
        try:
            admins = await self._services.parts.access.admins()
        except ThinkTwiceError as exc:
            _log.warning("the admins could not be told", reason=str(exc))
            return
        for admin in keep_those_of_telegram(admins):
            alert = _word_alert(text, values, spoken_to(admin))
            try:
                await self._services.delivery.send(Place(admin.id, "private"), text_parts(alert)[0])
            except ThinkTwiceError as exc:
                _log.warning("an admin could not be told", reason=str(exc))

    async def _word_late_question(self, asked: Asked) -> str:
        message, services = asked.message, self._services
        by = answer_job_id(services.me, asked)
        refusal = await services.parts.access.may_ask(message.place, message.sender, by)
        if refusal is None:
            return await self._text(message.sender, "answer-late")
        # A sender who may not ask is not told to ask again.
        if not refusal.is_notice_due:
            return ""
        return await self._text(message.sender, refusal.message_id, refusal.values)

    async def _word_late_command(self, commanded: Commanded) -> str:
        message, known = commanded.message, command(commanded.name)
        if known is None:
            return ""
        access, by = self._services.parts.access, job_id(self._services.me, message.update_id)
        refusal = await access.may_command(message.place, message.sender, by, known.name, known.audience)
        # A sender who may not use the command is not told to send it again.
        if refusal is not None:
            return ""
        return await self._text(message.sender, "command-late", {"command": f"/{known.name}"})

    async def _say(self, place: Place, message_id: int, text: str, run_step: RunStep) -> None:
        delivery = self._services.delivery
        with suppress(ChatGoneError):
            await post(run_step, delivery, place, text_parts(text), after=message_id)

    async def _text(self, sender: Sender, text: str, values: Mapping[str, str | float] | None = None) -> str:
        return TEXTS.text(text, await self._language(sender), **(values or {}))

    async def _language(self, sender: Sender) -> str:
        try:
            return await self._services.language_of(sender)
        except StorageError:
            return spoken(sender)


def _word_alert(text: str, values: Mapping[str, Value], language: str) -> str:
    return in_operator_words(TEXTS.text(text, language, **values))


async def tell_admins(services: Services, run_step: RunStep, word: Callable[[Person], str]) -> None:
    """Send every administrator a message; `word` returns its text."""
    admins: tuple[Person, ...] = await run_step("admins", services.parts.access.admins)
    for number, admin in enumerate(keep_those_of_telegram(admins), 1):
        (part, *_) = text_parts(word(admin))
        try:
            await post(run_step, services.delivery, Place(admin.id, "private"), (part,), first=number)
        except (ChatGoneError, DeliveryError) as exc:
            # The bot cannot write to an admin who has never written to it.
            _log.warning("an admin could not be told", admin=admin.id, reason=str(exc))
