"""Repeats a call to Telegram until it succeeds or cannot; `telegram_errors` classifies its errors."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NoReturn, Protocol, TypeAlias, TypeVar

import structlog
from telegram import Bot, InlineKeyboardMarkup, MessageEntity, ReplyParameters
from telegram.error import ChatMigrated, TelegramError

from bot.service.errors import ChatGoneError as ChatGoneError
from bot.service.errors import DeliveryError as DeliveryError
from bot.service.fence import Fence
from bot.service.incoming import Place
from bot.service.keys import PeerId
from bot.storage.sent_messages import SentMessages
from bot.telegram.ids import to_number, to_peer
from bot.telegram.outbound.rate_limits import Effect, Rates, Urgency
from bot.telegram.outbound.send_queue import SendQueue, Ticket
from bot.telegram.outbound.telegram_errors import Refused, may_have_arrived, pause, reason
from bot.telegram.rendering.parts import Part

_log = structlog.get_logger(__name__)

_NOTHING = Part("")

T = TypeVar("T")

Find: TypeAlias = Callable[["Outgoing", Ticket], Awaitable[T | None]]
"""Looks in the chat for the result of an earlier try, while it holds the place of the call in the queue."""


class Chats(Protocol):
    """Stores what delivery learns about chats."""

    async def deactivate(self, chat_id: PeerId) -> None:
        """Note that the chat cannot be written to, until an update comes from there again."""
        ...

    async def migrate(self, old_id: PeerId, new_id: PeerId) -> object:
        """Move the data of a migrated group to its new id."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call is repeated.

    Args:
        attempts: Largest number of calls, enough for about a day; a pause that Telegram asks for is one.
        first_seconds: Pause after the first network failure; the pause doubles with each further failure.
        most_seconds: The longest of these pauses.
        flood_seconds: Pause after a 429 that does not say how long.
    """

    attempts: int = 1_500
    first_seconds: float = 1.0
    most_seconds: float = 60.0
    flood_seconds: float = 5.0

    def after(self, failures: int) -> float:
        """Return the pause after so many failures in seconds, up to a quarter longer to spread the calls."""
        doubled = self.first_seconds * 2 ** min(failures - 1, 16)
        return float(min(doubled, self.most_seconds) * random.uniform(1.0, 1.25))  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Outgoing:
    """The content of a call, as it is tried next.

    Args:
        part: The text, or the caption of a file.
        since: The earliest time at which the message can have been sent, or None.
        file: What the message carries, as `lost_messages.name_file` returns it; empty for a text.
    """

    chat_id: int
    thread_id: int | None
    part: Part = _NOTHING
    reply_to: int | None = None
    buttons: InlineKeyboardMarkup | None = None
    since: datetime | None = None
    file: str = ""

    @classmethod
    def to(
        cls,
        place: Place,
        part: Part = _NOTHING,
        reply_to: int | None = None,
        buttons: InlineKeyboardMarkup | None = None,
    ) -> Outgoing:
        """Build the content of a call to a place."""
        return cls(to_number(place.chat_id), place.thread_id, part, reply_to, buttons)

    @property
    def entities(self) -> Sequence[MessageEntity]:
        """Return the formats as entities of python-telegram-bot."""
        return [MessageEntity(**entity.fields()) for entity in self.part.entities]  # type: ignore[arg-type]  # the fields are the arguments, by name

    @property
    def reply(self) -> ReplyParameters | None:
        """Return the message to reply to as a parameter of python-telegram-bot, or None."""
        # The answer is sent even if the question was deleted meanwhile.
        return ReplyParameters(self.reply_to, allow_sending_without_reply=True) if self.reply_to else None

    def simplify(self, refused: Refused) -> Outgoing | None:
        """Return this content without the part that Telegram refused; None when it has no such part."""
        match refused:
            case Refused.MARKUP if self.part.entities:
                return replace(self, part=Part(self.part.text))
            case Refused.REPLY_GONE if self.reply_to:
                return replace(self, reply_to=None)
            case Refused.THREAD_GONE if self.thread_id:
                return replace(self, thread_id=None)
            case _:
                return None


class Calls:
    """Calls the Bot API, one call at a time in each chat.

    Args:
        bot: The client, without a rate limiter of its own.
        fence: Closed while other machines may declare this one dead: it makes no call then.

    Attributes:
        token_lost: Set when Telegram no longer accepts the token; all calls then wait for the process to end.
    """

    def __init__(
        self,
        bot: Bot,
        chats: Chats,
        records: SentMessages | None = None,
        *,
        rates: Rates | None = None,
        patience: Patience | None = None,
        fence: Fence | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._bot = bot
        self._chats = chats
        self._records = records
        self._fence = fence or Fence()
        self._queue = SendQueue(rates, now, sleep, self._fence)
        self._patience = patience or Patience()
        self._sleep = sleep
        self._moved: dict[int, int] = {}
        self.token_lost = asyncio.Event()

    def current(self, chat_id: PeerId) -> PeerId:
        """Return the present id of a chat, as far as this process has seen its migrations."""
        return to_peer(self._current(to_number(chat_id)))

    def _current(self, chat_id: int) -> int:
        while chat_id in self._moved:
            chat_id = self._moved[chat_id]
        return chat_id

    def is_busy(self, place: Place) -> bool:
        """Return whether a chat has no calls left in this minute for showing progress."""
        return self._queue.is_busy(self._current(to_number(place.chat_id)))

    async def stand_still(self) -> NoReturn:
        """Wait for the end of the process: without a token nothing can be sent, and no job is given up."""
        self.token_lost.set()
        while True:
            await asyncio.Event().wait()

    async def carry_out(
        self,
        out: Outgoing,
        urgency: Urgency,
        effect: Effect,
        call: Callable[[Outgoing], Awaitable[T]],
        *,
        passes_on: Sequence[Refused] = (),
        find: Find[T] | None = None,
        is_lost: bool = False,
    ) -> T:
        """Repeat a call until it succeeds; return its result.

        Args:
            call: Makes the call with `out`, or with a simpler form of it.
            passes_on: Refusals that the caller handles, raised unchanged.
            find: Looks for the result of an earlier try whose response was lost.
            is_lost: An earlier process may have made such a try.

        Raises:
            TelegramError: a refusal of `passes_on`.
        """
        # A repeated call keeps its ticket, so that later calls to the same chat do not overtake it.
        ticket = self._queue.ticket(urgency, effect)
        for tries in range(1, self._patience.attempts + 1):
            if (chat_id := self._current(out.chat_id)) != out.chat_id:
                # In the new chat, message ids name no message or another one.
                out = replace(out, chat_id=chat_id, reply_to=None)
            try:
                if is_lost and find is not None and (found := await find(out, ticket)) is not None:
                    return found
                is_lost = False
                async with self._queue.turn(out.chat_id, ticket):
                    await self._fence.wait_until_open()
                    return await call(out)
            except TelegramError as exc:
                if isinstance(exc, ChatMigrated):
                    await self._move(out.chat_id, exc.new_chat_id)
                refused = reason(exc)
                if refused is Refused.UNAUTHORIZED:
                    await self.stand_still()
                if refused in passes_on:
                    raise
                is_lost = is_lost or may_have_arrived(exc)
                out = await self._next(exc, refused, out, tries)
        raise DeliveryError("Telegram did not take a message: the group moves without end")

    async def try_at_once(
        self, place: Place, urgency: Urgency, effect: Effect, call: Callable[[int], Awaitable[object]]
    ) -> Refused | None:
        """Make a call that shows progress only if it may go at once, and never repeat it.

        Return None when the call succeeded, `FLOOD` when the rate limits did not allow it, else the refusal.
        """
        chat_id = self._current(to_number(place.chat_id))
        ticket = self._queue.ticket(urgency, effect)
        if not self._queue.is_free(chat_id, ticket):
            return Refused.FLOOD
        try:
            async with self._queue.turn(chat_id, ticket):
                if not self._fence.is_open():
                    return Refused.FLOOD
                await call(chat_id)
        except TelegramError as exc:
            refused = reason(exc)
            if refused is Refused.UNAUTHORIZED:
                self.token_lost.set()
            if refused is Refused.FLOOD:
                self._queue.pause(chat_id, pause(exc, self._patience.flood_seconds))
            return refused
        return None

    async def _next(self, exc: TelegramError, refused: Refused, out: Outgoing, tries: int) -> Outgoing:
        """Return the content to try next, after pausing the chat where that helps."""
        if refused is Refused.MIGRATED:
            return out
        if (simplify := out.simplify(refused)) is not None:
            _log.warning(
                "a message goes out in a simpler form", chat=to_peer(out.chat_id), reason=refused.name
            )
            return simplify
        if refused is Refused.CHAT_GONE:
            await self._chats.deactivate(to_peer(out.chat_id))
            raise ChatGoneError from exc
        if refused is Refused.NO_RIGHTS:
            raise ChatGoneError from exc
        if refused not in {Refused.FLOOD, Refused.NETWORK} or tries >= self._patience.attempts:
            raise DeliveryError(f"Telegram did not take a message: {exc}") from exc
        if refused is Refused.FLOOD:
            seconds = pause(exc, self._patience.flood_seconds)
        else:
            seconds = self._patience.after(tries)
        _log.warning(
            "a call is repeated", chat=to_peer(out.chat_id), reason=refused.name, seconds=round(seconds, 1)
        )
        self._queue.pause(out.chat_id, seconds)
        return out

    async def _move(self, old_id: int, new_id: int) -> None:
        await self._chats.migrate(to_peer(old_id), to_peer(new_id))
        if self._current(new_id) != old_id:
            self._moved[old_id] = new_id
