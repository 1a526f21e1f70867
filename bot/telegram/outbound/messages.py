"""Sends the messages of an answer or a reply, and records each as soon as it is sent.

Telegram has no idempotency key for messages. So before a message that a killed process may have sent is sent
again, it is searched for: first in the stored messages of the question or of the step, then in the chat, see
`lost_messages`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from telegram import InlineKeyboardMarkup

from bot.current_step import may_have_run, recorded_at, step_key, write_with_record
from bot.service.incoming import Asked, Place
from bot.service.messenger import Posted as Posted
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.telegram.outbound.rate_limits import Urgency
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from rag.runs.run import RunStep

STEPS = ("send", "deliver", "resend", "tidy")
"""Names of the steps; all but the last are followed by the number of their message."""


class Sent:
    """The stored messages that answer a question.

    Args:
        asks: Stores them.
        ask: The question.
    """

    def __init__(self, asks: Asks, ask: Ask) -> None:
        self._asks = asks
        self._ask = ask

    async def add(self, posted: Posted) -> None:
        """Store a message with the record of the step that has sent it."""
        await write_with_record(
            partial(self._asks.add_message, self._ask.id, posted.chat_id, posted.message_id)
        )

    async def besides(self, known: Sequence[Posted]) -> Posted | None:
        """Return the newest stored message that is not among `known`, or None."""
        ids = set(await self._asks.messages(self._ask.id)) - {posted.message_id for posted in known}
        now = await self._asks.get(self._ask.id) if ids else None
        return Posted(now.chat_id, max(ids)) if now is not None else None


async def post(
    run_step: RunStep,
    delivery: Delivery,
    place: Place,
    parts: Sequence[Part],
    *,
    reply_to: int | None = None,
    after: int = 0,
    known: Sequence[Posted] = (),
    keyboard: InlineKeyboardMarkup | None = None,
    sent: Sent | None = None,
    first: int = 1,
) -> tuple[Posted, ...]:
    """Send messages to a chat, each of them once.

    Args:
        run_step: Records each message.
        delivery: Sends to Telegram.
        place: The chat and topic.
        parts: The messages.
        reply_to: Id of the message that they reply to, or None.
        after: Id of the message that they answer, where they are not shown as replies to it; 0: none.
        known: Messages of the bot that are edited before new ones are sent.
        keyboard: The buttons under the last message.
        sent: Stores the messages of a question.
        first: Number of the first message in the step names, where the same job writes to several chats.

    Returns:
        The messages, in order.
    """
    used: list[Posted] = []
    for index, part in enumerate(parts):
        number = first + index
        buttons = keyboard if index == len(parts) - 1 else None
        above = used[-1].message_id if used else after
        sending = partial(
            _send_once,
            delivery,
            place,
            part,
            buttons,
            # Only the first message is a reply; the others follow below it.
            reply_to=reply_to if index == 0 else None,
            after=above,
            known=(*known, *used),
            sent=sent,
        )
        if index >= len(known):
            posted: Posted = await run_step(f"send {number}", sending)
        else:
            posted = known[index]
            edit = partial(delivery.edit, posted.of(place), posted.message_id, part, buttons)
            if not await run_step(f"deliver {number}", edit):
                # The message was deleted, or is in the old chat of a migrated group.
                posted = await run_step(f"resend {number}", sending)
        used.append(posted)
    return tuple(used)


async def _send_once(
    delivery: Delivery,
    place: Place,
    part: Part,
    buttons: InlineKeyboardMarkup | None,
    *,
    reply_to: int | None,
    after: int,
    known: Sequence[Posted],
    sent: Sent | None,
) -> Posted:
    """Send a message, unless a killed process has sent it already."""
    left = await sent.besides(known) if sent is not None and may_have_run() else None
    if left is not None and await delivery.edit(left.of(place), left.message_id, part, buttons):
        return left
    sending = partial(
        send, delivery, place, part, buttons, reply_to=reply_to, after=after, urgency=Urgency.FINAL
    )
    if sent is None:
        return await send_on_record(delivery, sending)
    posted = await sending()
    await sent.add(posted)
    return posted


async def send_on_record(delivery: Delivery, sending: Callable[[], Awaitable[Posted]]) -> Posted:
    """Send a message that belongs to no question, unless this step has sent it according to the record.

    Args:
        delivery: Records sent messages.
        sending: Sends the message.
    """
    key = step_key()
    if may_have_run() and (kept := await delivery.kept(key)) is not None:
        return Posted(*kept)
    posted = await sending()
    await delivery.keep(key, posted.chat_id, posted.message_id)
    return posted


def reply_in(place: Place, message_id: int) -> int | None:
    """Return the message to reply to: in a group, where it shows for whom the answer is, otherwise None."""
    return None if place.kind == "private" else message_id


async def send(
    delivery: Delivery,
    place: Place,
    part: Part,
    keyboard: InlineKeyboardMarkup | None = None,
    *,
    reply_to: int | None = None,
    after: int = 0,
    urgency: Urgency = Urgency.PLACEHOLDER,
) -> Posted:
    """Send a message, unless a process that was killed in this step has sent it already."""
    message_id = await delivery.send(
        place,
        part,
        reply_to=reply_to,
        buttons=keyboard,
        urgency=urgency,
        after=after,
        is_repeated=may_have_run(),
        since=recorded_at(),
    )
    return Posted(delivery.current(place.chat_id), message_id)


async def send_file(
    delivery: Delivery,
    place: Place,
    name: str,
    content: bytes,
    caption: str = "",
    *,
    reply_to: int | None = None,
    after: int = 0,
) -> Posted:
    """Send a file, unless this step has sent it already.

    Args:
        delivery: Sends to Telegram.
        place: The chat and topic.
        name: Name of the file; empty for a picture.
        content: The file.
        caption: The text under the file.
        reply_to: Id of the message that it replies to, or None.
        after: Id of the message that it answers, where it is not shown as a reply to it; 0: none.
    """

    async def sending() -> Posted:
        message_id = await delivery.send_file(
            place,
            name,
            content,
            caption,
            reply_to=reply_to,
            after=after,
            is_repeated=may_have_run(),
            since=recorded_at(),
        )
        return Posted(delivery.current(place.chat_id), message_id)

    return await send_on_record(delivery, sending)


class Posting:
    """Sends answers to chats.

    Args:
        delivery: Sends to Telegram.
        asks: Stores which messages belong to a question.
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
    ) -> Posted | None:
        """Show that the work on a question has begun.

        Args:
            place: Where the question was asked.
            ask: Row of the question.
            known: Messages of the bot left over from an earlier text of the question or before a kill.
            part: The content of the placeholder.
            keyboard: The buttons under the placeholder.

        Returns:
            The placeholder, or None where a draft shows the progress.
        """
        if known and await self._delivery.edit(known[0].of(place), known[0].message_id, part, keyboard):
            await self._store_placeholder(ask, known[0])
            return known[0]
        # A draft that the rate limits did not allow now is shown later.
        if not known and await self._delivery.draft(place, ask.id, part, is_first=True) != "refused":
            return None
        posted = await send(
            self._delivery,
            place,
            part,
            keyboard,
            reply_to=None if ask.message_id is None else await self._reply_to(place, ask.message_id, ask),
            after=ask.message_id or 0,
        )
        await self._store_placeholder(ask, posted)
        return posted

    async def deliver(
        self,
        run_step: RunStep,
        asked: Asked,
        ask: Ask | None,
        parts: Sequence[Part],
        *,
        known: Sequence[Posted] = (),
        keyboard: InlineKeyboardMarkup | None = None,
        first: int = 1,
    ) -> None:
        """Send an answer to a chat.

        Args:
            run_step: Records each message.
            asked: The question.
            ask: Row of the question; None when the question was not accepted.
            parts: The messages.
            known: Messages that are edited before new ones are sent; those left over are deleted.
            keyboard: The buttons under the last message.
            first: Number of the first message in the step names, where the same job delivers twice.
        """
        place, message_id = asked.message.place, asked.message.message_id
        used = await post(
            run_step,
            self._delivery,
            place,
            parts,
            reply_to=await self._reply_to(place, message_id, ask),
            after=message_id,
            known=known,
            keyboard=keyboard,
            sent=None if ask is None else Sent(self._asks, ask),
            first=first,
        )
        if ask is not None:
            await run_step("tidy", partial(self._tidy, place, ask, used), is_light=True)

    async def _reply_to(self, place: Place, message_id: int, ask: Ask | None) -> int | None:
        """Return the message to reply to; in a private chat a question that others surround."""
        is_amid = place.kind == "private" and ask is not None and await self._asks.is_amid_others(ask)
        return message_id if is_amid else reply_in(place, message_id)

    async def _store_placeholder(self, ask: Ask, posted: Posted) -> None:
        await self._asks.set_placeholder(ask.id, posted.chat_id, posted.message_id)

    async def _tidy(self, place: Place, ask: Ask, used: tuple[Posted, ...]) -> None:
        """Delete messages left over from an earlier, longer answer."""
        left = set(await self._asks.messages(ask.id)) - {posted.message_id for posted in used}
        if left and (now := await self._asks.get(ask.id)) is not None:
            for posted in sorted(
                (Posted(now.chat_id, each) for each in left), key=lambda each: each.message_id
            ):
                await self._delivery.delete(posted.of(place), posted.message_id)
