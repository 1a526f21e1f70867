"""What a command works with, and how it answers.

What a command finds out or changes between two messages is a step (`Context.do`): after a kill it goes on
behind the last one. Texts are put together inside steps as well, so that a repetition says the same.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from typing import TypeVar

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.incoming import Commanded, Message, Place, Pressed, Sender
from bot.service.languages import spoken
from bot.service.people import Role
from bot.service.rights import ADMINS
from bot.settings.operator_words import in_operator_words
from bot.telegram.inbound.inbox import job_id
from bot.telegram.outbound.messages import Posted, on_record, post, reply_in, send
from bot.telegram.rendering import Part, text_parts
from bot.telegram.services import Services
from bot.texts import TEXTS
from rag.loop.run import RunStep
from rag.reasons import Reason, Value

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """A button: what it says, and the verb and argument that it carries, at most 64 bytes."""

    label: str
    payload: str


Keys = tuple[tuple[Key, ...], ...]
"""Rows of buttons."""


@dataclass(frozen=True, slots=True)
class Reply:
    """What is said: messages, and the buttons under the last one."""

    parts: tuple[Part, ...]
    keys: Keys = ()

    @classmethod
    def of(cls, text: str, keys: Keys = ()) -> Reply:
        """What a plain text says."""
        return cls(text_parts(text), keys)


@dataclass(frozen=True, slots=True)
class Told:
    """What whoever pressed a button is told, and nobody else.

    Args:
        text: A few words, or none.
        is_alert: It is shown until the presser closes it.
    """

    text: str = ""
    is_alert: bool = False


def keyboard(keys: Keys) -> InlineKeyboardMarkup | None:
    """The buttons as Telegram wants them."""
    if not keys:
        return None
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(key.label, callback_data=key.payload) for key in row] for row in keys]
    )


@dataclass(frozen=True, slots=True)
class Context:
    """A command or a pressed button on its way.

    Args:
        services: The running parts.
        request: What was sent or pressed.
        role: What the sender may do.
        language: ISO 639-1 code of the language in which the sender is spoken to.
        run_step: Carries out steps.
        shown: The message that the reply takes the place of, if there is one.
    """

    services: Services
    request: Commanded | Pressed
    role: Role
    language: str
    run_step: RunStep = field(repr=False)
    shown: Posted | None = None

    @property
    def place(self) -> Place:
        """Where."""
        return self.request.message.place if isinstance(self.request, Commanded) else self.request.place

    @property
    def sender(self) -> Sender:
        """Who."""
        return self.request.message.sender if isinstance(self.request, Commanded) else self.request.sender

    @property
    def message(self) -> Message:
        """The message with the command; only commands have one."""
        assert isinstance(self.request, Commanded)
        return self.request.message

    @property
    def command(self) -> Commanded:
        """The command; a pressed button is none."""
        assert isinstance(self.request, Commanded)
        return self.request

    @property
    def argument(self) -> str:
        """What stands behind the command."""
        return self.request.argument if isinstance(self.request, Commanded) else ""

    @property
    def is_private(self) -> bool:
        """Whether nobody else reads it."""
        return self.place.kind == "private"

    @property
    def is_admin(self) -> bool:
        """Whether the sender may command."""
        return self.role in ADMINS

    @property
    def job_id(self) -> str:
        """The work that carries this out."""
        if isinstance(self.request, Commanded):
            return job_id(self.services.me, self.message.update_id)
        return job_id(self.services.me, self.request.update_id)

    def text(self, message: str, **values: Value) -> str:
        """Return a text of the catalogues in the sender's language."""
        return TEXTS.text(message, self.language, **values)

    def reason(self, *reasons: Reason) -> str:
        """Return reasons in the sender's language, with the names of settings that an operator types."""
        return in_operator_words("; ".join(TEXTS.reason(reason, self.language) for reason in reasons))

    def speaking(self, language: str) -> Context:
        """Go on in another language."""
        return replace(self, language=language)

    def showing_in(self, shown: Posted) -> Context:
        """Go on with a message that the reply takes the place of."""
        return replace(self, shown=shown)

    async def do(self, name: str, work: Callable[[], Awaitable[T]]) -> T:
        """Carry out a step, once."""
        outcome: T = await self.run_step(name, work)
        return outcome

    async def say(self, message: str, **values: str | float) -> None:
        """Reply with a text of the catalogues."""
        await self.show(Reply.of(self.text(message, **values)))

    async def show(self, reply: Reply) -> None:
        """Reply; once in a piece of work, because its steps have names."""
        await post(
            self.run_step,
            self.services.delivery,
            self.place,
            reply.parts,
            reply_to=self._reply_to,
            after=self.asked_in,
            known=(self.shown,) if self.shown else (),
            keyboard=keyboard(reply.keys),
        )

    async def open(self, message: str, **values: str | float) -> Posted:
        """Say that work has begun, in a message that the reply takes the place of: see `showing_in`."""
        part = text_parts(self.text(message, **values))[0]
        delivery, shown = self.services.delivery, self.shown
        if shown is not None:
            await self.do("open", partial(delivery.edit, shown.of(self.place), shown.message_id, part))
            return shown
        opening = partial(send, delivery, self.place, part, reply_to=self._reply_to, after=self.asked_in)
        return await self.do("open", partial(on_record, delivery, opening))

    @property
    def asked_in(self) -> int:
        """The message with the command, or with the button."""
        request = self.request
        return request.message.message_id if isinstance(request, Commanded) else request.message_id

    @property
    def _reply_to(self) -> int | None:
        return reply_in(self.place, self.asked_in)


async def language_of(services: Services, sender: Sender) -> str:
    """Return the ISO 639-1 code of the language in which somebody is spoken to."""
    return spoken(sender, (await services.users.get(sender.id)).language)


def shorten(text: str, longest: int) -> str:
    """Put a text on one line of at most so many characters."""
    line = " ".join(text.split())
    return line if len(line) <= longest else f"{line[: longest - 1]}…"


def lines(texts: Sequence[str]) -> str:
    """Join the lines that say something."""
    return "\n".join(text for text in texts if text)
