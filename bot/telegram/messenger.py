"""Implements `bot.service.messenger.Messenger` for Telegram."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from bot.service.council_view import members
from bot.service.incoming import Asked, Place
from bot.service.keys import Channel, PeerId, is_group
from bot.service.messenger import Posted
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.telegram.buttons.keyboard import under_answer, under_placeholder
from bot.telegram.outbound.live_progress import Display, Pace, render_waiting
from bot.telegram.outbound.messages import Posting, post, reply_in, send
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import answer_parts, text_parts
from bot.texts import TEXTS
from rag.runs.run import RunStep
from rag.values import Answer


class TelegramMessenger:
    """Writes to Telegram's chats.

    Args:
        delivery: Sends to Telegram.
        asks: Stores which messages belong to a question.
        link_hosts: Hosts whose addresses stay links in an answer.
        pace: How often progress is shown.
    """

    def __init__(
        self,
        delivery: Delivery,
        asks: Asks,
        *,
        link_hosts: Collection[str] = (),
        pace: Pace | None = None,
    ) -> None:
        self._delivery = delivery
        self._asks = asks
        self._posting = Posting(delivery, asks)
        self._link_hosts = link_hosts
        self._pace = pace

    @property
    def channel(self) -> Channel:
        """Return the channel's name."""
        return "telegram"

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
        """Show a placeholder or a draft, or a notice that the question waits."""
        buttons = under_placeholder(ask.id, language)
        if not ahead:
            return await self._posting.open(
                place, ask, known, render_waiting(language), buttons, is_edit=is_edit
            )
        if place.kind == "private" and self._delivery.is_tight:
            # A notice would be deleted before the answer: two calls, while other people's answers wait.
            return None
        notice = text_parts(TEXTS.text("answer-queued", language, ahead=ahead))[0]
        reply_to = None if ask.message_id is None else reply_in(place, ask.message_id)
        posted = await send(
            self._delivery, place, notice, buttons, reply_to=reply_to, after=ask.message_id or 0
        )
        # Stored even if the answer has begun meanwhile: its last step deletes the notice.
        await self._asks.set_placeholder(ask.id, posted.chat_id, posted.message_id)
        return posted

    def show(self, place: Place, ask: Ask, language: str, opened: Posted | None) -> Display:
        """Show progress in the placeholder, or as a draft."""
        return Display(
            self._delivery,
            opened.of(place) if opened else place,
            language,
            message_id=opened.message_id if opened else None,
            draft_id=ask.id,
            buttons=under_placeholder(ask.id, language),
            pace=self._pace,
        )

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
        """Send an answer with its buttons, or a sentence, to a chat."""
        if isinstance(content, str):
            await self._posting.deliver(run_step, asked, ask, text_parts(content), known=known, first=first)
            return
        await self._posting.deliver(
            run_step,
            asked,
            ask,
            answer_parts(content, language, note=note, allowed_hosts=self._link_hosts),
            known=known,
            keyboard=None if ask is None else under_answer(ask.id, language, seats=members(content.council)),
            first=first,
        )

    async def retract(self, place: Place, messages: Sequence[int], text: str = "") -> None:
        """Edit the first message to a text, if there is one, and delete the other messages."""
        for number, message_id in enumerate(messages):
            if text and not number:
                await self._delivery.edit(place, message_id, text_parts(text)[0])
            else:
                await self._delivery.delete(place, message_id)

    async def say(
        self,
        run_step: RunStep,
        place: Place,
        text: str,
        *,
        reply_to: int | None = None,
        known: Sequence[Posted] = (),
    ) -> None:
        """Send a sentence; in a group as a reply."""
        replied = None if reply_to is None else reply_in(place, reply_to)
        await post(
            run_step,
            self._delivery,
            place,
            text_parts(text),
            reply_to=replied,
            after=reply_to or 0,
            known=known,
        )

    async def speaks_for(self, place: Place, asker_id: PeerId, user_id: PeerId) -> bool:
        """Return whether the asker is a chat and the person is one of its administrators."""
        return is_group(asker_id) and await self._delivery.administers(place, user_id)
