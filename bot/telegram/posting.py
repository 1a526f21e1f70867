"""The messages of one answer: a placeholder each, recorded, then edited into what it is to say.

A sent message cannot be sent "once": Telegram has no key for it. An edit can be repeated. So a kill between
the two leaves a second placeholder at the worst.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial

from telegram import InlineKeyboardMarkup

from bot.telegram.delivery import Delivery
from bot.telegram.ports import Asks
from bot.telegram.records import Ask
from bot.telegram.rendering import Part
from bot.telegram.values import Asked, Place
from rag.steps.run import RunStep

REST = Part("…")
"""What stands in a message until its part of the answer does."""


@dataclass(frozen=True, slots=True)
class Posted:
    """A message of the bot; its number means nothing outside its chat."""

    chat_id: int
    message_id: int

    def of(self, place: Place) -> Place:
        """The place where it stands: the group may have moved since, or before."""
        return replace(place, chat_id=self.chat_id)


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
        asked: Asked,
        ask: Ask,
        known: Sequence[Posted],
        part: Part,
        keyboard: InlineKeyboardMarkup,
    ) -> Posted | None:
        """Show that work has begun.

        Args:
            asked: The question.
            ask: Its row.
            known: Messages that an earlier text of the question, or a notice, has left.
            part: What is shown.
            keyboard: The buttons under it.

        Returns:
            The placeholder, or None where a draft shows the work.
        """
        place = asked.message.place
        if known and await self._delivery.edit(known[0].of(place), known[0].message_id, part, keyboard):
            return known[0]
        if not known and await self._delivery.draft(place, ask.id, part, is_first=True) == "shown":
            return None
        return await self._send(asked, ask, part, keyboard)

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
        """
        place = asked.message.place
        used: list[Posted] = []
        for number, part in enumerate(parts, 1):
            under = keyboard if number == len(parts) else None
            again = partial(self._send, asked, ask, REST, is_first=number == 1)
            if number <= len(known):
                posted = known[number - 1]
            else:
                send = partial(self._send, asked, ask, rest) if number == 1 else again
                posted = await run_step(f"send {number}", send)
            edit = partial(self._delivery.edit, posted.of(place), posted.message_id, part, under)
            if not await run_step(f"deliver {number}", edit):
                # Somebody deleted the message, or it stayed behind in the group that moved.
                posted = await run_step(f"resend {number}", again)
                edit = partial(self._delivery.edit, posted.of(place), posted.message_id, part, under)
                await run_step(f"redeliver {number}", edit)
            used.append(posted)
        if ask is not None:
            await run_step("tidy", partial(self._tidy, place, ask, tuple(used)))

    async def _send(
        self,
        asked: Asked,
        ask: Ask | None,
        part: Part,
        keyboard: InlineKeyboardMarkup | None = None,
        *,
        is_first: bool = True,
    ) -> Posted:
        """Send a message that will be edited."""
        place = asked.message.place
        # In a group the answer shows whom it is for; its further messages stand below it.
        reply_to = asked.message.message_id if is_first and place.kind != "private" else None
        message_id = await self._delivery.send(place, part, reply_to=reply_to, buttons=keyboard)
        posted = Posted(self._delivery.current(place.chat_id), message_id)
        if ask is not None:
            note = self._asks.set_placeholder if is_first else self._asks.add_message
            await note(ask.id, posted.chat_id, message_id)
        return posted

    async def _tidy(self, place: Place, ask: Ask, used: tuple[Posted, ...]) -> None:
        """Delete what an earlier, longer answer or a notice has left."""
        kept = {posted.message_id for posted in used}
        for message_id in await self._asks.messages(ask.id):
            if message_id not in kept:
                await self._delivery.delete(place, message_id)
