"""Messages that Telegram took without our learning their ids: the answer to `sendMessage` got lost.

Nobody tells the id of such a message, but ids grow, so it is a little above that of the message it answers,
or a little below that of the message which was sent instead. Whether it is there is found out by setting the
buttons of the messages with those ids. Telegram refuses that for messages of others; of the bot's own it says
that they are "not modified" where the buttons, which name the question, are there already, and otherwise it
returns the text of the message. The bot says the same things again and again, so a message that is older than
the work which says it, in whole seconds as Telegram gives them, is another one.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final, Protocol

from telegram import Bot, InlineKeyboardButton, InlineKeyboardMarkup
from telegram import Message as TelegramMessage
from telegram.error import TelegramError

from bot.telegram.outbound.rate_limits import Effect
from bot.telegram.outbound.retries import Outgoing
from bot.telegram.outbound.send_queue import SendQueue, Ticket
from bot.telegram.outbound.telegram_errors import Refused, reason

_MARK: Final = InlineKeyboardMarkup([[InlineKeyboardButton("…", callback_data="…")]])
"""Stands for a moment under a message that is to have no buttons."""

_LOOKED_AT: Final = 10
_LOOKED_AT_IN_GROUPS: Final = 5
"""Fewer in groups: edits count there, and ids are those of this group alone."""

_CHATS: Final = 10_000
_IDS: Final = 20

_ELSEWHERE: Final = {
    Refused.FLOOD,
    Refused.NETWORK,
    Refused.MIGRATED,
    Refused.UNAUTHORIZED,
    Refused.CHAT_GONE,
}
"""Refusals that say nothing of the message."""


class Answers(Protocol):
    """What is on record of the bot's messages; see `bot.storage.asks.Asks`."""

    async def of_answer(self, chat_id: int, message_id: int) -> object | None:
        """Return the question that a message answers."""
        ...


class LostMessages:
    """Finds them.

    Args:
        bot: The client.
        queue: Says when a call may go.
        answers: Messages that are on record are not lost, and are left alone.
    """

    def __init__(self, bot: Bot, queue: SendQueue, answers: Answers | None = None) -> None:
        self._bot = bot
        self._queue = queue
        self._answers = answers
        # What this process has sent, by chat: the ids, and a hash of what was said. Calls to one chat go one
        # after the other, so what is above the latest of these, and the bot's, is lost.
        self._sent: dict[int, dict[int, int]] = {}

    def note(self, chat_id: int, message_id: int, out: Outgoing) -> None:
        """Note a message that was sent and whose id is known."""
        sent = self._sent.pop(chat_id, {})
        sent[message_id] = _hash(out)
        if len(sent) > _IDS:
            del sent[next(iter(sent))]
        self._sent[chat_id] = sent
        if len(self._sent) > _CHATS:
            del self._sent[next(iter(self._sent))]

    def latest(self, chat_id: int) -> int:
        """The newest message in a chat that this process has sent; 0 when there is none."""
        return max(self._sent.get(chat_id, ()), default=0)

    async def find_above(self, out: Outgoing, ticket: Ticket, message_id: int) -> int | None:
        """Return the id of a lost message that says what `out` says, a little above another message.

        Args:
            out: What was sent.
            ticket: The place in the order of the call that sent it.
            message_id: What it stands above; 0: nobody knows, so nothing is found.

        Raises:
            TelegramError: Telegram cannot be asked now.
        """
        if not message_id:
            return None
        candidates = range(message_id + 1, message_id + 1 + _near(out.chat_id))
        return await self._first(out, ticket, candidates)

    async def find_below(self, out: Outgoing, ticket: Ticket, message_id: int, above: int) -> int | None:
        """Return the id of a lost message a little below another one, where `find_above` did not look.

        Args:
            out: What was sent.
            ticket: The place in the order of the call that sent it.
            message_id: The message that was sent instead.
            above: What `find_above` was given; 0: it did not look at all.

        Raises:
            TelegramError: Telegram cannot be asked now.
        """
        near = _near(out.chat_id)
        lowest = max(above + near if above else 0, message_id - 1 - near)
        return await self._first(out, ticket, range(message_id - 1, lowest, -1))

    async def _first(self, out: Outgoing, ticket: Ticket, candidates: Iterable[int]) -> int | None:
        for message_id in candidates:
            if (known := self._sent.get(out.chat_id, {}).get(message_id)) is not None:
                if known == _hash(out):
                    # Sent by this process: only the record of it failed.
                    return message_id
                continue
            if self._answers and await self._answers.of_answer(out.chat_id, message_id) is not None:
                continue
            if await self._is_lost(out, ticket, message_id):
                return message_id
        return None

    async def _is_lost(self, out: Outgoing, ticket: Ticket, message_id: int) -> bool:
        try:
            found = await self._mark(out.chat_id, message_id, out.buttons or _MARK, ticket)
            is_lost = (
                isinstance(found, TelegramMessage)
                and (found.text or "").strip() == out.part.text.strip()
                and (out.since is None or found.date >= out.since.replace(microsecond=0))
            )
            if not is_lost or out.buttons is None:
                await self._mark(out.chat_id, message_id, None, ticket)
        except TelegramError as exc:
            refused = reason(exc)
            if refused in _ELSEWHERE:
                raise
            return refused is Refused.UNCHANGED and out.buttons is not None
        return is_lost

    async def _mark(
        self, chat_id: int, message_id: int, buttons: InlineKeyboardMarkup | None, ticket: Ticket
    ) -> object:
        async with self._queue.turn(chat_id, replace(ticket, effect=Effect.CHANGE)):
            return await self._bot.edit_message_reply_markup(
                chat_id=chat_id, message_id=message_id, reply_markup=buttons
            )


def _hash(out: Outgoing) -> int:
    return hash((out.part.text, out.buttons))


def _near(chat_id: int) -> int:
    """How many ids are looked at."""
    return _LOOKED_AT if chat_id > 0 else _LOOKED_AT_IN_GROUPS
