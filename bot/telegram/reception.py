"""A question comes in: it is kept, or refused with one sentence; who has to wait is told so."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from functools import partial
from typing import Final, Literal, Protocol
from weakref import WeakValueDictionary

import structlog

from bot.clock import utcnow
from bot.jobs.values import Job
from bot.service.incoming import Asked, Place, Sender, Unreadable
from bot.service.languages import spoken
from bot.service.people import Ask, Refusal, Role
from bot.service.rights import ADMINS
from bot.telegram.buttons.keyboard import under_placeholder
from bot.telegram.inbound.inbox import REFUSAL
from bot.telegram.outbound.messages import Posted, Posting, post, reply_in
from bot.telegram.outbound.retries import ChatGoneError
from bot.telegram.outbound.sender import Delivery
from bot.telegram.ports import Jobs, Stores
from bot.telegram.rendering import code, text_parts
from bot.texts import TEXTS
from rag.errors import ThinkTwiceError
from rag.loop.run import RunStep
from rag.values import Mode

_log = structlog.get_logger(__name__)

UNREADABLE: Final = "question-unreadable"
"""What is said to a message without words: a picture, a sticker, characters that nobody sees."""

FILE: Final = "question-file"
"""What is said to a file of somebody who may add documents."""

_UNREADABLE_WINDOW: Final = timedelta(minutes=1)


class Access(Protocol):
    """Who may ask. Raises `OperatorError` when the store cannot be used."""

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why nobody answers, or None; for the same work the outcome stays."""
        ...

    async def role(self, sender: Sender, place: Place) -> Role:
        """Return what somebody may do at a place."""
        ...


class Limits(Protocol):
    """How much may be asked. Raises `OperatorError` when the store cannot be used."""

    async def check(self, place: Place, sender: Sender, by: str, waiting: int = 0) -> Refusal | None:
        """Count a question, and return why it is too much, or None; for the same work it counts once."""
        ...

    async def is_quoted(self, place: Place, sender: Sender, by: str) -> bool:
        """Return whether a question whose turn has come gets passages instead of an answer."""
        ...


@dataclass(frozen=True, slots=True)
class Admission:
    """What becomes of a question.

    Args:
        ask: Its row; None when it is refused.
        language: ISO 639-1 code of the language in which the asker is spoken to.
        mode: How the chat wants its answers.
        known: Messages that a notice or an earlier text of the question has left.
        refusal: Why it is refused; empty when that was said a moment ago.
        is_quoted: It gets passages of the documents instead of an answer.
    """

    ask: Ask | None
    language: str
    mode: Mode | None = None
    known: tuple[Posted, ...] = ()
    refusal: str = ""
    is_quoted: bool = False


