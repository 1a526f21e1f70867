"""Admission of questions: each is stored or refused at once, and answered in its turn.

A question's row and its job are recorded in one transaction, so the open rows are the questions that wait.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal, Protocol

import structlog

from bot.service.councils import Councils
from bot.service.errors import ChatGoneError
from bot.service.incoming import Asked, Place, Sender, Unreadable
from bot.service.keys import read_peer
from bot.service.languages import spoken
from bot.service.messenger import Messenger, Posted
from bot.service.people import Ask, Refusal, Role
from bot.service.rights import ADMINS
from bot.service.stores import Stores
from bot.texts import TEXTS
from rag.runs.run import RunStep
from rag.values import Mode

_log = structlog.get_logger(__name__)

REFUSAL: Final = "refusal"
"""The kind of a job that tells an asker why a question is not answered; see `refusal_payload`."""

UNREADABLE: Final = "question-unreadable"
"""Message id of the reply to a message without readable text: a picture, a sticker, invisible characters.

Somebody who may add documents is told how, with `question-file` or `question-files`."""

UNHEARD: Final = "question-unheard"
"""Message id of the reply to a voice message where no server turns speech into text."""


class Access(Protocol):
    """Decides who may ask. Methods raise `OperatorError` when the store cannot be used."""

    async def may_ask(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return why a question is not answered, or None; the same `by` gets the same `is_notice_due`."""
        ...

    async def role(self, sender: Sender, place: Place) -> Role:
        """Return the sender's role at a place."""
        ...


class Limits(Protocol):
    """Counts questions against the limits. Methods raise `OperatorError` when the store cannot be used."""

    async def check(self, place: Place, sender: Sender, by: str, waiting: int = 0) -> Refusal | None:
        """Count a question, and return the limit that it exceeds, or None; the same `by` is counted once."""
        ...

    async def is_quoted(self, place: Place, sender: Sender, by: str) -> bool:
        """Return whether a question in its turn gets passages instead of an answer: a budget is used up."""
        ...


@dataclass(frozen=True, slots=True)
class Admission:
    """The decision on a question.

    Args:
        ask: Row of the question; None when it is refused.
        known: Messages of the bot left over from an earlier text of the question or before a kill.
        refusal: Text of the refusal; empty when it was shown a moment ago.
        is_quoted: The question gets passages of the documents instead of an answer.
        waiting: Number of earlier questions of the same chat and topic that are not answered yet.
    """

    ask: Ask | None
    language: str
    mode: Mode | None = None
    known: tuple[Posted, ...] = ()
    refusal: str = ""
    is_quoted: bool = False
    waiting: int = 0
    model: str = ""
    documents_only: bool | None = None


