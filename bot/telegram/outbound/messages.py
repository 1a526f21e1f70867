"""The messages of an answer or a reply, each recorded as soon as it is sent.

A sent message cannot be sent "once": Telegram has no key for it. So a message that a killed process may have
sent is looked for before it is sent again: in what is kept of the question or of the step, then in the chat,
see `lost_messages`.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from functools import partial

from telegram import InlineKeyboardMarkup

from bot.jobs.step_log import may_have_run, recorded_at, step_key
from bot.service.incoming import Asked, Place
from bot.service.messenger import Posted as Posted
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.telegram.outbound.rate_limits import Urgency
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import Part
from rag.loop.run import RunStep

STEPS = ("send", "deliver", "resend", "tidy")
"""Names of the steps; all but the last have the number of their message behind them."""


class Sent:
    """What is kept of the messages that answer a question.

    Args:
        asks: Keeps them.
        ask: The question.
    """

    def __init__(self, asks: Asks, ask: Ask) -> None:
        self._asks = asks
        self._ask = ask

    async def add(self, posted: Posted) -> None:
        """Keep a message."""
        await self._asks.add_message(self._ask.id, posted.chat_id, posted.message_id)

    async def besides(self, known: Sequence[Posted]) -> Posted | None:
        """Return the newest message that is kept and not among `known`."""
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
    """Put messages into a chat, each of them once.

    Args:
        run_step: Records each message.
        delivery: The way out.
        place: Where.
        parts: The messages.
        reply_to: The message that they answer.
        after: The message that they answer, where they are not shown as replies to it.
        known: Messages of the bot that are edited first.
        keyboard: The buttons under the last message.
        sent: Keeps what was sent.
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
        buttons = keyboard if index == len(parts) - 1 else None
        above = used[-1].message_id if used else after
        sending = partial(
            _send_once,
            delivery,
            place,
            part,
            buttons,
            # Further messages stand below the one that shows whom it is for.
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
                # Somebody deleted the message, or it stayed behind in the group that moved.
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
    """Send a message, unless a process that was killed has sent it."""
    left = await sent.besides(known) if sent is not None and may_have_run() else None
    if left is not None and await delivery.edit(left.of(place), left.message_id, part, buttons):
        return left
    sending = partial(
        send, delivery, place, part, buttons, reply_to=reply_to, after=after, urgency=Urgency.FINAL
    )
    if sent is None:
        return await on_record(delivery, sending)
    posted = await sending()
    await sent.add(posted)
    return posted


async def on_record(delivery: Delivery, sending: Callable[[], Awaitable[Posted]]) -> Posted:
    """Send a message that belongs to no question, unless the record says that this step has sent it before.

    Args:
        delivery: Keeps the record of sent messages.
        sending: Sends the message.

    Raises:
        ChatGoneError: the chat cannot be written to.
        DeliveryError: Telegram does not take it.
        StorageError: it cannot be put on record.
    """
    key = step_key()
    if may_have_run() and (kept := await delivery.kept(key)) is not None:
        return Posted(*kept)
    posted = await sending()
    await delivery.keep(key, posted.chat_id, posted.message_id)
    return posted


def reply_in(place: Place, message_id: int) -> int | None:
    """Return the message to reply to: in a group, where the reply shows for whom the answer is; else None."""
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
    """Send a message, unless a process that was killed in this step has sent it.

    Raises:
        ChatGoneError: the chat cannot be written to.
        DeliveryError: Telegram does not take it.
    """
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


class Posting:
    """Puts answers into chats.

    Args:
        delivery: The way out.
        asks: Keeps which messages belong to a question.
    """

    def __init__(self, delivery: Delivery, asks: Asks) -> None:
        self._delivery = delivery
        self._asks = asks
        # Notices that are still kept of a question, though they are gone from the chat.
        self._deleted: set[Posted] = set()

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
                self._deleted.add(notice)
            known = ()
        if known and await self._delivery.edit(known[0].of(place), known[0].message_id, part, keyboard):
            await self._opened(ask, known[0])
            return known[0]
        # One that there was no room for comes later, when there is.
        if not known and await self._delivery.draft(place, ask.id, part, is_first=True) != "refused":
            return None
        posted = await send(
            self._delivery,
            place,
            part,
            keyboard,
            reply_to=None if ask.message_id is None else reply_in(place, ask.message_id),
            after=ask.message_id or 0,
        )
        await self._opened(ask, posted)
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
        """Put an answer into a chat.

        Args:
            run_step: Records each message.
            asked: The question.
            ask: Its row; None when it was not accepted.
            parts: The messages.
            known: Messages that are edited first; those that are left over disappear.
            keyboard: The buttons under the last message.
            first: Number of the first message in the names of the steps, where the same work delivers twice.
        """
        place, message_id = asked.message.place, asked.message.message_id
        used = await post(
            run_step,
            self._delivery,
            place,
            parts,
            reply_to=reply_in(place, message_id),
            after=message_id,
            known=known,
            keyboard=keyboard,
            sent=None if ask is None else Sent(self._asks, ask),
            first=first,
        )
        if ask is not None:
            await run_step("tidy", partial(self._tidy, place, ask, used), is_light=True)

    async def _opened(self, ask: Ask, posted: Posted) -> None:
        await self._asks.set_placeholder(ask.id, posted.chat_id, posted.message_id)

    async def _tidy(self, place: Place, ask: Ask, used: tuple[Posted, ...]) -> None:
        """Delete what an earlier, longer answer or a notice has left."""
        left = set(await self._asks.messages(ask.id)) - {posted.message_id for posted in used}
        if left and (now := await self._asks.get(ask.id)) is not None:
            for posted in sorted(
                (Posted(now.chat_id, each) for each in left), key=lambda each: each.message_id
            ):
                if posted not in self._deleted:
                    await self._delivery.delete(posted.of(place), posted.message_id)
                self._deleted.discard(posted)
