"""Sends the messages of an answer or a reply, and records each as soon as it is sent.

Telegram has no idempotency key for messages. So before a message that a killed process may have sent is sent
again, it is searched for: first in the stored messages of the question or of the step, then in the chat, see
`lost_messages`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial

from telegram import InlineKeyboardMarkup

from bot.current_step import may_have_run, step_key, write_with_record
from bot.service.incoming import Place
from bot.service.messenger import Posted as Posted
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.telegram.outbound.rate_limits import Urgency
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from rag.runs.run import RunStep


@dataclass(frozen=True, slots=True)
class Sent:
    """The stored messages that answer a question."""

    asks: Asks
    ask: Ask

    async def add(self, posted: Posted) -> None:
        """Store a message with the record of the step that has sent it."""
        await write_with_record(
            partial(self.asks.add_message, self.ask.id, posted.chat_id, posted.message_id)
        )

    async def besides(self, known: Sequence[Posted]) -> tuple[Posted, ...]:
        """Return the stored messages that are not among `known`, the oldest first."""
        ids = set(await self.asks.messages(self.ask.id)) - {posted.message_id for posted in known}
        now = await self.asks.get(self.ask.id) if ids else None
        return () if now is None else tuple(Posted(now.chat_id, each) for each in sorted(ids))


async def post(
    run_step: RunStep,
    delivery: Delivery,
    place: Place,
    parts: Sequence[Part],
    *,
    after: int = 0,
    is_reply: bool | None = None,
    known: Sequence[Posted] = (),
    keyboard: InlineKeyboardMarkup | None = None,
    sent: Sent | None = None,
    first: int = 1,
) -> tuple[Posted, ...]:
    """Send messages to a chat, each of them once; return them in order.

    Args:
        after: Id of the message that they answer; 0: none.
        is_reply: The first one is shown as a reply to it; None: in groups, where that tells for whom it is.
        known: Messages of the bot that are edited before new ones are sent.
        keyboard: The buttons under the last message.
        first: Number of the first message in the step names, where the same job writes to several chats.
    """
    used: list[Posted] = []
    for index, part in enumerate(parts):
        number = first + index
        buttons = keyboard if index == len(parts) - 1 else None
        sending = partial(
            _send_once,
            delivery,
            place,
            part,
            buttons,
            after=used[-1].message_id if used else after,
            # Only the first message is a reply; the others follow below it.
            is_reply=False if used else is_reply,
            known=(*known, *used),
            sent=sent,
        )
        if index >= len(known):
            posted: Posted = await run_step(f"send {number}", sending)
        else:
            posted = known[index]
            edit = partial(delivery.edit, posted.of(place), posted.message_id, part, buttons)
            # Light: an edit can be repeated. A message that was sent is recorded: the search may fail.
            if not await run_step(f"deliver {number}", edit, is_light=True):
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
    after: int,
    is_reply: bool | None,
    known: Sequence[Posted],
    sent: Sent | None,
) -> Posted:
    left = await sent.besides(known) if sent is not None and may_have_run() else ()
    if left and await delivery.edit(left[-1].of(place), left[-1].message_id, part, buttons):
        return left[-1]
    final = Urgency.FINAL
    sending = partial(send, delivery, place, part, buttons, after=after, is_reply=is_reply, urgency=final)
    if sent is None:
        return await send_on_record(delivery, sending)
    posted = await sending()
    await sent.add(posted)
    return posted


async def send_on_record(delivery: Delivery, sending: Callable[[], Awaitable[Posted]]) -> Posted:
    """Send a message that belongs to no question, unless this step has sent it according to the record."""
    key = step_key()
    if may_have_run() and (kept := await delivery.kept(key)) is not None:
        return Posted(*kept)
    posted = await sending()
    await delivery.keep(key, posted.chat_id, posted.message_id)
    return posted


async def send(
    delivery: Delivery,
    place: Place,
    part: Part,
    keyboard: InlineKeyboardMarkup | None = None,
    *,
    after: int = 0,
    is_reply: bool | None = None,
    urgency: Urgency = Urgency.PLACEHOLDER,
) -> Posted:
    """Send a message; `after` and `is_reply` are those of `post`."""
    if is_reply is None:
        is_reply = place.kind != "private"
    reply_to = after if is_reply else None
    message_id = await delivery.send(
        place, part, reply_to=reply_to, buttons=keyboard, urgency=urgency, after=after
    )
    return Posted(delivery.current(place.chat_id), message_id)


async def send_file(
    delivery: Delivery,
    place: Place,
    name: str,
    content: bytes,
    caption: str = "",
    *,
    after: int = 0,
    is_reply: bool = False,
) -> Posted:
    """Send a file, or a picture if `name` is empty, unless this step has sent it already.

    `after` is the id of the message that it answers; 0: none.
    """

    async def sending() -> Posted:
        reply_to = after if is_reply else None
        message_id = await delivery.send_file(place, name, content, caption, reply_to=reply_to, after=after)
        return Posted(delivery.current(place.chat_id), message_id)

    return await send_on_record(delivery, sending)