class Reception:
    """Takes questions in.

    Args:
        stores: Everything that is kept.
        delivery: The way out.
        access: Who may ask.
        limits: How much may be asked.
        jobs: Tells once why a question is refused, whoever finds that out.
        job_id: Returns the id of the work that answers a question.
    """

    def __init__(
        self,
        stores: Stores,
        delivery: Delivery,
        access: Access,
        limits: Limits,
        jobs: Jobs,
        job_id: Callable[[Asked], str],
    ) -> None:
        self._stores = stores
        self._delivery = delivery
        self._posting = Posting(delivery, stores.asks)
        self._access = access
        self._limits = limits
        self._jobs = jobs
        self._job_id = job_id
        self._tasks: set[asyncio.Task[None]] = set()
        # Recorded questions of a chat and topic, by their work, that have neither a row nor had their turn:
        # work is begun a moment after it is recorded, and the next question may be here by then.
        self._coming: dict[str, dict[str, Asked]] = {}
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    def expect(self, asked: Asked) -> None:
        """Tell somebody whose question has to wait that it does, or that it is refused; in the background.

        Nothing is lost when that fails: the work itself comes to the question in its turn.
        """
        self._coming.setdefault(asked.message.place.lane, {})[self._job_id(asked)] = asked
        task = asyncio.create_task(self._expected(asked))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def aclose(self) -> None:
        """Stop telling."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def receive(self, asked: Asked) -> Admission | None:
        """Keep a question whose turn has come, or find out why not.

        Returns:
            None when nothing is to be done: it was stopped meanwhile, edited, or refused while it waited.
        """
        job_id = self._job_id(asked)
        async with self._deciding(asked):
            is_new = self._begun(asked)
            if not is_new and await self._jobs.state(_refusal(job_id)) is not None:
                # It was told before a kill, and its row is not there yet.
                return None
            return await self._received(asked, "running")

    async def refuse(self, asked: Asked, admission: Admission) -> None:
        """Say why a question is not answered; once, whoever says it first.

        Raises:
            StorageError: it cannot be recorded.
        """
        before = await self._before(asked)
        left = await self._left_unfinished(before)
        text = admission.refusal or (TEXTS.text("answer-stopped", admission.language) if left else "")
        if text:
            await self._have_told(asked, text, left)
        # Or the former text, when it is put back, would be passed over as one that did not change.
        if before is not None and not before.is_open and before.state != "answered":
            await self._stores.asks.accept(asked, self._job_id(asked), "refused")

    async def _have_told(self, asked: Asked, text: str, left: list[tuple[int, int]]) -> None:
        place = asked.message.place
        payload = {
            "chat_id": place.chat_id,
            "kind": place.kind,
            "thread_id": place.thread_id,
            "message_id": asked.message.message_id,
            "text": text,
            "known": left,
        }
        job_id, person = _refusal(self._job_id(asked)), asked.message.sender.key
        await self._jobs.submit(Job(job_id, REFUSAL, json.dumps(payload), person=person))

    async def tell(self, payload: str, run_step: RunStep) -> None:
        """Say why a question is not answered; carries out `REFUSAL`."""
        told = json.loads(payload)
        place = Place(told["chat_id"], told["kind"], told["thread_id"])
        reply_to = reply_in(place, told["message_id"])
        # Refusals of another version know no such messages.
        known = [Posted(*posted) for posted in told.get("known", ())]
        parts = text_parts(told["text"])
        try:
            await post(run_step, self._delivery, place, parts, reply_to=reply_to, known=known)
        except ChatGoneError:
            _log.info("nobody is told why a question is refused", chat=place.chat_id)

    async def turn_down(self, unreadable: Unreadable, run_step: RunStep) -> None:
        """Say that a message holds nothing to read, once for all pictures of an album.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: something cannot be kept.
        """
        asked = Asked(unreadable.message, "", "private")
        admission: Admission = await run_step("admit", partial(self._unreadable, asked))
        await self._posting.deliver(run_step, asked, None, text_parts(admission.refusal))

    async def _received(self, asked: Asked, state: Literal["queued", "running"]) -> Admission | None:
        stores, message, job_id = self._stores, asked.message, self._job_id(asked)
        place, sender = message.place, message.sender
        chat = await stores.chats.seen(place)
        language = spoken(sender, (await stores.users.get(sender.id)).language)
        ask = await stores.asks.of_workflow(job_id)
        if ask is None:
            waiting = len(await stores.asks.open_in(chat.id, place.thread_id))
            refusal = await self._access.may_ask(place, sender, job_id)
            if refusal is None:
                refusal = await self._limits.check(place, sender, job_id, waiting)
            if refusal is not None:
                notice = TEXTS.text(refusal.message_id, language, **refusal.values)
                return Admission(None, language, refusal=notice if refusal.is_notice_due else "")
            ask = await stores.asks.accept(asked, job_id, state)
            await stores.users.seen(sender)
        if ask.workflow_id != job_id or not ask.is_open:
            return None
        # Never back: its turn may come while it is being told that it waits.
        if state == "running" and ask.state != state:
            await stores.asks.set_state(ask.id, state)
        messages = await stores.asks.messages(ask.id)
        known = tuple(Posted(ask.chat_id, message_id) for message_id in messages)
        is_quoted = state == "running" and await self._limits.is_quoted(place, sender, job_id)
        return Admission(ask, language, chat.mode, known, is_quoted=is_quoted)

    async def _before(self, asked: Asked) -> Ask | None:
        """The row of the former text of an edited question."""
        message = asked.message
        if not message.is_edit:
            return None
        return await self._stores.asks.of_message(message.place.chat_id, message.message_id)

    async def _left_unfinished(self, before: Ask | None) -> list[tuple[int, int]]:
        """The chat and id of the message that was to answer the former text."""
        if before is None or before.state != "stopped":
            return []
        messages = await self._stores.asks.messages(before.id)
        return [(before.chat_id, message_id) for message_id in messages[:1]]

    async def _unreadable(self, asked: Asked) -> Admission:
        stores, place, sender = self._stores, asked.message.place, asked.message.sender
        job_id = self._job_id(asked)
        await stores.chats.seen(place)
        language = spoken(sender, (await stores.users.get(sender.id)).language)
        refusal = await self._access.may_ask(place, sender, job_id)
        if refusal is None:
            file = asked.message.file
            is_document = file is not None and await self._access.role(sender, place) in ADMINS
            text = FILE if is_document else UNREADABLE
            is_due = await stores.notices.is_due(
                text,
                until=utcnow() + _UNREADABLE_WINDOW,
                by=job_id,
                chat_id=place.chat_id,
                user_id=sender.id,
            )
            values = {"name": code(file.name)} if file is not None and is_document else {}
            refusal = Refusal(text, values, is_notice_due=is_due)
        notice = TEXTS.text(refusal.message_id, language, **refusal.values)
        return Admission(None, language, refusal=notice if refusal.is_notice_due else "")

    async def _expected(self, asked: Asked) -> None:
        try:
            async with self._deciding(asked):
                admission = await self._waiting(asked)
            if admission is not None and admission.ask is not None:
                await self._announce(asked, admission.ask, admission.language)
        except ThinkTwiceError as exc:
            place = asked.message.place
            _log.warning("nobody was told that a question waits", chat=place.chat_id, reason=str(exc))

    async def _waiting(self, asked: Asked) -> Admission | None:
        """Take in a question that others come before; None when its own work does that at once, or did."""
        place, asks = asked.message.place, self._stores.asks
        coming = self._coming.get(place.lane, {})
        if self._job_id(asked) not in coming:
            return None
        before = list(itertools.takewhile(lambda other: other is not asked, coming.values()))
        if not before and not await asks.open_in(place.chat_id, place.thread_id):
            return None
        admission = None
        for question in (*before, asked):
            admission = await self._received(question, "queued")
            if admission is not None and admission.ask is None:
                await self.refuse(question, admission)
                # An answer to a former text keeps its row, without which its buttons mean nothing.
                if await self._before(question) is None:
                    await asks.accept(question, self._job_id(question), "refused")
            self._begun(question)
        return admission

    def _begun(self, asked: Asked) -> bool:
        """Note that a question is taken in; say whether that is new to this process."""
        lane = asked.message.place.lane
        coming = self._coming.get(lane, {})
        is_new = coming.pop(self._job_id(asked), None) is not None
        if not coming:
            self._coming.pop(lane, None)
        return is_new

    def _deciding(self, asked: Asked) -> asyncio.Lock:
        """Held while it is decided on a question of a chat and topic: its turn may come at that moment."""
        return self._locks.setdefault(asked.message.place.lane, asyncio.Lock())

    async def _announce(self, asked: Asked, ask: Ask, language: str) -> None:
        """Say how many come first; the notice becomes the answer later."""
        asks, place = self._stores.asks, asked.message.place
        if place.kind == "private" and self._delivery.is_tight:
            # It would be taken away again before the answer: two calls that other people's answers wait for.
            return
        ahead = await asks.ahead(ask.id)
        if not ahead or await asks.messages(ask.id):
            return
        message_id = await self._delivery.send(
            place,
            text_parts(TEXTS.text("answer-queued", language, ahead=ahead))[0],
            reply_to=reply_in(place, asked.message.message_id),
            buttons=under_placeholder(ask.id, language),
        )
        # Also when the answer has begun meanwhile: then it takes the notice away with what it does not need.
        await asks.set_placeholder(ask.id, self._delivery.current(place.chat_id), message_id)
        now = await asks.get(ask.id)
        if now is None or not now.is_open:
            await self._delivery.delete(place, message_id)


def _refusal(job_id: str) -> str:
    """The id of the work that tells of the refusal."""
    return f"{job_id}:{REFUSAL}"
