"""Limits on questions of a person, in a chat, and on tokens a day. A refusal is shown once, not every time.

Commands are counted separately from questions, so that neither uses up the limit of the other.

The decision is a function of times and sums, which `Limits` loads. Times come from the wall clock, because
they must outlive a restart; times in the future (the clock was set back) are not counted, and a day is the
day of the given moment in the team's time zone.
"""

from __future__ import annotations

import math
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Protocol, TypeAlias

from bot.clock import time_of_day
from bot.service import keys
from bot.service.incoming import Place, Sender
from bot.service.keys import NOBODY, PeerId
from bot.service.people import Refusal
from bot.service.spending import Spent, Today
from bot.service.stores import Notices
from bot.settings.sections import Rates

MINUTE = timedelta(minutes=1)
HOUR = timedelta(hours=1)

NEARLY = 0.8
"""Share of the whole bot's daily budget after which the admins are warned."""


@dataclass(frozen=True, slots=True)
class Load:
    """Earlier questions before a question, or earlier commands before a command.

    Args:
        by_user: Times of this person's, within the last hour.
        in_chat: Times of all in this chat, within the last minute.
        waiting: Number of questions of this chat and topic that are not answered yet.
    """

    by_user: Sequence[datetime] = ()
    in_chat: Sequence[datetime] = ()
    waiting: int = 0


Decide: TypeAlias = Callable[[datetime, Load], Refusal | None]
"""Returns the refusal when an arrival exceeds a limit, from its time and the earlier arrivals."""


class Arrivals(Protocol):
    """Stores when questions and commands arrived; see `bot.storage.arrivals.StoredArrivals`."""

    async def settle(
        self, key: str, chat_id: PeerId, user_id: PeerId, decide: Decide, *, is_command: bool = False
    ) -> Refusal | None:
        """Store an arrival and the decision on it; calls run one at a time, and a key is stored once."""
        ...

    async def settle_council(self, key: str, chat_id: PeerId, limit: int) -> datetime | None:
        """Count a question to the council; return when the chat may ask again, or None when it may now."""
        ...


Tell: TypeAlias = Callable[[str, Mapping[str, str | float], str], Awaitable[None]]
"""Sends a catalogue message with its values to the admins, once for each key."""


async def tell_nobody(_text: str, _values: Mapping[str, str | float], _key: str) -> None:
    """Send nothing: where no channel reaches the admins, nobody is told."""


def refusal(load: Load, rates: Rates, now: datetime) -> Refusal | None:
    """Return the limit that a question exceeds, or None."""
    windows = (
        ("limit-user-minute", load.by_user, rates.user_per_minute, MINUTE),
        ("limit-user-hour", load.by_user, rates.user_per_hour, HOUR),
        ("limit-chat-minute", load.in_chat, rates.chat_per_minute, MINUTE),
    )
    if found := _find_reached(windows, now):
        return found
    if load.waiting >= rates.queue_length:
        return Refusal("limit-queue", {"limit": rates.queue_length}, until=now + MINUTE)
    return None


def command_refusal(load: Load, rates: Rates, now: datetime) -> Refusal | None:
    """Return the limit that a command exceeds, or None; the arguments are those of `refusal`."""
    windows = (
        ("limit-user-commands", load.by_user, rates.user_commands_per_minute, MINUTE),
        ("limit-chat-commands", load.in_chat, rates.chat_commands_per_minute, MINUTE),
    )
    return _find_reached(windows, now)


def find_spent_budget(today: Today, rates: Rates) -> str | None:
    """Return the message id of the first daily budget that is used up, or None; a budget of 0 is no limit."""
    for name, tokens, limit in (
        ("limit-bot-budget", today.bot, rates.bot_tokens_per_day),
        ("limit-chat-budget", today.chat, rates.chat_tokens_per_day),
        ("limit-user-budget", today.user, rates.user_tokens_per_day),
    ):
        if limit and tokens >= limit:
            return name
    return None


def free_at(times: Sequence[datetime], now: datetime, limit: int, window: timedelta) -> datetime | None:
    """Return when a sliding window has room for one more arrival, or None when it has room now."""
    recent = sorted(moment for moment in times if now - window < moment <= now)
    return None if len(recent) < limit else recent[-limit] + window


