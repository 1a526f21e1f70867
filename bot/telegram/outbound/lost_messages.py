"""Finds messages that Telegram accepted but whose ids did not arrive: the response to `sendMessage` was lost.

The Bot API cannot tell the id of such a message, but ids grow, so it is a little above the id of the message
that it answers, or a little below the id of the message that was sent instead. The search sets the buttons of
the messages with those ids. Telegram refuses this for messages of others. For the bot's own messages it
replies "not modified" if the buttons, which name the question, are already there; otherwise it returns the
text of the message, or the caption and the name of its file.

A message of the bot that is on record is not lost and is skipped, so that the search removes the buttons of
no menu and of no answer. The bot often sends the same text, so a message older than the job that sends the
text is not the lost one either.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Final, Literal

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram import Message as TelegramMessage
from telegram.error import TelegramError

from bot.storage.sent_messages import SentMessages
from bot.telegram.ids import to_peer
from bot.telegram.outbound.rate_limits import Effect
from bot.telegram.outbound.retries import Outgoing, Patience
from bot.telegram.outbound.send_queue import SendQueue, Ticket
from bot.telegram.outbound.telegram_errors import Refused, pause, reason

PHOTO: Final = "photo"
"""Stands for the name of a picture, which has none."""

_MARK: Final = InlineKeyboardMarkup([[InlineKeyboardButton("…", callback_data="…")]])
"""Set for a moment as the buttons of a message that is to have none."""

_LOOKED_AT_IN_PRIVATE: Final = 40
"""Ids looked at in a private chat, the newest of those that no message on record has: all private chats share
their ids, so in a busy bot the lost message is far above the one that it answers."""

_LOOKED_AT: Final = 10
"""Ids looked at in a private chat without records, and below a message."""
_LOOKED_AT_IN_GROUPS: Final = 5
"""Ids looked at in a group: fewer, because edits count against its limit and its ids are not shared."""

_CHATS: Final = 10_000
_IDS: Final = 20

_ELSEWHERE: Final = {
    Refused.FLOOD,
    Refused.NETWORK,
    Refused.MIGRATED,
    Refused.UNAUTHORIZED,
    Refused.CHAT_GONE,
}
"""Refusals that say nothing about the message itself."""


_CLOCKS_DIFFER: Final = timedelta(minutes=10)
"""How far Telegram's clock may be behind that of the machine which recorded the job."""

_TRIES: Final = 10
"""Largest number of tries for one message where Telegram asks for a pause or the network fails."""

_Found = Literal["lost", "another", "older"]
"""The result of looking at a message: the lost one, another one, or one older than the job."""


class LostMessages:
    """Finds lost messages."""

    def __init__(
        self, bot: Bot, queue: SendQueue, patience: Patience, records: SentMessages | None = None
    ) -> None:
        self._bot = bot
        self._queue = queue
        self._patience = patience
        self._records = records
        # The messages that this process has sent, by chat: a hash of the content by id. Calls to one chat go
        # one after the other, so a message of the bot above the latest of these is lost.
        self._sent: dict[int, dict[int, int]] = {}

    def note(self, chat_id: int, message_id: int, out: Outgoing) -> None:
        """Note a sent message whose id is known."""
        sent = self._sent.pop(chat_id, {})
        sent[message_id] = _hash(out)
        if len(sent) > _IDS:
            del sent[next(iter(sent))]
        self._sent[chat_id] = sent
        if len(self._sent) > _CHATS:
            del self._sent[next(iter(self._sent))]

    def latest(self, chat_id: int) -> int:
        """Return the id of the newest message that this process has sent to a chat; 0 when there is none."""
        return max(self._sent.get(chat_id, ()), default=0)

    async def find(self, out: Outgoing, ticket: Ticket, above: int, below: int = 0) -> int | None:
        """Return the id of a lost message with the content of `out`, or None.

        Args:
            ticket: Place in the queue of the call that sent it.
            above: Id of a message under the lost one; 0: unknown.
            below: Id of the message that was sent instead, under which is looked where no search from `above`
                has looked; 0: there is none yet.

        Raises:
            TelegramError: Telegram cannot be asked now.
        """
        if not above and not below:
            return None
        is_private = out.chat_id > 0
        near, is_downward = _LOOKED_AT if is_private else _LOOKED_AT_IN_GROUPS, bool(below)
        if self._records and is_private:
            # The lost message was sent lately; below it are ids of commands and of deleted messages.
            unknown = await self._records.list_unknown_ids(above or max(0, below - 1 - near), below)
            candidates: Sequence[int] = unknown[: -(near if below else _LOOKED_AT_IN_PRIVATE) - 1 : -1]
            is_downward = True
        elif below:
            candidates = range(below - 1, max(above + near if above else 0, below - 1 - near), -1)
        else:
            candidates = range(above + 1, above + 1 + near)
        for message_id in candidates:
            if self._records and await self._records.is_on_record(to_peer(out.chat_id), message_id):
                continue
            if (known := self._sent.get(out.chat_id, {}).get(message_id)) is not None:
                if known == _hash(out):
                    # This process sent the message, and only recording it failed.
                    return message_id
                continue
            found = await self._look_at(out, ticket, message_id)
            if found == "lost":
                return message_id
            if found == "older" and is_downward:
                break
        return None

    async def _look_at(self, out: Outgoing, ticket: Ticket, message_id: int) -> _Found:
        try:
            found = await self._mark(out.chat_id, message_id, out.buttons or _MARK, ticket)
            kind = _compare(found, out)
            if kind != "lost" or out.buttons is None:
                await self._mark(out.chat_id, message_id, None, ticket)
        except TelegramError as exc:
            refused = reason(exc)
            if refused in _ELSEWHERE:
                raise
            return "lost" if refused is Refused.UNCHANGED and out.buttons is not None else "another"
        return kind

    async def _mark(
        self, chat_id: int, message_id: int, buttons: InlineKeyboardMarkup | None, ticket: Ticket
    ) -> object:
        """Set the buttons of a message; wait for pauses that Telegram asks for, and for the network."""
        failures = 0
        while True:
            try:
                async with self._queue.turn(chat_id, replace(ticket, effect=Effect.CHANGE)):
                    return await self._bot.edit_message_reply_markup(
                        chat_id=chat_id, message_id=message_id, reply_markup=buttons
                    )
            except TelegramError as exc:
                failures += 1
                refused = reason(exc)
                if refused not in {Refused.FLOOD, Refused.NETWORK} or failures >= _TRIES:
                    raise
                is_flood = refused is Refused.FLOOD
                patience = self._patience
                self._queue.pause(
                    chat_id, pause(exc, patience.flood_seconds) if is_flood else patience.after(failures)
                )


def _compare(found: object, out: Outgoing) -> _Found:
    if not isinstance(found, TelegramMessage):
        return "another"
    if out.since is not None and found.date < out.since - _CLOCKS_DIFFER:
        return "older"
    is_same = (found.text or found.caption or "").strip() == out.part.text.strip()
    return "lost" if is_same and name_file(found) == out.file else "another"


def name_file(message: TelegramMessage) -> str:
    """Return the name of the document that a message carries, or `PHOTO`; empty for a message without one."""
    if message.document is not None:
        return message.document.file_name or ""
    return PHOTO if message.photo else ""


def _hash(out: Outgoing) -> int:
    return hash((out.part.text, out.buttons, out.file))
