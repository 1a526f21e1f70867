"""What the bot says of itself: to whoever waits in vain, and to the admins."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from contextlib import suppress
from functools import partial
from typing import Final, Protocol

import structlog

from bot.jobs.values import FAILED, Job
from bot.storage.database import StorageError
from bot.telegram.calls import ChatGoneError, DeliveryError
from bot.telegram.delivery import Delivery
from bot.telegram.intake import EDIT, UPDATE, Queue, answer_job
from bot.telegram.languages import spoken
from bot.telegram.records import Person, Refusal
from bot.telegram.rendering import text_parts
from bot.telegram.updates import meaning
from bot.telegram.values import Asked, Commanded, Me, Message, Place, Sender
from bot.terminal import TEXTS
from rag.errors import ThinkTwiceError
from rag.steps.run import RunStep

_log = structlog.get_logger(__name__)

NOTE: Final = "note"
"""The kind of a job that tells the admins something; its payload is JSON: text, values."""

STEPS: Final = ("apologise", "late", "admins", "note")


_NOTHING: Final[Mapping[str, str | float]] = {}


class People(Protocol):
    """Who is told, and in which language."""

    async def get(self, user_id: int) -> Person:
        """Return what is kept of a person."""
        ...


class Gate(Protocol):
    """Who may ask, and who is told what happens to the bot; see `bot.telegram.access.Access`."""

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why nobody answers, or None."""
        ...

    async def admins(self) -> tuple[Person, ...]:
        """Return everybody who may command."""
        ...


class Notes:
    """Says it.

    Args:
        me: The bot.
        delivery: The way out.
        people: Their languages.
        gate: Who may ask, and who is told what happens to the bot.
        queue: Takes the jobs that tell the admins.
    """

    def __init__(self, me: Me, delivery: Delivery, people: People, gate: Gate, queue: Queue) -> None:
        self._me = me
        self._delivery = delivery
        self._people = people
        self._gate = gate
        self._queue = queue

    async def failed(self, payload: str, run_step: RunStep) -> None:
        """Apologise for a job that was given up, and tell the admins; carries out `FAILED`."""
        failed = json.loads(payload)
        if failed["kind"] in {UPDATE, EDIT}:
            incoming = meaning(json.loads(failed["payload"]), self._me)
            if isinstance(incoming, (Asked, Commanded)):
                await run_step("apologise", partial(self._say, incoming.message, "answer-failed"))
        # The same failure is told once a cause, whatever number of people met it: the log has each.
        await self.tell("admin-failed", {"reason": failed["reason"]}, f"{FAILED}:{_short(payload)}")

    async def late(self, payload: str, run_step: RunStep) -> None:
        """Say that what was asked is too old to be answered; carries out `LATE`."""
        incoming = meaning(json.loads(payload), self._me)
        if isinstance(incoming, Asked):
            await run_step("late", partial(self._say_late, incoming))

    async def note(self, payload: str, run_step: RunStep) -> None:
        """Tell the admins something; carries out `NOTE`."""
        told = json.loads(payload)
        admins: tuple[Person, ...] = await run_step("admins", self._gate.admins)
        for number, admin in enumerate(admins, 1):
            await run_step(f"note {number}", partial(self._write, admin, told["text"], told["values"]))

    async def tell(self, text: str, values: Mapping[str, str | float], key: str) -> None:
        """Have the admins told, once for each `key`.

        Raises:
            StorageError: it cannot be recorded.
        """
        payload = json.dumps({"text": text, "values": dict(values)})
        await self._queue.submit(Job(f"tg:{self._me.id}:{NOTE}:{key}", NOTE, payload))

    async def tell_now(self, text: str, values: Mapping[str, str | float]) -> None:
        """Tell the admins something as well as it goes, when nothing can be recorded."""
        try:
            for admin in await self._gate.admins():
                await self._write(admin, text, values)
        except ThinkTwiceError as exc:
            _log.warning("the admins could not be told", reason=str(exc))

    async def _say_late(self, asked: Asked) -> None:
        message = asked.message
        refusal = await self._gate.may_ask(message.place, message.sender, answer_job(self._me, asked))
        if refusal is None:
            await self._say(message, "answer-late")
        elif refusal.is_notice_due:
            # Whoever would get no answer is not told to ask again.
            await self._say(message, refusal.message_id, refusal.values)

    async def _say(self, message: Message, text: str, values: Mapping[str, str | float] = _NOTHING) -> None:
        language = await self._language(message.sender)
        reply_to = None if message.place.kind == "private" else message.message_id
        with suppress(ChatGoneError):
            await self._delivery.send(
                message.place, text_parts(TEXTS.text(text, language, **values))[0], reply_to=reply_to
            )

    async def _write(self, admin: Person, text: str, values: Mapping[str, str | float]) -> None:
        language = spoken(Sender(admin.id, "person"), admin.language)
        try:
            await self._delivery.send(
                Place(admin.id, "private"), text_parts(TEXTS.text(text, language, **values))[0]
            )
        except (ChatGoneError, DeliveryError) as exc:
            # An admin who has never written to the bot cannot be written to.
            _log.warning("an admin could not be told", admin=admin.id, reason=str(exc))

    async def _language(self, sender: Sender) -> str:
        try:
            return spoken(sender, (await self._people.get(sender.id)).language)
        except StorageError:
            return spoken(sender)


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
