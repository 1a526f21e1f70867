"""The protocol through which the service writes to a channel: progress, answers and single sentences.

A channel that talks in chats implements `Messenger`; see `bot.telegram.messenger` for Telegram.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from bot.service.incoming import Asked, Place
from bot.service.keys import Channel, PeerId
from bot.service.people import Ask
from rag.events import Event
from rag.runs.run import RunStep


@dataclass(frozen=True, slots=True)
class Posted:
    """A message that the bot has sent; its id is valid only in its chat."""

    chat_id: PeerId
    message_id: int

    def of(self, place: Place) -> Place:
        """Return `place` with the chat id of this message, which differs when the group has migrated."""
        return replace(place, chat_id=self.chat_id)


class Progress(Protocol):
    """Shows the progress of one answer."""

    def feed(self, event: Event) -> None:
        """Take one event of the engine."""
        ...

    def watching(self, run_step: RunStep) -> RunStep:
        """Wrap `run_step` so that the display notices when a step is carried out instead of replayed."""
        ...


class Messenger(Protocol):
    """Writes to the chats of one channel, and knows the administrators of those chats.

    A delivered message appears once, even if the process is killed: the methods that take `run_step` record
    each message. Methods raise `ChatGoneError` when the chat cannot be written to, and `DeliveryError` when
    the channel rejects a message.
    """

    @property
    def channel(self) -> Channel:
        """Return the channel's name, for statistics."""
        ...

    async def open(
        self,
        place: Place,
        ask: Ask,
        language: str,
        *,
        known: Sequence[Posted] = (),
    ) -> Posted | None:
        """Show that a question is being answered.

        Args:
            ask: Row of the question; the shown message is stored there as the placeholder.
            known: Messages of the bot left over from an earlier text of the question or before a kill.

        Returns:
            The placeholder, or None where no message is needed yet, or none fits into what a chat may get.
        """
        ...

    async def acknowledge(self, place: Place, message_id: int) -> None:
        """Show that a question was seen and waits; best effort, and nothing that must be removed later."""
        ...

    def show(
        self, place: Place, ask: Ask, language: str, opened: Posted | None
    ) -> AbstractAsyncContextManager[Progress]:
        """Show progress until the context ends; steps that are only replayed from the record show nothing."""
        ...

    async def deliver(
        self,
        run_step: RunStep,
        asked: Asked,
        ask: Ask | None,
        content: object,
        language: str,
        *,
        known: Sequence[Posted] = (),
        note: str = "",
        first: int = 1,
    ) -> None:
        """Send a result to a chat, such as an answer, or a sentence instead of one.

        Args:
            ask: Row of the question; None when the question was not accepted.
            content: The result, whose view is known, or the sentence.
            known: Messages of the bot that are edited into the answer; those left over are deleted.
            note: A line above the sources of the answer; may be empty.
            first: Number of the first message in the step names, where the same job delivers twice.
        """
        ...

    async def retract(self, place: Place, messages: Sequence[int], text: str = "") -> None:
        """Delete messages of an answer; the first one gets the `text` instead, if there is any."""
        ...

    async def say(
        self,
        run_step: RunStep,
        place: Place,
        text: str,
        *,
        reply_to: int | None = None,
        known: Sequence[Posted] = (),
    ) -> None:
        """Send a sentence.

        Args:
            text: The sentence; empty: nothing is sent.
            reply_to: Id of the message that it answers; groups show it as a reply.
            known: Messages of the bot that are edited instead of sending a new one.
        """
        ...

    async def speaks_for(self, place: Place, asker_id: PeerId, user_id: PeerId) -> bool:
        """Return whether a person administers the group or channel in whose name a question was asked.

        False unless `asker_id` is the id of a chat. Raises `DeliveryError` when the channel cannot tell now;
        a later call may succeed.
        """
        ...
