"""Implements `bot.service.messenger.Messenger` for Telegram."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from contextlib import AbstractAsyncContextManager
from functools import partial

from bot.service.incoming import Asked, Place
from bot.service.keys import Channel, PeerId, is_group
from bot.service.messenger import Posted
from bot.service.passed_questions import PassedQuestions
from bot.service.people import Ask
from bot.storage.asks import Asks
from bot.telegram.buttons.keyboard import under_answer, under_placeholder
from bot.telegram.outbound.live_progress import Display, Pace, render_waiting
from bot.telegram.outbound.messages import Sent, post, send
from bot.telegram.outbound.progress_calls import Drafted
from bot.telegram.outbound.sender import Delivery
from bot.telegram.rendering import draw, text_parts
from bot.telegram.rendering.parts import Part
from bot.views import answers
from bot.views.councils import members
from bot.views.results import view
from rag.runs.run import RunStep
from rag.values import Answer


class TelegramMessenger:
    """Writes to Telegram's chats; `link_hosts` are the hosts whose addresses stay links in an answer."""

    def __init__(
        self,
        delivery: Delivery,
        asks: Asks,
        *,
        link_hosts: Collection[str] = (),
        passed: PassedQuestions | None = None,
        pace: Pace | None = None,
    ) -> None:
        self._delivery = delivery
        self._asks = asks
        self._link_hosts = link_hosts
        self._passed = passed
        self._pace = pace

    @property
    def channel(self) -> Channel:
        """Return the channel's name."""
        return "telegram"

    async def open(
        self, place: Place, ask: Ask, language: str, *, known: Sequence[Posted] = ()
    ) -> Posted | None:
        """Show a placeholder or a draft; in a busy group, nothing."""
        if await self._is_busy(place):
            return known[0] if known else None
        part, buttons = render_waiting(language), under_placeholder(ask.id, language)
        if known and await self._delivery.edit(known[0].of(place), known[0].message_id, part, buttons):
            opened = known[0]
        # A draft that the rate limits did not allow now is shown later.
        elif not known and await self._delivery.draft(place, ask.id, part, is_first=True) != "refused":
            return None
        else:
            asked_in, is_reply = ask.message_id or 0, await self._is_reply(place, ask)
            opened = await send(self._delivery, place, part, buttons, after=asked_in, is_reply=is_reply)
        await self._asks.set_placeholder(ask.id, opened.chat_id, opened.message_id)
        return opened

    async def acknowledge(self, place: Place, message_id: int) -> None:
        """Put a 👀 on a question that waits."""
        await self._delivery.react(place, message_id)

    async def _is_busy(self, place: Place) -> bool:
        """Return whether a group needs the calls of its minute for answers, one for each."""
        if place.kind == "private":
            return False
        return self._delivery.is_busy(place) or len(await self._asks.open_in_chat(place.chat_id)) > 1

    def show(
        self, place: Place, ask: Ask, language: str, opened: Posted | None
    ) -> AbstractAsyncContextManager[Display]:
        """Show progress as a draft, or in the placeholder unless the calls of the group are needed."""
        if opened is None:
            draft = self._delivery.draft if place.kind == "private" else None
            return Display(draft, place, language, draft_id=ask.id, pace=self._pace).running()
        buttons = under_placeholder(ask.id, language)

        async def edit(_place: Place, _draft_id: int, part: Part) -> Drafted:
            if await self._is_busy(place):
                return "dropped"
            is_shown = await self._delivery.show(opened.of(place), opened.message_id, part, buttons)
            return "shown" if is_shown else "dropped"

        # Nothing is sent again unchanged: the calls of a group are for answers.
        pace = Pace((self._pace or Pace()).edit_seconds, float("inf"))
        shown = render_waiting(language)
        return Display(edit, place, language, draft_id=ask.id, pace=pace, shown=shown).running()

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
        """Send a result to a chat, an answer with its buttons."""
        shown, keyboard = view(content, language), None
        if isinstance(content, Answer):
            shown = answers.view(content, language, note)
            if ask is not None and not answers.is_small_talk(content):
                can_ask = self._passed is not None and await self._passed.is_offered(ask.chat_id, content)
                seats = members(content.council)
                keyboard = under_answer(ask.id, language, seats=seats, can_ask_person=can_ask)
        message, sent = asked.message, None if ask is None else Sent(self._asks, ask)
        used = await post(
            run_step,
            self._delivery,
            message.place,
            draw(shown, allowed_hosts=self._link_hosts),
            after=message.message_id,
            is_reply=await self._is_reply(message.place, ask),
            known=known,
            keyboard=keyboard,
            sent=sent,
            first=first,
        )
        if sent is not None and known:
            await run_step("tidy", partial(self._tidy, message.place, sent, used), is_light=True)

    async def _is_reply(self, place: Place, ask: Ask | None) -> bool | None:
        """Return True for a question in a private chat that others surround, otherwise None."""
        is_amid = place.kind == "private" and ask is not None and await self._asks.is_amid_others(ask)
        return is_amid or None

    async def _tidy(self, place: Place, sent: Sent, used: Sequence[Posted]) -> None:
        """Delete messages left over from an earlier, longer answer."""
        for posted in await sent.besides(used):
            await self._delivery.delete(posted.of(place), posted.message_id)

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
        await post(run_step, self._delivery, place, text_parts(text), after=reply_to or 0, known=known)

    async def speaks_for(self, place: Place, asker_id: PeerId, user_id: PeerId) -> bool:
        """Return whether the asker is a chat and the person is one of its administrators."""
        return is_group(asker_id) and await self._delivery.administers(place, user_id)
