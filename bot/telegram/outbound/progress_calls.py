"""Shows the progress of an answer: in a message, in a draft, or as "typing".

Progress is optional: a call is left out when the rate limits do not allow it now, and is not repeated. Only
the first draft waits and is repeated, because it finds out whether the chat has drafts.
"""

from __future__ import annotations

from dataclasses import replace
from functools import cached_property
from typing import Final, Literal

from telegram import InlineKeyboardMarkup, LinkPreviewOptions
from telegram.constants import ChatAction, ReactionEmoji
from telegram.error import TelegramError

from bot.service.incoming import Place
from bot.telegram.ids import to_number
from bot.telegram.outbound.rate_limits import Effect, Urgency
from bot.telegram.outbound.retries import Calls, Outgoing
from bot.telegram.outbound.telegram_errors import Refused, reason
from bot.telegram.rendering.parts import Part

NO_PREVIEW: Final = LinkPreviewOptions(is_disabled=True)

_PROGRESS_SECONDS = 5.0
"""Time limit of a call that shows progress: an answer may be waiting for it."""

_REACTION_TRIES = 3

_REMEMBERED_REFUSALS = 10_000

Drafted = Literal["shown", "dropped", "refused"]
"""Result of a draft: it is shown; the rate limits did not allow it now; the chat or server has no drafts."""


class ProgressCalls(Calls):
    """Makes the calls that show progress; the base of `bot.telegram.outbound.sender.Delivery`."""

    # Whether the server has drafts at all.
    _knows_drafts = True

    @cached_property
    def _without_drafts(self) -> dict[int, None]:
        return {}

    async def show(
        self, place: Place, message_id: int, part: Part, buttons: InlineKeyboardMarkup | None = None
    ) -> bool:
        """Show progress in a message if the rate limits allow it now; return whether it was shown."""
        if self.current(place.chat_id) != place.chat_id:
            return False

        async def call(chat_id: int) -> object:
            return await self._bot.edit_message_text(
                part.text,
                chat_id=chat_id,
                message_id=message_id,
                entities=Outgoing.to(place, part).entities,
                reply_markup=buttons,
                link_preview_options=NO_PREVIEW,
                read_timeout=_PROGRESS_SECONDS,
            )

        refused = await self.try_at_once(place, Urgency.PROGRESS, Effect.CHANGE, call)
        return refused in {None, Refused.UNCHANGED}

    async def draft(self, place: Place, draft_id: int, part: Part, *, is_first: bool = False) -> Drafted:
        """Show a text as a draft, which Telegram keeps for 30 seconds; only private chats have drafts.

        Args:
            draft_id: Number of the draft, not 0; a call with the same number changes the draft.
            is_first: Find out whether the chat has drafts: wait for a turn, and until the network is back,
                unless the budget of all chats is used up and this chat was written to a moment ago.
        """
        chat_id = self._current(to_number(place.chat_id))
        if place.kind != "private" or not self._knows_drafts or chat_id in self._without_drafts:
            return "refused"

        async def call(out: Outgoing) -> object:
            return await self._bot.send_message_draft(
                out.chat_id,
                draft_id,
                text=out.part.text,
                message_thread_id=out.thread_id,
                entities=out.entities,
                read_timeout=_PROGRESS_SECONDS,
                api_kwargs={"can_stop": True},
            )

        out = Outgoing.to(place, part)
        if is_first and self._queue.is_tight and self._queue.is_fresh(chat_id):
            return "dropped"
        if is_first:
            try:
                await self.carry_out(
                    out,
                    Urgency.PLACEHOLDER,
                    Effect.SLIGHT,
                    call,
                    passes_on=(Refused.REFUSED, Refused.UNKNOWN_METHOD),
                )
            except TelegramError as exc:
                refused: Refused | None = reason(exc)
            else:
                return "shown"
        else:
            refused = await self.try_at_once(
                place, Urgency.PROGRESS, Effect.SLIGHT, lambda chat_id: call(replace(out, chat_id=chat_id))
            )
        return self._note_draft(chat_id, refused)

    async def typing(self, place: Place) -> bool:
        """Show "typing" for five seconds if the rate limits allow it now; return whether it was shown."""

        async def call(chat_id: int) -> object:
            return await self._bot.send_chat_action(
                chat_id,
                ChatAction.TYPING,
                message_thread_id=place.thread_id,
                read_timeout=_PROGRESS_SECONDS,
            )

        return await self.try_at_once(place, Urgency.TYPING, Effect.CHANGE, call) is None

    async def react(self, place: Place, message_id: int) -> None:
        """Put a 👀 on a message if the rate limits allow it now and the chat allows the reaction."""

        async def call(chat_id: int) -> object:
            return await self._bot.set_message_reaction(
                chat_id, message_id, ReactionEmoji.EYES, read_timeout=_PROGRESS_SECONDS
            )

        # Another call to the chat may be on its way just now.
        for _ in range(_REACTION_TRIES):
            if await self.try_at_once(place, Urgency.TYPING, Effect.CHANGE, call) is not Refused.FLOOD:
                return
            await self._sleep(1.0)

    def _note_draft(self, chat_id: int, refused: Refused | None) -> Drafted:
        match refused:
            case None | Refused.UNCHANGED:
                return "shown"
            case Refused.UNKNOWN_METHOD:
                self._knows_drafts = False
                return "refused"
            case Refused.REFUSED:
                if len(self._without_drafts) >= _REMEMBERED_REFUSALS:
                    self._without_drafts.pop(next(iter(self._without_drafts)))
                self._without_drafts[chat_id] = None
                return "refused"
            case _:
                return "dropped"
