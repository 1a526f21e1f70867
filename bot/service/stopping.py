"""Stops answers: by the button, by `/stop`, under a draft, by an edit, and when a chat is gone."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import Protocol

from bot.service.admission import Access
from bot.service.errors import DeliveryError
from bot.service.incoming import Asked, Commanded, Place, Sender, StoppedWatching
from bot.service.keys import PeerId
from bot.service.languages import spoken, spoken_to
from bot.service.messenger import Messenger
from bot.service.people import Ask
from bot.service.stores import Stores
from bot.texts import TEXTS
from rag.runs.run import RunStep

STEPS = ("find", "stop", "withdraw")
"""Names of the steps, besides those of the messenger."""


class Jobs(Protocol):
    """Looks up and cancels jobs. `bot.jobs.runner.Jobs` implements this protocol."""

    async def cancel(self, job_id: str) -> bool:
        """Cancel a job for good; return whether it was still waiting or running."""
        ...


@dataclass(frozen=True, slots=True)
class _ToStop:
    """The questions that `/stop` ends; `is_unsure`: there are others, and the channel cannot tell whose."""

    asks: tuple[Ask, ...]
    language: str
    is_unsure: bool


class Stopping:
    """Stops answers for good."""

    def __init__(self, stores: Stores, messenger: Messenger, jobs: Jobs, roles: Access) -> None:
        self._stores = stores
        self._messenger = messenger
        self._jobs = jobs
        self._roles = roles

    async def may_stop(self, sender: Sender, place: Place, ask: Ask) -> bool:
        """Return whether the sender asked the question or is an administrator; raises as `is_asker` does."""
        is_admin = await self._roles.role(sender, place) in {"owner", "admin"}
        return is_admin or await self.is_asker(sender, place, ask)

    async def is_asker(self, sender: Sender, place: Place, ask: Ask) -> bool:
        """Return whether the sender asked a question.

        A question in the name of a group or a channel belongs to all its administrators: the channel does not
        tell which of them asked, and buttons are pressed by people with names.

        Raises:
            DeliveryError: the channel cannot tell now who the administrators are.
        """
        return sender.id == ask.user_id or await self._messenger.speaks_for(place, ask.user_id, sender.id)

    async def command(self, commanded: Commanded, run_step: RunStep) -> None:
        """Carry out `/stop`: stop the sender's questions in a chat and topic, or for an admin all of them."""
        message = commanded.message
        found: _ToStop = await run_step("find", partial(self._find, message.place, message.sender))
        for number, ask in enumerate(found.asks, 1):
            stop = partial(self.stop, ask, message.place, message.sender)
            await run_step(f"stop {number}", stop)
        in_vain = "group-admins-unknown" if found.is_unsure else "stop-nothing"
        text = "stop-done" if found.asks else in_vain
        said = TEXTS.text(text, found.language, answers=len(found.asks))
        await self._messenger.say(run_step, message.place, said, reply_to=message.message_id)

    async def stop_draft(self, stopped: StoppedWatching, run_step: RunStep) -> None:
        """Carry out a press of the stop button under a draft, which only the asker sees."""
        place = stopped.place
        asks = self._stores.asks
        found: tuple[Ask, ...] = await run_step("find", partial(asks.open_in, place.chat_id, place.thread_id))
        running = [ask for ask in found if ask.state == "running"]
        for number, ask in enumerate(running, 1):
            await run_step(f"stop {number}", partial(self.stop, ask, place))

    async def stop(self, ask: Ask, place: Place, by: Sender | None = None) -> bool:
        """Cancel the job of a question, and say so in its placeholder; return whether it was unfinished.

        Args:
            by: Who stops it, or None when unknown. The message is in this person's language where the
                asker's is unknown.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: the store cannot be used.
        """
        asks = self._stores.asks
        await self._cancel(ask)
        now = await asks.get(ask.id)
        if now is None or now.workflow_id != ask.workflow_id or not (now.is_open or now.state == "stopped"):
            return False
        await asks.set_state(ask.id, "stopped")
        asker = await self._stores.users.get(ask.user_id)
        if by is None or asker.language or asker.client_language:
            language = spoken_to(asker)
        else:
            language = spoken(by, (await self._stores.users.get(by.id)).language)
        # The group may have migrated since the stop was requested.
        there = replace(place, chat_id=now.chat_id)
        text = TEXTS.text("answer-stopped", language)
        await self._messenger.retract(there, await asks.messages(ask.id), text)
        return True

    async def withdraw(self, asked: Asked, run_step: RunStep) -> bool:
        """Cancel the job for the former text of an edited question.

        Returns whether the new text needs an answer: not when its words are unchanged or a later edit exists.
        """
        is_new: bool = await run_step("withdraw", partial(self._withdraw, asked))
        return is_new

    async def abandon(self, chat_id: PeerId, spared: str = "") -> None:
        """Cancel all jobs for a chat that cannot be written to, except the job with the id `spared`."""
        for ask in await self._stores.asks.open_in_chat(chat_id):
            if ask.workflow_id != spared:
                await self._cancel(ask)
                await self._stores.asks.set_state(ask.id, "stopped")

    async def _cancel(self, ask: Ask) -> None:
        await self._jobs.cancel(ask.workflow_id)
        await self._stores.runs.end(ask.workflow_id, "cancelled")

    async def _find(self, place: Place, sender: Sender) -> _ToStop:
        asks: list[Ask] = []
        is_unsure = False
        for ask in await self._stores.asks.open_in(place.chat_id, place.thread_id):
            try:
                asks += [ask] if await self.may_stop(sender, place, ask) else []
            except DeliveryError:
                is_unsure = True
        language = spoken(sender, (await self._stores.users.get(sender.id)).language)
        return _ToStop(tuple(asks), language, is_unsure)

    async def _withdraw(self, asked: Asked) -> bool:
        message = asked.message
        before = await self._stores.asks.find_by_message(message.place.chat_id, message.message_id)
        if before is None:
            # The edit is the first text that addresses the bot.
            return True
        # After a kill a later edit may have been recorded before this one.
        if before.fingerprint == asked.fingerprint or before.asked_at > message.sent_at:
            return False
        await self._cancel(before)
        if before.is_open:
            # No job works on the question until the new text is admitted, which may be refused.
            await self._stores.asks.set_state(before.id, "stopped")
        return True
