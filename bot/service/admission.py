"""A question comes in: it is kept or refused at once, and answered when its turn has come.

The row of a question is written before its work is recorded, so the rows that are open say who waits. A kill
between the two leaves a row whose question comes in again, because its channel was not told that it arrived.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import partial
from typing import Final, Literal, Protocol
from weakref import WeakValueDictionary

import structlog

from bot.clock import utcnow
from bot.service.errors import ChatGoneError
from bot.service.incoming import Asked, Place, Sender, Unreadable
from bot.service.languages import spoken, spoken_to
from bot.service.messenger import Messenger, Posted
from bot.service.people import Ask, Refusal, Role
from bot.service.rights import ADMINS
from bot.service.stores import Stores
from bot.texts import TEXTS
from rag.errors import ThinkTwiceError
from rag.loop.run import RunStep
from rag.values import Mode

_log = structlog.get_logger(__name__)

REFUSAL: Final = "refusal"
"""The kind of a job that says why a question is not answered; see `refusal_payload`."""

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


class Councils(Protocol):
    """Decides who may ask the council, and how often; `bot.service.councils.Councils` fulfils it."""

    async def check(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Count a question to the council, and return why the council is not asked, or None.

        Args:
            place: Where the question was asked.
            sender: Who asked it.
            by: Key of the work for the question; the same key is counted once.

        Raises:
            StorageError: the database cannot be used.
        """
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
        waiting: How many questions of its chat and topic came before it and are not answered yet.
    """

    ask: Ask | None
    language: str
    mode: Mode | None = None
    known: tuple[Posted, ...] = ()
    refusal: str = ""
    is_quoted: bool = False
    waiting: int = 0


class Reception:
    """Takes questions in.

    Args:
        stores: Everything that is kept.
        messenger: The way out.
        access: Who may ask.
        limits: How much may be asked.
        work_id: Returns the id of the work that answers a question.
        councils: Who may ask the council; without it, whoever may ask.
    """

    def __init__(
        self,
        stores: Stores,
        messenger: Messenger,
        access: Access,
        limits: Limits,
        work_id: Callable[[Asked], str],
        councils: Councils | None = None,
    ) -> None:
        self._councils = councils
        self._stores = stores
        self._messenger = messenger
        self._access = access
        self._limits = limits
        self._work_id = work_id
        self._tasks: set[asyncio.Task[None]] = set()
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        # Where people wait behind a question that has no message yet: their notices must stand below it.
        self._held: set[str] = set()

    async def aclose(self) -> None:
        """Stop telling people that they wait."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def admit(self, asked: Asked) -> Admission | None:
        """Decide on a question when it comes in, and keep it; for the same work the outcome stays.

        Returns:
            None when there is nothing to do for it any more: it was answered, stopped or edited meanwhile.

        Raises:
            StorageError: it cannot be kept.
        """
        async with self._stores.together():
            ask = await self._stores.asks.of_workflow(self._work_id(asked))
            admission = await self._keep(asked, "queued") if ask is None else Admission(ask, "", waiting=1)
        return admission if admission.ask is None or self._is_due(asked, admission.ask) else None

    async def begin(self, asked: Asked) -> Admission | None:
        """Return what is to be done for a question whose turn has come.

        A question without a row (a message that the bot overheard) is decided on now.

        Returns:
            None when nothing is to be done: it was stopped, edited or refused while it waited.
        """
        async with self._stores.together():
            return await self._begin(asked)

    async def _begin(self, asked: Asked) -> Admission | None:
        stores, place, sender = self._stores, asked.message.place, asked.message.sender
        work_id = self._work_id(asked)
        ask = await stores.asks.of_workflow(work_id)
        if ask is None:
            admission = await self._keep(asked, "running")
            if admission.ask is None:
                return admission
            ask = admission.ask
        if not self._is_due(asked, ask):
            return None
        if ask.state != "running":
            await stores.asks.set_state(ask.id, "running")
        return Admission(
            ask,
            spoken(sender, (await stores.users.get(sender.id)).language),
            (await stores.chats.get(place.chat_id)).mode,
            tuple(Posted(ask.chat_id, message_id) for message_id in await stores.asks.messages(ask.id)),
            is_quoted=await self._limits.is_quoted(place, sender, work_id),
        )

    def announce(self, place: Place) -> None:
        """Tell everybody who waits in a chat and topic that they do; in the background.

        Nothing is lost when that fails: each question is answered in its turn.
        """
        task = asyncio.create_task(self._announce(place))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def opened(self, place: Place) -> None:
        """Note that the question whose turn it is has its message, so that those behind it can be told."""
        if place.lane in self._held:
            self._held.discard(place.lane)
            self.announce(place)

    async def tell(self, payload: str, run_step: RunStep) -> None:
        """Say why a question is not answered; carries out `REFUSAL`."""
        told = json.loads(payload)
        place = Place(told["chat_id"], told["kind"], told["thread_id"])
        # Refusals of another version know no such messages.
        known = [Posted(*posted) for posted in told.get("known", ())]
        try:
            await self._messenger.say(run_step, place, told["text"], reply_to=told["message_id"], known=known)
        except ChatGoneError:
            _log.info("nobody is told why a question is refused", chat=place.chat_id)

    async def turn_down(self, unreadable: Unreadable, run_step: RunStep) -> None:
        """Say that a message holds nothing to read, once for all pictures of an album.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: something cannot be kept.
        """
        message = unreadable.message
        asked = Asked(message, "", "private")
        admission: Admission = await run_step("admit", partial(self._unreadable, asked))
        await self._messenger.say(run_step, message.place, admission.refusal, reply_to=message.message_id)

    async def _keep(self, asked: Asked, state: Literal["queued", "running"]) -> Admission:
        """Decide on a question without a row, and give it one unless it is refused."""
        stores, message, work_id = self._stores, asked.message, self._work_id(asked)
        place, sender = message.place, message.sender
        chat = await stores.chats.seen(place)
        language = spoken(sender, (await stores.users.get(sender.id)).language)
        waiting = len(await stores.asks.open_in(chat.id, place.thread_id))
        refusal = await self._access.may_ask(place, sender, work_id)
        if refusal is None:
            refusal = await self._limits.check(place, sender, work_id, waiting)
        if refusal is None and asked.work == "council" and self._councils is not None:
            refusal = await self._councils.check(place, sender, work_id)
        if refusal is not None:
            return await self._refused(asked, refusal, language)
        ask = await stores.asks.accept(asked, work_id, state)
        await stores.users.seen(sender)
        return Admission(ask, language, waiting=waiting)

    def _is_due(self, asked: Asked, ask: Ask) -> bool:
        """Whether an answer to this text is still wanted: it was not stopped, edited or answered."""
        return ask.workflow_id == self._work_id(asked) and ask.is_open

    async def _refused(self, asked: Asked, refusal: Refusal, language: str) -> Admission:
        """Return what is said of a refused question, and in which message that may stand."""
        notice = TEXTS.text(refusal.message_id, language, **refusal.values) if refusal.is_notice_due else ""
        before = await self._before(asked)
        left: tuple[Posted, ...] = ()
        if before is not None and before.state == "stopped":
            messages = await self._stores.asks.messages(before.id)
            left = tuple(Posted(before.chat_id, message_id) for message_id in messages[:1])
        # Or the former text, when it is put back, would be passed over as one that did not change.
        if before is not None and not before.is_open and before.state != "answered":
            await self._stores.asks.accept(asked, self._work_id(asked), "refused")
        stopped = TEXTS.text("answer-stopped", language) if left else ""
        return Admission(None, language, known=left, refusal=notice or stopped)

    async def _before(self, asked: Asked) -> Ask | None:
        """Return the row of the former text of an edited question."""
        message = asked.message
        if not message.is_edit:
            return None
        return await self._stores.asks.of_message(message.place.chat_id, message.message_id)

    async def _unreadable(self, asked: Asked) -> Admission:
        stores, place, sender = self._stores, asked.message.place, asked.message.sender
        work_id = self._work_id(asked)
        await stores.chats.seen(place)
        language = spoken(sender, (await stores.users.get(sender.id)).language)
        refusal = await self._access.may_ask(place, sender, work_id)
        if refusal is None:
            file = asked.message.file
            is_document = file is not None and await self._access.role(sender, place) in ADMINS
            text = FILE if is_document else UNREADABLE
            is_due = await stores.notices.is_due(
                text,
                until=utcnow() + _UNREADABLE_WINDOW,
                by=work_id,
                chat_id=place.chat_id,
                user_id=sender.id,
            )
            values = {"name": _named(file.name)} if file is not None and is_document else {}
            refusal = Refusal(text, values, is_notice_due=is_due)
        notice = TEXTS.text(refusal.message_id, language, **refusal.values)
        return Admission(None, language, refusal=notice if refusal.is_notice_due else "")

    async def _announce(self, place: Place) -> None:
        try:
            async with self._locks.setdefault(place.lane, asyncio.Lock()):
                await self._tell_who_waits(place)
        except ThinkTwiceError as exc:
            _log.warning("nobody was told that a question waits", chat=place.chat_id, reason=str(exc))

    async def _tell_who_waits(self, place: Place) -> None:
        """Say to each how many questions come first, in the order of the questions."""
        asks = self._stores.asks
        waiting = await asks.open_in(place.chat_id, place.thread_id)
        if len(waiting) < 2:
            return
        first = waiting[0]
        # The message of a question that was asked before its group moved stays behind: it is not waited for.
        if place.kind != "private" and first.message_id is not None and not await asks.messages(first.id):
            self._held.add(place.lane)
            return
        for ahead, ask in enumerate(waiting[1:], 1):
            if await asks.messages(ask.id):
                continue
            there = replace(place, chat_id=ask.chat_id)
            language = spoken_to(await self._stores.users.get(ask.user_id))
            notice = await self._messenger.open(there, ask, language, ahead=ahead)
            now = await asks.get(ask.id)
            if notice is not None and (now is None or not now.is_open):
                # It was answered or stopped while it was being told that it waits.
                await self._messenger.retract(there, (notice.message_id,))


def refusal_payload(asked: Asked, admission: Admission) -> str:
    """Return what a job of the kind `REFUSAL` needs, as JSON."""
    place = asked.message.place
    payload = {
        "chat_id": place.chat_id,
        "kind": place.kind,
        "thread_id": place.thread_id,
        "message_id": asked.message.message_id,
        "text": admission.refusal,
        "known": [(posted.chat_id, posted.message_id) for posted in admission.known],
    }
    return json.dumps(payload)


def _named(name: str) -> str:
    """Return a name as sentences of the catalogues hold names: between backticks."""
    return f"`{name.replace('`', chr(39))}`"
