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
from bot.service.incoming import Asked, Commanded, Incoming, Me, Overheard, Place, Pressed, Sender
from bot.service.languages import spoken, spoken_to
from bot.service.people import Ask, Person, Refusal
from bot.service.rights import Audience
from bot.storage.database import StorageError
from bot.telegram.commands import command
from bot.telegram.inbound.inbox import EDIT, UPDATE, Queue, answer_job, job_id
from bot.telegram.inbound.parsing import meaning
from bot.telegram.outbound.messages import Posted, Posting, post, reply_in
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.outbound.sender import Delivery
from bot.telegram.ports import Asks
from bot.telegram.rendering import Part, text_parts
from bot.texts import TEXTS
from bot.texts.reasons import said
from rag.errors import ThinkTwiceError
from rag.loop.run import RunStep

_log = structlog.get_logger(__name__)

NOTE: Final = "note"
"""The kind of a job that tells the admins something; its payload is JSON: text, values."""

STEPS: Final = ("apologise", "find", "alert", "late", "admins")
"""Names of the steps, besides those of posting."""


class People(Protocol):
    """Who is told, and in which language."""

    async def get(self, user_id: int) -> Person:
        """Return what is kept of a person."""
        ...


class Gate(Protocol):
    """Who may ask, and who is told what happens to the bot; see `bot.service.access.Access`."""

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why nobody answers, or None."""
        ...

    async def may_command(
        self, place: Place, sender: Sender, by: str, name: str, audience: Audience
    ) -> Refusal | None:
        """Return why a command is not carried out, or None."""
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
        asks: Questions; one that was given up is not waited for any more.
        gate: Who may ask, and who is told what happens to the bot.
        queue: Takes the jobs that tell the admins.
    """

    def __init__(
        self, me: Me, delivery: Delivery, people: People, asks: Asks, gate: Gate, queue: Queue
    ) -> None:
        self._me = me
        self._delivery = delivery
        self._people = people
        self._asks = asks
        self._posting = Posting(delivery, asks)
        self._gate = gate
        self._queue = queue

    async def failed(self, payload: str, run_step: RunStep) -> None:
        """Apologise for a job that was given up, and tell the admins; carries out `FAILED`."""
        failed = json.loads(payload)
        if failed["kind"] in {UPDATE, EDIT}:
            await self._apologise(meaning(json.loads(failed["payload"]), self._me), run_step)
        # The same failure is told once a cause, whatever number of people met it: the log has each.
        await self.tell("admin-failed", {"reason": failed["reason"]}, f"{FAILED}:{_short(payload)}")

    async def late(self, payload: str, run_step: RunStep) -> None:
        """Say that a question is too old to be answered, or a command to be obeyed; carries out `LATE`."""
        incoming = meaning(json.loads(payload), self._me)
        match incoming:
            case Asked(message=message):
                text: str = await run_step("late", partial(self._late, incoming))
            case Commanded(message=message):
                text = await run_step("late", partial(self._late_command, incoming))
            case _:
                return
        await self._say(message.place, message.message_id, text, run_step)

    async def note(self, payload: str, run_step: RunStep) -> None:
        """Tell the admins something; carries out `NOTE`."""
        told = json.loads(payload)
        admins: tuple[Person, ...] = await run_step("admins", self._gate.admins)
        for number, admin in enumerate(admins, 1):
            place, part = _note(admin, told["text"], told["values"])
            try:
                await post(run_step, self._delivery, place, (part,), first=number)
            except (ChatGoneError, DeliveryError) as exc:
                # An admin who has never written to the bot cannot be written to.
                _log.warning("an admin could not be told", admin=admin.id, reason=str(exc))

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
                await self._delivery.send(*_note(admin, text, values))
        except ThinkTwiceError as exc:
            _log.warning("the admins could not be told", reason=str(exc))

    async def _apologise(self, incoming: Incoming, run_step: RunStep) -> None:
        match incoming:
            case Asked() as asked:
                text: str = await run_step("apologise", partial(self._given_up, asked))
                left: Ask | None = await run_step("find", partial(self._left_open, asked))
                await self._say_instead(asked, left, text, run_step)
            case Commanded(message=message):
                text = await run_step("apologise", partial(self._text, message.sender, "command-failed"))
                await self._say(message.place, message.message_id, text, run_step)
            case Pressed(place=place, message_id=message_id, sender=sender, callback_id=callback_id):
                text = await run_step("apologise", partial(self._text, sender, "press-failed"))
                alert = partial(self._delivery.answer_press, callback_id, text, alert=True)
                # A press is answered once: this one was before it failed, or was too long ago.
                if not await run_step("alert", alert):
                    await self._say(place, message_id, text, run_step)
            case Overheard(message=message):
                # Nobody asked, but a question of that chat counts as waited for, and may be seen to be.
                asked = Asked(message, message.text, "mention")
                await run_step("apologise", partial(self._given_up, asked))
                left = await run_step("find", partial(self._left_open, asked))
                if left is not None:
                    await self._posting.take_away(run_step, asked, left)
            case _:
                # Nobody waits for it.
                return

    async def _given_up(self, asked: Asked) -> str:
        """Let nobody wait for a question any more; return what its asker is told."""
        with suppress(StorageError):
            ask = await self._asks.of_workflow(answer_job(self._me, asked))
            if ask is not None and ask.is_open:
                await self._asks.set_state(ask.id, "failed")
        return await self._text(asked.message.sender, "answer-failed")

    async def _left_open(self, asked: Asked) -> Ask | None:
        """The row of a question that has a message in which no answer can stand, but that one is coming."""
        with suppress(StorageError):
            ask = await self._asks.of_workflow(answer_job(self._me, asked))
            return ask if ask is not None and ask.placeholder_id is not None else None
        return None

    async def _say_instead(self, asked: Asked, left: Ask | None, text: str, run_step: RunStep) -> None:
        """Apologise, and leave no message that says that an answer is coming."""
        known: tuple[Posted, ...] = ()
        # In a private chat such a message may stand above other answers, and shows nobody whom it is for.
        if left is not None and left.placeholder_id is not None and asked.message.place.kind != "private":
            known = (Posted(left.chat_id, left.placeholder_id),)
        with suppress(ChatGoneError):
            await self._posting.deliver(run_step, asked, left, text_parts(text), known=known)

    async def _late(self, asked: Asked) -> str:
        message = asked.message
        refusal = await self._gate.may_ask(message.place, message.sender, answer_job(self._me, asked))
        if refusal is None:
            return await self._text(message.sender, "answer-late")
        # Whoever would get no answer is not told to ask again.
        if not refusal.is_notice_due:
            return ""
        return await self._text(message.sender, refusal.message_id, refusal.values)

    async def _late_command(self, commanded: Commanded) -> str:
        message, known = commanded.message, command(commanded.name)
        if known is None:
            return ""
        by = job_id(self._me, message.update_id)
        refusal = await self._gate.may_command(message.place, message.sender, by, known.name, known.audience)
        # Whoever may not give the command is not told to send it again.
        if refusal is not None:
            return ""
        return await self._text(message.sender, "command-late", {"command": f"/{known.name}"})

    async def _say(self, place: Place, message_id: int, text: str, run_step: RunStep) -> None:
        reply_to = reply_in(place, message_id)
        with suppress(ChatGoneError):
            await post(run_step, self._delivery, place, text_parts(text), reply_to=reply_to, after=message_id)

    async def _text(self, sender: Sender, text: str, values: Mapping[str, str | float] | None = None) -> str:
        return TEXTS.text(text, await self._language(sender), **(values or {}))

    async def _language(self, sender: Sender) -> str:
        try:
            return spoken(sender, (await self._people.get(sender.id)).language)
        except StorageError:
            return spoken(sender)


def _note(admin: Person, text: str, values: Mapping[str, str | float]) -> tuple[Place, Part]:
    """Where an admin is told something, and in which words."""
    language = spoken_to(admin)
    if "reason" in values:
        values = {**values, "reason": said(str(values["reason"]), language)}
    return Place(admin.id, "private"), text_parts(TEXTS.text(text, language, **values))[0]


def _short(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
