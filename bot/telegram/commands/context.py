"""The context of a command: services, sender, and how to reply.

Reads and changes of a command between two messages run as a step (`Context.do`): after a kill the command
continues after the last step. Texts are composed inside steps as well, so that a repetition says the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, TypeVar

from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.incoming import Commanded, Message, Pressed
from bot.talk.orders import Order
from bot.telegram.inbound.inbox import job_id
from bot.telegram.outbound.messages import Posted, post, send, send_on_record
from bot.telegram.rendering import Part, draw, text_parts
from bot.views.blocks import Blocks

if TYPE_CHECKING:
    from bot.parts import Parts
    from bot.telegram.services import Services

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Key:
    """A button: its label, and its payload of verb and argument, at most 64 bytes."""

    label: str
    payload: str


Keys = tuple[tuple[Key, ...], ...]


@dataclass(frozen=True, slots=True)
class Reply:
    """A reply: messages, and the buttons under the last one."""

    parts: tuple[Part, ...]
    keys: Keys = ()

    @classmethod
    def of(cls, text: str, keys: Keys = ()) -> Reply:
        """Build a reply from a plain text."""
        return cls(text_parts(text), keys)

    @classmethod
    def drawn(cls, blocks: Blocks, keys: Keys = ()) -> Reply:
        """Build a reply from blocks."""
        return cls(draw(blocks), keys)


@dataclass(frozen=True, slots=True)
class Told:
    """The response to a press that only the presser sees; an alert is shown until the presser closes it."""

    text: str = ""
    is_alert: bool = False


def keyboard(keys: Keys) -> InlineKeyboardMarkup | None:
    """Return the buttons as Telegram's markup, or None when there are none."""
    if not keys:
        return None
    return InlineKeyboardMarkup(
        [[InlineKeyboardButton(key.label, callback_data=key.payload) for key in row] for row in keys]
    )


@dataclass(frozen=True, slots=True)
class Context(Order):
    """The context of a command or of a pressed button; the reply replaces the message `shown`, if any."""

    desk: Services
    request: Commanded | Pressed
    shown: Posted | None = None

    @property
    def services(self) -> Services:
        """Return the running parts of the channel."""
        return self.desk

    @property
    def parts(self) -> Parts:
        """Return the parts that all channels share."""
        return self.desk.parts

    @property
    def message(self) -> Message:
        """Return the message with the command; presses have none."""
        assert isinstance(self.request, Commanded)
        return self.request.message

    @property
    def command(self) -> Commanded:
        """Return the command; the request must not be a press."""
        assert isinstance(self.request, Commanded)
        return self.request

    @property
    def update_id(self) -> int:
        """Return the number of the update with the request."""
        request = self.request
        return request.message.update_id if isinstance(request, Commanded) else request.update_id

    @property
    def job_id(self) -> str:
        """Return the id of the job that carries out the request."""
        return job_id(self.services.me, self.update_id)

    def mark(self, label: str, *, is_chosen: bool) -> str:
        """Return the label of a button, with a mark if that is what is chosen."""
        return self.text("button-chosen", button=label) if is_chosen else label

    async def tell(self, *texts: str) -> None:
        """Reply with lines; empty ones are left out."""
        await self.show(Reply.of(lines(texts)))

    async def show(self, reply: Reply) -> None:
        """Send the reply; call this once for each request, because the steps inside have fixed names."""
        await post(
            self.run_step,
            self.services.delivery,
            self.place,
            reply.parts,
            after=self.asked_in,
            known=(self.shown,) if self.shown else (),
            keyboard=keyboard(reply.keys),
        )

    async def open(self, message: str, **values: str | float) -> Context:
        """Send a message that says that work has begun; the reply of the returned context replaces it."""
        part = text_parts(self.text(message, **values))[0]
        delivery, shown = self.services.delivery, self.shown
        if shown is not None:
            await self.do("open", partial(delivery.edit, shown.of(self.place), shown.message_id, part))
            return self
        opening = partial(send, delivery, self.place, part, after=self.asked_in)
        return replace(self, shown=await self.do("open", partial(send_on_record, delivery, opening)))

    @property
    def asked_in(self) -> int:
        """Return the id of the message with the command or with the button."""
        request = self.request
        return request.message.message_id if isinstance(request, Commanded) else request.message_id


def lines(texts: Sequence[str]) -> str:
    """Join the lines that are not empty."""
    return "\n".join(text for text in texts if text)
