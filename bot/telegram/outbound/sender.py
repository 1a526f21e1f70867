"""Sends to Telegram: every call waits for its turn, and Telegram's errors are handled.

Telegram has no idempotency key for messages, so a message whose response was lost could appear twice: `send`
looks for it before it sends another one (see `lost_messages`). Edits can simply be repeated.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from datetime import datetime
from functools import cached_property

from telegram import InlineKeyboardMarkup, InputFile
from telegram.constants import FileSizeLimit
from telegram.error import TelegramError

from bot.clock import utcnow
from bot.current_step import may_have_run, recorded_at
from bot.service.incoming import File, Place
from bot.service.keys import PeerId
from bot.telegram.ids import to_number, to_peer
from bot.telegram.outbound.lost_messages import PHOTO, LostMessages
from bot.telegram.outbound.progress_calls import NO_PREVIEW, ProgressCalls
from bot.telegram.outbound.rate_limits import Effect, Urgency
from bot.telegram.outbound.retries import DeliveryError, Outgoing
from bot.telegram.outbound.send_queue import Ticket
from bot.telegram.outbound.telegram_errors import Refused, pause, reason
from bot.telegram.rendering.parts import Part
from rag.errors import InputError

ALERT_CHARACTERS = 200
"""Largest number of characters of an alert for a pressed button (Bot API, answerCallbackQuery)."""

_DOWNLOADS = 5
"""Number of tries to download a file."""

_ABOUT_THE_MESSAGE = (Refused.UNCHANGED, Refused.MESSAGE_GONE, Refused.MIGRATED)


class Delivery(ProgressCalls):
    """Sends, edits and deletes, within Telegram's limits."""

    @cached_property
    def _lost(self) -> LostMessages:
        return LostMessages(self._bot, self._queue, self._patience, self._records)

    async def send(
        self,
        place: Place,
        part: Part,
        *,
        reply_to: int | None = None,
        buttons: InlineKeyboardMarkup | None = None,
        urgency: Urgency = Urgency.PLACEHOLDER,
        after: int = 0,
    ) -> int:
        """Send a message and return its id; where the step may have run before, look for the message first.

        `after` is the id of an older message of the chat, usually the one that is answered; 0: unknown.
        """

        async def call(out: Outgoing) -> int:
            message = await self._bot.send_message(
                out.chat_id,
                out.part.text,
                entities=out.entities,
                message_thread_id=out.thread_id,
                reply_parameters=out.reply,
                reply_markup=out.buttons,
                link_preview_options=NO_PREVIEW,
            )
            return message.message_id

        return await self._send_once(Outgoing.to(place, part, reply_to, buttons), urgency, call, after)

    async def _send_once(
        self,
        out: Outgoing,
        urgency: Urgency,
        call: Callable[[Outgoing], Awaitable[int]],
        after: int,
    ) -> int:
        """Send a message unless an earlier try has sent it, and return its id; arguments as in `send`."""
        chat_id, is_repeated = out.chat_id, may_have_run()
        above = max(after, out.reply_to or 0)
        looked: Ticket | None = None

        async def find(out: Outgoing, ticket: Ticket) -> int | None:
            nonlocal above, looked
            if out.chat_id != chat_id:
                return None  # The group has migrated: its messages have other ids now.
            if not is_repeated:
                above = max(above, self._lost.latest(out.chat_id))
            found = await self._lost.find(out, ticket, above)
            looked = ticket if found is None else None
            return found

        out = replace(out, since=recorded_at() or utcnow())
        message_id = await self.carry_out(out, urgency, Effect.MESSAGE, call, find=find, is_lost=is_repeated)
        self._lost.note(self._current(chat_id), message_id, out)
        if looked is not None and self._current(chat_id) == chat_id:
            with suppress(TelegramError):
                doubled = await self._lost.find(out, looked, above, message_id)
                if doubled is not None:
                    await self.delete(Place(to_peer(chat_id), "private"), doubled)
        return message_id

    async def keep(self, key: str, chat_id: PeerId, message_id: int) -> None:
        """Record a message that belongs to no question; `key` names the step that sent it."""
        if self._records is not None:
            await self._records.keep(key, chat_id, message_id)

    async def kept(self, key: str) -> tuple[PeerId, int] | None:
        """Return the chat id and the message id that a step has sent, or None when none is on record."""
        return await self._records.kept(key) if key and self._records is not None else None

    async def sent_at(self, chat_id: PeerId, message_id: int) -> datetime | None:
        """Return when a message was sent that belongs to no question, or None if that is not on record."""
        return await self._records.sent_at(chat_id, message_id) if self._records is not None else None

    async def edit(
        self, place: Place, message_id: int, part: Part, buttons: InlineKeyboardMarkup | None = None
    ) -> bool:
        """Change the text of a message, and return whether it shows it now; unchanged counts as success.

        False: it was deleted, can no longer be changed, or is in the old chat of a migrated group.
        """

        async def call(out: Outgoing) -> bool:
            await self._bot.edit_message_text(
                out.part.text,
                chat_id=out.chat_id,
                message_id=message_id,
                entities=out.entities,
                reply_markup=out.buttons,
                link_preview_options=NO_PREVIEW,
            )
            return True

        return await self._change(Outgoing.to(place, part, None, buttons), Effect.CHANGE, call)

    async def mark(self, place: Place, message_id: int, buttons: InlineKeyboardMarkup | None) -> bool:
        """Change only the buttons of a message; result and errors are those of `edit`."""

        async def call(out: Outgoing) -> bool:
            await self._bot.edit_message_reply_markup(
                chat_id=out.chat_id, message_id=message_id, reply_markup=out.buttons
            )
            return True

        return await self._change(Outgoing.to(place, buttons=buttons), Effect.CHANGE, call)

    async def delete(self, place: Place, message_id: int) -> bool:
        """Delete a message; result and errors are those of `edit`."""

        async def call(out: Outgoing) -> bool:
            return await self._bot.delete_message(out.chat_id, message_id)

        return await self._change(Outgoing.to(place), Effect.SLIGHT, call)

    async def answer_press(self, callback_id: str, text: str = "", *, alert: bool = False) -> bool:
        """Answer a pressed button, so that it stops blinking; False if done before, or too late."""
        try:
            return await self._bot.answer_callback_query(
                callback_id, text=text[:ALERT_CHARACTERS] or None, show_alert=alert
            )
        except TelegramError as exc:
            if reason(exc) is Refused.UNAUTHORIZED:
                await self.stand_still()
            return False

    async def administers(self, place: Place, user_id: PeerId) -> bool:
        """Return whether a person administers a group; `DeliveryError` if Telegram cannot tell now."""
        if place.kind == "private":
            return False
        try:
            named = await self._bot.get_chat_administrators(to_number(self.current(place.chat_id)))
        except TelegramError as exc:
            refused = reason(exc)
            if refused is Refused.UNAUTHORIZED:
                await self.stand_still()
            if refused in {Refused.NETWORK, Refused.FLOOD}:
                raise DeliveryError(f"Telegram did not tell who administers the group ({exc})") from exc
            return False
        return user_id in {to_peer(administrator.user.id) for administrator in named}

    async def send_file(
        self,
        place: Place,
        name: str,
        content: bytes,
        caption: str = "",
        *,
        reply_to: int | None = None,
        after: int = 0,
    ) -> int:
        """Send a file, or a picture if `name` is empty; other arguments and errors are those of `send`."""

        async def call(out: Outgoing) -> int:
            caption, topic, reply = out.part.text or None, out.thread_id, out.reply
            if name:
                file = InputFile(content, filename=name)
                message = await self._bot.send_document(
                    out.chat_id, file, caption, message_thread_id=topic, reply_parameters=reply
                )
            else:
                message = await self._bot.send_photo(
                    out.chat_id, content, caption, message_thread_id=topic, reply_parameters=reply
                )
            return message.message_id

        out = replace(Outgoing.to(place, Part(caption), reply_to), file=name or PHOTO)
        return await self._send_once(out, Urgency.PLACEHOLDER, call, after)

    async def download(self, file: File, limit: int = FileSizeLimit.FILESIZE_DOWNLOAD) -> bytes:
        """Download a file sent to the bot; raises `InputError` if it is too big, or `DeliveryError`."""
        too_big = InputError(f"the file is bigger than {limit / 1e6:g} MB: send a smaller one")
        if (file.size or 0) > limit:
            raise too_big
        failures = 0
        while True:
            try:
                found = await self._bot.get_file(file.id)
                if (found.file_size or 0) > limit:
                    raise too_big
                content = bytes(await found.download_as_bytearray())
            except TelegramError as exc:
                if "too big" in str(exc):
                    raise too_big from exc
                failures += 1
                if reason(exc) is Refused.UNAUTHORIZED:
                    await self.stand_still()
                if reason(exc) not in {Refused.NETWORK, Refused.FLOOD} or failures >= _DOWNLOADS:
                    raise DeliveryError(f"Telegram did not hand out the file ({exc}): send it again") from exc
                await self._sleep(pause(exc, self._patience.after(failures)))
            else:
                if len(content) > limit:
                    raise too_big
                return content

    async def _change(
        self, out: Outgoing, effect: Effect, call: Callable[[Outgoing], Awaitable[bool]]
    ) -> bool:
        if self._current(out.chat_id) != out.chat_id:
            return False
        try:
            return await self.carry_out(out, Urgency.FINAL, effect, call, passes_on=_ABOUT_THE_MESSAGE)
        except TelegramError as exc:
            return reason(exc) is Refused.UNCHANGED
