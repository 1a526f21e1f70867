"""The one way from the service to a channel: show work, put answers into chats, say sentences.

A channel implements `Messenger`; see `bot.telegram.messenger` for Telegram.
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from typing import Protocol

from bot.service.incoming import Asked, Place
from bot.service.people import Ask
from bot.statistics.values import Channel
from rag.events import Event
from rag.loop.run import RunStep
from rag.values import Answer


@dataclass(frozen=True, slots=True)
class Posted:
    """A message of the bot; its number means nothing outside its chat."""

    chat_id: int
    message_id: int

    def of(self, place: Place) -> Place:
        """The place where it stands: the group may have moved since, or before."""
        return replace(place, chat_id=self.chat_id)


class Progress(Protocol):
    """Shows how far one answer is."""

    def feed(self, event: Event) -> None:
        """Take one event of the engine."""
        ...

    def watching(self, run_step: RunStep) -> RunStep:
        """Return `run_step` in a form that tells when a step is carried out, not repeated from its record."""
        ...


class Messenger(Protocol):
    """Writes to the chats of one channel, and knows who speaks for them.

    What is delivered appears once, whatever happens in between: the methods that take `run_step` record each
    message. Methods raise `ChatGoneError` when the chat cannot be written to, and `DeliveryError` when the
    channel does not take a message.
    """

    @property
    def channel(self) -> Channel:
        """The channel's name, for statistics."""
        ...

    async def open(
        self,
        place: Place,
        ask: Ask,
        language: str,
        *,
        known: Sequence[Posted] = (),
        is_edit: bool = False,
        ahead: int = 0,
    ) -> Posted | None:
        """Show that a question is being worked on, or that it waits.

        Args:
            place: Where it was asked.
            ask: Its row; the message is noted there as its placeholder.
            language: ISO 639-1 code of the asker's language.
            known: Messages that a notice or an earlier text of the question has left.
            is_edit: The question is a new text of a message that was answered or being answered.
            ahead: How many questions come before it; 0: the work has begun.

        Returns:
            The message that is to become the answer, or None where none is needed yet.
        """
        ...

    def show(
        self, place: Place, ask: Ask, language: str, opened: Posted | None
    ) -> AbstractAsyncContextManager[Progress]:
        """Show progress for as long as the context lasts; nothing is shown of work that is only repeated.

        Args:
            place: Where it was asked.
            ask: Its row.
            language: ISO 639-1 code of the asker's language.
            opened: What `open` returned.
        """
        ...

    async def deliver(
        self,
        run_step: RunStep,
        asked: Asked,
        ask: Ask | None,
        content: Answer | str,
        language: str,
        *,
        known: Sequence[Posted] = (),
        note: str = "",
        first: int = 1,
    ) -> None:
        """Put an answer, or a sentence instead of one, into a chat.

        Args:
            run_step: Records each message.
            asked: The question.
            ask: Its row; None when the question was not accepted.
            content: The answer, or the sentence.
            language: ISO 639-1 code of the asker's language.
            known: Messages of the bot that become the answer; those that are left over disappear.
            note: What is said beside the answer.
            first: Number of the first message in the names of the steps, where the same work delivers twice.
        """
        ...

    async def retract(self, place: Place, messages: Sequence[int], text: str = "") -> None:
        """Take back what was shown of an answer.

        Args:
            place: Where they stand.
            messages: The ids of the messages.
            text: What the first of them says from now on; empty: it disappears as the others do.
        """
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
        """Say a sentence.

        Args:
            run_step: Records the message.
            place: Where.
            text: The sentence; empty: nothing is said.
            reply_to: The message that it answers, shown where several people read.
            known: Messages of the bot that say it instead of a new one.
        """
        ...

    async def speaks_for(self, place: Place, asker_id: int, user_id: int) -> bool:
        """Whether somebody administers the group or channel in whose name a question was asked.

        Args:
            place: Where it was asked.
            asker_id: In whose name it was asked; a person speaks for nobody else.
            user_id: The person.

        Raises:
            DeliveryError: the channel does not tell now, but may when it is asked again.
        """
        ...
