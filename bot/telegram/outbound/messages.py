"""The messages of an answer or a reply: a placeholder each, recorded, then edited into what it is to say.

A sent message cannot be sent "once": Telegram has no key for it. An edit can be repeated. So a kill between
the two leaves a second placeholder at the worst.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import TypeAlias

from telegram import InlineKeyboardMarkup

from bot.service.incoming import Asked, Place
from bot.service.messenger import Posted as Posted
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from rag.loop.run import RunStep

STEPS = ("send", "deliver", "resend", "redeliver", "tidy")
"""Names of the steps; all but the last have the number of their message behind them."""

REST = Part("⏳ …")
"""What stands in a message until its part of the answer does."""


Keep: TypeAlias = Callable[[Posted], Awaitable[None]]
"""Notes which message was sent, so that it is found again."""


async def post(
    run_step: RunStep,
    delivery: Delivery,
    place: Place,
    parts: Sequence[Part],
    *,
    reply_to: int | None = None,
    known: Sequence[Posted] = (),
    keyboard: InlineKeyboardMarkup | None = None,
    rest: Part = REST,
    keep: Keep | None = None,
    first: int = 1,
) -> tuple[Posted, ...]:
    """Put messages into a chat, each of them once.

    Args:
        run_step: Records each message.
        delivery: The way out.
        place: Where.
        parts: The messages.
        reply_to: The message that they answer.
        known: Messages of the bot that are edited first.
        keyboard: The buttons under the last message.
        rest: What the first message says before it is edited.
        keep: Notes what was sent.
        first: Number of the first message in the names of the steps, where the same work writes to several
            chats.

    Returns:
        The messages, in their order.

    Raises:
        ChatGoneError: the chat cannot be written to.
        DeliveryError: Telegram does not take a message.
    """
    used: list[Posted] = []
    for index, part in enumerate(parts):
        number = first + index
        under = keyboard if index == len(parts) - 1 else None
        # Further messages stand below the one that shows whom it is for.
        replied = reply_to if index == 0 else None
        again = partial(send, delivery, place, REST, reply_to=replied, keep=keep)
        if index < len(known):
            posted = known[index]
        else:
            opening = partial(send, delivery, place, rest, reply_to=replied, keep=keep)
            posted = await run_step(f"send {number}", opening if index == 0 else again)
        edit = partial(delivery.edit, posted.of(place), posted.message_id, part, under)
        if not await run_step(f"deliver {number}", edit):
            # Somebody deleted the message, or it stayed behind in the group that moved.
            posted = await run_step(f"resend {number}", again)
            edit = partial(delivery.edit, posted.of(place), posted.message_id, part, under)
            await run_step(f"redeliver {number}", edit)
        used.append(posted)
    return tuple(used)


def reply_in(place: Place, message_id: int) -> int | None:
    """The message to reply to: in a group a reply shows whom it is for; elsewhere that is plain."""
    return None if place.kind == "private" else message_id


async def send(
    delivery: Delivery,
    place: Place,
    part: Part,
    keyboard: InlineKeyboardMarkup | None = None,
    *,
    reply_to: int | None = None,
    keep: Keep | None = None,
) -> Posted:
    """Send a message that will be edited.

    Raises:
        ChatGoneError: the chat cannot be written to.
        DeliveryError: Telegram does not take it.
    """
    message_id = await delivery.send(place, part, reply_to=reply_to, buttons=keyboard)
    posted = Posted(delivery.current(place.chat_id), message_id)
    if keep is not None:
        await keep(posted)
    return posted


class Posting:
    """Puts answers into chats.

    Args:
        delivery: The way out.
        asks: Keeps which messages belong to a question.
    """

    def __init__(self, delivery: Delivery, asks: Asks) -> None:
        self._delivery = delivery
        self._asks = asks

    async def open(
        self,
        place: Place,
        ask: Ask,
        known: Sequence[Posted],
        part: Part,
        keyboard: InlineKeyboardMarkup,
        *,
        is_edit: bool = False,
    ) -> Posted | None:
        """Show that work has begun.

        Args:
            place: Where the question was asked.
            ask: Its row.
            known: Messages that an earlier text of the question, or a notice, has left.
            part: What is shown.
            keyboard: The buttons under it.
            is_edit: The question is a new text of a message.

        Returns:
            The placeholder, or None where a draft shows the work.
        """
        if place.kind == "private" and not is_edit:
            # A notice that it waits stands above the answers to the questions before it. In a group it shows
            # whom it is for; here answers are told apart by their order.
            for notice in known:
                await self._delivery.delete(notice.of(place), notice.message_id)
            known = ()
        if known and await self._delivery.edit(known[0].of(place), known[0].message_id, part, keyboard):
            await self._opened(ask, known[0])
            return known[0]
        # One that there was no room for comes later, when there is.
        if not known and await self._delivery.draft(place, ask.id, part, is_first=True) != "refused":
            return None
        return await send(
            self._delivery,
            place,
            part,
            keyboard,
            reply_to=None if ask.message_id is None else reply_in(place, ask.message_id),
            keep=partial(self._opened, ask),
        )

    async def deliver(
        self,
        run_step: RunStep,
        asked: Asked,
        ask: Ask | None,
        parts: Sequence[Part],
        *,
        known: Sequence[Posted] = (),
        keyboard: InlineKeyboardMarkup | None = None,
        rest: Part = REST,
        first: int = 1,
    ) -> None:
        """Put an answer into a chat.

        Args:
            run_step: Records each message.
            asked: The question.
            ask: Its row; None when it was not accepted.
            parts: The messages.
            known: Messages that are edited first; those that are left over disappear.
            keyboard: The buttons under the last message.
            rest: What the first message says before it is edited.
            first: Number of the first message in the names of the steps, where the same work delivers twice.
        """
        place = asked.message.place
        used = await post(
            run_step,
            self._delivery,
            place,
            parts,
            reply_to=reply_in(place, asked.message.message_id),
            known=known,
            keyboard=keyboard,
            rest=rest,
            keep=None if ask is None else partial(self._keep, ask),
            first=first,
        )
        if ask is not None:
            await run_step("tidy", partial(self._tidy, place, ask, used), is_light=True)

    async def _opened(self, ask: Ask, posted: Posted) -> None:
        await self._asks.set_placeholder(ask.id, posted.chat_id, posted.message_id)

    async def _keep(self, ask: Ask, posted: Posted) -> None:
        await self._asks.add_message(ask.id, posted.chat_id, posted.message_id)

    async def _tidy(self, place: Place, ask: Ask, used: tuple[Posted, ...]) -> None:
        """Delete what an earlier, longer answer or a notice has left."""
        kept = {posted.message_id for posted in used}
        left = [message_id for message_id in await self._asks.messages(ask.id) if message_id not in kept]
        if left and (now := await self._asks.get(ask.id)) is not None:
            for message_id in left:
                await self._delivery.delete(replace(place, chat_id=now.chat_id), message_id)