class Limits:
    """Counts questions and commands, and refuses those beyond the limits.

    The asynchronous methods raise `OperatorError` when the store cannot be used.
    """

    def __init__(
        self, arrivals: Arrivals, spent: Spent, notices: Notices, rates: Rates, tell: Tell = tell_nobody
    ) -> None:
        self._arrivals = arrivals
        self._spent = spent
        self._notices = notices
        self._rates = rates
        self._tell = tell
        self._refused: dict[tuple[PeerId, PeerId, bool], datetime] = {}

    def refuses(self, place: Place, sender: Sender, now: datetime, is_command: bool) -> bool:
        """Return whether the next question or command of a person is known to be refused without a word."""
        key = place.chat_id, sender.id, is_command
        if now < self._refused.get(key, now):
            return True
        self._refused.pop(key, None)
        return False

    async def check(self, place: Place, sender: Sender, by: str, waiting: int = 0) -> Refusal | None:
        """Count a question, and return the limit that it exceeds, or None.

        Call this as soon as a question arrives, before it waits for others: its time of arrival counts. A
        repeated call for the same job (`by`), after a kill, counts nothing and returns the same decision.
        """

        def decide(now: datetime, load: Load) -> Refusal | None:
            return refusal(replace(load, waiting=waiting), self._rates, now)

        found = await self._arrivals.settle(by, place.chat_id, sender.id, decide)
        if found is None and not self._rates.quotes_when_spent:
            found = await self._refuse_over_budget(place, sender, by)
        return None if found is None else await self._show_once(found, place, sender, by)

    async def is_quoted(self, place: Place, sender: Sender, by: str) -> bool:
        """Return whether a question gets passages of the documents instead of an answer.

        Call this in the question's turn: the questions before it may have used up the daily budget.
        """
        is_wanted = self._rates.quotes_when_spent
        return is_wanted and await self._refuse_over_budget(place, sender, by) is not None

    async def check_command(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Count a command, and return the limit that it exceeds, or None; see `check`."""

        def decide(now: datetime, load: Load) -> Refusal | None:
            return command_refusal(load, self._rates, now)

        found = await self._arrivals.settle(by, place.chat_id, sender.id, decide, is_command=True)
        return None if found is None else await self._show_once(found, place, sender, by)

    async def _refuse_over_budget(self, place: Place, sender: Sender, by: str) -> Refusal | None:
        """Return the refusal for a budget that is used up today, or None; warn the admins once a day."""
        rates = self._rates
        budgets = (rates.bot_tokens_per_day, rates.chat_tokens_per_day, rates.user_tokens_per_day)
        if not any(budgets):
            return None
        today = await self._spent.today(place.chat_id, sender.id)
        await self._warn(today, place, sender, by)
        found = find_spent_budget(today, rates)
        if found is None:
            return None
        return Refusal(found, {"until": time_of_day(today.until)}, until=today.until)

    async def _warn(self, today: Today, place: Place, sender: Sender, by: str) -> None:
        rates, told = self._rates, {"until": time_of_day(today.until)}
        of_bot, of_chat = rates.bot_tokens_per_day, rates.chat_tokens_per_day
        if of_bot and today.bot >= of_bot * NEARLY:
            text = "admin-spent-bot" if today.bot >= of_bot else "admin-nearly-spent-bot"
            await self._warn_once(text, {**told, "tokens": today.bot, "limit": of_bot}, today, by)
        if of_chat and today.chat >= of_chat:
            chat = f"{place.title or sender.name} ({keys.name_in_channel(place.chat_id)})"
            await self._warn_once(
                "admin-spent", {**told, "chat": chat, "tokens": today.chat}, today, by, place.chat_id
            )

    async def _warn_once(
        self, text: str, told: Mapping[str, str | float], today: Today, by: str, chat_id: PeerId = NOBODY
    ) -> None:
        if await self._notices.is_due(text, until=today.until, by=by, chat_id=chat_id):
            name = {"admin-spent": "spent", "admin-spent-bot": "spent-bot"}.get(text, "nearly-spent-bot")
            await self._tell(text, told, f"{name}:{chat_id}:{today.until:%Y%m%d}")

    async def _show_once(self, found: Refusal, place: Place, sender: Sender, by: str) -> Refusal:
        assert found.until is not None  # every limit of this module ends at a known time
        user_id = sender.id if found.message_id.startswith("limit-user") else NOBODY
        is_due = await self._notices.is_due(
            found.message_id, until=found.until, by=by, chat_id=place.chat_id, user_id=user_id
        )
        # A queue may be shorter long before its notice may be repeated.
        if not is_due and found.message_id != "limit-queue":
            is_command = found.message_id.endswith("-commands")
            self._refused[place.chat_id, sender.id, is_command] = found.until
        return replace(found, is_notice_due=is_due)


def _find_reached(
    windows: Iterable[tuple[str, Sequence[datetime], int, timedelta]], now: datetime
) -> Refusal | None:
    """Return the refusal of the first reached window: message id, times of arrival, limit and length."""
    for name, times, limit, window in windows:
        if until := free_at(times, now, limit, window):
            seconds = max(1, math.ceil((until - now).total_seconds()))
            told: dict[str, str | int] = {
                "limit": limit,
                "seconds": seconds,
                "minutes": -(-seconds // 60),
                "until": time_of_day(until),
            }
            return Refusal(name, told, until=until)
    return None
