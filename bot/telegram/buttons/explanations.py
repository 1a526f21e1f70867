"""What stands behind an answer: its sources, and how it came about."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Literal

from bot.clock import utcnow
from bot.service.incoming import Commanded, Place
from bot.service.languages import spoken
from bot.service.people import Ask
from bot.telegram.buttons.keyboard import exchange
from bot.telegram.outbound.messages import post
from bot.telegram.outbound.sender import ALERT_CHARACTERS, Delivery
from bot.telegram.ports import Stores
from bot.telegram.rendering import Part, text_parts
from bot.telegram.rendering.sources import sources_parts
from bot.telegram.rendering.trail import trail_parts
from bot.texts import TEXTS
from rag.loop.run import RunStep
from rag.values import Answer

Subject = Literal["sources", "why"]

STEPS = ("look up",)
"""Names of the steps, besides those of posting."""

_SHOWN_FOR = timedelta(minutes=10)
"""How long what was shown under an answer is not shown again: buttons invite to be pressed."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What is shown for a pressed button: messages, or a few words for the presser alone."""

    parts: tuple[Part, ...] = ()
    alert: str = ""


class Showing:
    """Shows what stands behind answers.

    Args:
        stores: Everything that is kept.
        delivery: The way out.
        clock: Tells the time.
    """

    def __init__(self, stores: Stores, delivery: Delivery, clock: Callable[[], datetime] = utcnow) -> None:
        self._stores = stores
        self._delivery = delivery
        self._clock = clock

    async def command(self, commanded: Commanded, subject: Subject, run_step: RunStep) -> None:
        """Carry out `/sources` or `/why`: of the answer replied to, else of the latest one here.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: something cannot be read.
        """
        message = commanded.message
        parts: tuple[Part, ...] = await run_step("look up", partial(self._asked_for, commanded, subject))
        await self.show(parts, message.place, message.message_id, run_step)

    async def look_up(self, ask: Ask, subject: Subject, language: str, by: str) -> Shown:
        """Return what a button shows; what was shown a moment ago is not shown again.

        Args:
            ask: The question.
            subject: What is asked for.
            language: ISO 639-1 code of the presser's language.
            by: The work for the press; asked again for the same work, the outcome stays.
        """
        answer = await self._stores.memory.answer(exchange(ask))
        if answer is None:
            return Shown(alert=TEXTS.text("press-gone", language))
        parts = _parts(answer, subject, language)
        if len(parts) == 1 and len(parts[0].text) <= ALERT_CHARACTERS:
            return Shown(alert=parts[0].text)
        is_due = await self._stores.notices.is_due(
            f"{subject}:{ask.id}", until=self._clock() + _SHOWN_FOR, by=by, chat_id=ask.chat_id
        )
        return Shown(parts) if is_due else Shown(alert=TEXTS.text("press-shown", language))

    async def show(self, parts: Sequence[Part], place: Place, reply_to: int, run_step: RunStep) -> None:
        """Send messages; the first one replies, also in a private chat: it may be about an old answer."""
        await post(run_step, self._delivery, place, parts, reply_to=reply_to)

    async def _asked_for(self, commanded: Commanded, subject: Subject) -> tuple[Part, ...]:
        message, stores = commanded.message, self._stores
        language = spoken(message.sender, (await stores.users.get(message.sender.id)).language)
        if message.replied is not None and message.replied.is_mine:
            # Its id means something in the chat where it stands, whatever became of that.
            ask = await stores.asks.of_answer(message.place.chat_id, message.replied.message_id)
        else:
            chat_id = await stores.chats.current_id(message.place.chat_id)
            ask = await stores.asks.latest(chat_id, message.place.thread_id)
        answer = await stores.memory.answer(exchange(ask)) if ask else None
        if answer is None:
            return text_parts(TEXTS.text("chat-nothing-yet", language))
        return _parts(answer, subject, language)


def _parts(answer: Answer, subject: Subject, language: str) -> tuple[Part, ...]:
    return sources_parts(answer, language) if subject == "sources" else trail_parts(answer, language)