class Reception:
    """Accepts or refuses questions, and acknowledges those that have to wait.

    `work_id` returns the id of the job that answers a question. Without `councils`, whoever may ask may ask
    the council.
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

    async def aclose(self) -> None:
        """Cancel the background tasks that acknowledge questions."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def admit(self, asked: Asked) -> Admission | None:
        """Decide on an incoming question and store it; None when it was answered, stopped or edited since.

        A repeated call for the same job changes nothing.

        Raises:
            StorageError: the question cannot be stored.
        """
        async with self._stores.together():
            ask = await self._stores.asks.find_by_workflow(self._work_id(asked))
            admission = await self._keep(asked, "queued") if ask is None else Admission(ask, "", waiting=1)
        return admission if admission.ask is None or self._is_due(asked, admission.ask) else None

    async def begin(self, asked: Asked) -> Admission | None:
        """Return the decision on a question whose turn has come; None when it was stopped, edited or refused.

        A question without a row (a group message that does not mention the bot) is decided on now.
        """
        async with self._stores.together():
            stores, place, sender = self._stores, asked.message.place, asked.message.sender
            work_id = self._work_id(asked)
            ask = await stores.asks.find_by_workflow(work_id)
            if ask is None:
                admission = await self._keep(asked, "running")
                if admission.ask is None:
                    return admission
                ask = admission.ask
            if not self._is_due(asked, ask):
                return None
            if ask.state != "running":
                await stores.asks.set_state(ask.id, "running")
            chat = await stores.chats.get(place.chat_id)
            return Admission(
                ask,
                spoken(sender, (await stores.users.get(sender.id)).language),
                chat.mode,
                tuple(Posted(ask.chat_id, message_id) for message_id in await stores.asks.messages(ask.id)),
                is_quoted=await self._limits.is_quoted(place, sender, work_id),
                model=chat.model,
                documents_only=chat.documents_only,
            )

    def acknowledge(self, asked: Asked) -> None:
        """Show in the background, as far as the channel allows it, that a question was kept and waits."""
        self._stores.after_commit(partial(self._acknowledge, asked))

    def _acknowledge(self, asked: Asked) -> None:
        task = asyncio.create_task(self._messenger.acknowledge(asked.message.place, asked.message.message_id))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def tell(self, payload: str, run_step: RunStep) -> None:
        """Tell the asker why a question is not answered; carries out jobs of the kind `REFUSAL`."""
        told = json.loads(payload)
        place = Place(read_peer(told["chat_id"]), told["kind"], told["thread_id"])
        # Payloads recorded by an earlier version have no `known`.
        known = [Posted(read_peer(chat_id), message_id) for chat_id, message_id in told.get("known", ())]
        try:
            await self._messenger.say(run_step, place, told["text"], reply_to=told["message_id"], known=known)
        except ChatGoneError:
            _log.info("nobody is told why a question is refused", chat=place.chat_id)

    async def turn_down(self, unreadable: Unreadable, run_step: RunStep) -> None:
        """Reply that a message holds no readable text; it counts against the limits as a question does.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: the store cannot be used.
        """
        message = unreadable.message
        asked = Asked(message, "", "private")
        admission: Admission = await run_step(
            "admit", partial(self._refuse_unreadable, asked, is_spoken=unreadable.is_spoken)
        )
        await self._messenger.say(run_step, message.place, admission.refusal, reply_to=message.message_id)

    async def _keep(self, asked: Asked, state: Literal["queued", "running"]) -> Admission:
        """Decide on a question without a row, and write its row unless it is refused."""
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
            return await self._refuse(asked, refusal, language)
        ask = await stores.asks.accept(asked, work_id, state)
        await stores.users.seen(sender)
        return Admission(ask, language, waiting=waiting)

    def _is_due(self, asked: Asked, ask: Ask) -> bool:
        """Return whether this text still needs an answer: it was not stopped, edited or answered."""
        return ask.workflow_id == self._work_id(asked) and ask.is_open

    async def _refuse(self, asked: Asked, refusal: Refusal, language: str) -> Admission:
        notice = TEXTS.text(refusal.message_id, language, **refusal.values) if refusal.is_notice_due else ""
        before = await self._find_former(asked)
        left: tuple[Posted, ...] = ()
        if before is not None and before.state == "stopped":
            messages = await self._stores.asks.messages(before.id)
            left = tuple(Posted(before.chat_id, message_id) for message_id in messages[:1])
        # Otherwise an edit back to the former text would be ignored as unchanged.
        if before is not None and not before.is_open and before.state != "answered":
            await self._stores.asks.accept(asked, self._work_id(asked), "refused")
        stopped = TEXTS.text("answer-stopped", language) if left else ""
        return Admission(None, language, known=left, refusal=notice or stopped)

    async def _find_former(self, asked: Asked) -> Ask | None:
        message = asked.message
        if not message.is_edit:
            return None
        return await self._stores.asks.find_by_message(message.place.chat_id, message.message_id)

    async def _refuse_unreadable(self, asked: Asked, *, is_spoken: bool) -> Admission:
        stores, place, sender = self._stores, asked.message.place, asked.message.sender
        work_id = self._work_id(asked)
        await stores.chats.seen(place)
        language = spoken(sender, (await stores.users.get(sender.id)).language)
        refusal = await self._access.may_ask(place, sender, work_id)
        if refusal is None:
            refusal = await self._limits.check(place, sender, work_id)
        if refusal is None:
            refusal = Refusal(UNHEARD if is_spoken else UNREADABLE)
            names = [_quote_name(file.name) for file in asked.message.files]
            if names and await self._access.role(sender, place) in ADMINS:
                refusal = Refusal(
                    "question-file" if len(names) == 1 else "question-files", {"name": ", ".join(names)}
                )
        notice = TEXTS.text(refusal.message_id, language, **refusal.values)
        return Admission(None, language, refusal=notice if refusal.is_notice_due else "")


def refusal_payload(asked: Asked, admission: Admission) -> str:
    """Return the payload of a `REFUSAL` job, as JSON."""
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


def _quote_name(name: str) -> str:
    """Return a name between backticks, the form in which catalogue messages contain names."""
    return f"`{name.replace('`', chr(39))}`"
