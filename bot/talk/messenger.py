"""A messenger for channels in which an answer is one message, and nothing stands there before it.

Nothing is shown before an answer but that the bot writes, and the answer to a changed question is an edit.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import AsyncIterator, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from functools import partial

from bot.service.incoming import Asked, File, Place
from bot.service.keys import Channel, PeerId
from bot.service.messenger import Posted
from bot.service.people import Ask
from bot.views import answers
from bot.views.blocks import Blocks
from bot.views.results import view
from rag.events import Event
from rag.runs.run import RunStep
from rag.values import Answer

SEND = "send 1"
"""The step that sends an answer or a reply; its outcome is the id that the channel gave to the message."""


class Talker(ABC):
    """Replies to one message, for one job: implements `bot.service.messenger.Messenger`."""

    @property
    @abstractmethod
    def channel(self) -> Channel:
        """Return the channel's name."""

    @property
    @abstractmethod
    def bot_name(self) -> str:
        """Return the name under which people know the bot."""

    @abstractmethod
    def writing(self) -> AbstractAsyncContextManager[None]:
        """Show that the bot writes until the context ends."""

    @abstractmethod
    async def download(self, file: File) -> bytes:
        """Return a file's content; raise `ChatGoneError` if it is gone, `DeliveryError` if it is refused."""

    @abstractmethod
    async def send(self, blocks: Blocks, ask: Ask | None = None, *, is_edit: bool = False) -> str:
        """Send a message within a step, and return its id: the same one if the step is carried out again.

        Args:
            ask: The question that it answers; the message is stored with it.
            is_edit: It takes the place of the former answer to that question.

        Raises:
            ChatGoneError: the chat cannot be written to.
            DeliveryError: the channel rejects the message.
        """

    async def reply(self, run_step: RunStep, blocks: Blocks) -> None:
        """Send blocks as a reply."""
        await run_step(SEND, partial(self.send, blocks))

    async def open(
        self, place: Place, ask: Ask, language: str, *, known: Sequence[Posted] = ()
    ) -> Posted | None:
        """Return the former answer of a changed question; nothing else is shown."""
        return known[0] if known else None

    async def acknowledge(self, place: Place, message_id: int) -> None:
        """Show nothing: people see that the bot writes."""
        return

    @asynccontextmanager
    async def show(
        self, place: Place, ask: Ask, language: str, opened: Posted | None
    ) -> AsyncIterator[_Silent]:
        """Show that the bot writes."""
        async with self.writing():
            yield _Silent()

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
        """Send a result as a reply, or as an edit of the former answer."""
        shown = view(content, language)
        if isinstance(content, Answer):
            shown = answers.view(content, language, note)
        await run_step(f"send {first}", partial(self.send, shown, ask, is_edit=bool(known)))

    async def retract(self, place: Place, messages: Sequence[int], text: str = "") -> None:
        """Leave former answers as they are: whoever takes a question back sees that no new one comes."""
        return

    async def say(
        self,
        run_step: RunStep,
        place: Place,
        text: str,
        *,
        reply_to: int | None = None,
        known: Sequence[Posted] = (),
    ) -> None:
        """Send a sentence as a reply."""
        if text:
            await self.reply(run_step, view(text, ""))

    async def speaks_for(self, place: Place, asker_id: PeerId, user_id: PeerId) -> bool:
        """Return False: everybody writes under an id of their own."""
        return False


class _Silent:
    def feed(self, event: Event) -> None:
        """Show nothing of what the engine does."""

    def watching(self, run_step: RunStep) -> RunStep:
        return run_step
