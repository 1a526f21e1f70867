"""One call to Telegram, made until it is done: `telegram_errors` says what each refusal means."""

from __future__ import annotations

import asyncio
import random
import time
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NoReturn, Protocol, TypeAlias, TypeVar

import structlog
from telegram import InlineKeyboardMarkup, MessageEntity, ReplyParameters
from telegram.error import ChatMigrated, TelegramError

from bot.service.errors import ChatGoneError as ChatGoneError
from bot.service.errors import DeliveryError as DeliveryError
from bot.service.fence import Fence
from bot.service.incoming import Place
from bot.telegram.outbound.rate_limits import Effect, Rates, Urgency
from bot.telegram.outbound.send_queue import SendQueue, Ticket
from bot.telegram.outbound.telegram_errors import Refused, may_have_arrived, pause, reason
from bot.telegram.rendering.parts import Part

_log = structlog.get_logger(__name__)

_NOTHING = Part("")

T = TypeVar("T")

Find: TypeAlias = Callable[["Outgoing", Ticket], Awaitable[T | None]]
"""Looks for what an earlier try has left in the chat, in the place of the call in the order."""


class Chats(Protocol):
    """What delivery tells of chats."""

    async def deactivate(self, chat_id: int) -> None:
        """The chat cannot be written to until somebody writes from there again."""
        ...

    async def migrate(self, old_id: int, new_id: int) -> object:
        """The group has another id now; everything that belongs to it moves along."""
        ...


@dataclass(frozen=True, slots=True)
class Patience:
    """How long a call is repeated.

    Args:
        attempts: Calls at the most, about a day of them; a pause that Telegram asks for counts as one.
        first_seconds: Pause after the first failure of the network; it doubles from call to call.
        most_seconds: The longest of these pauses.
        flood_seconds: Pause after a 429 that does not say how long.
    """

    attempts: int = 1_500
    first_seconds: float = 1.0
    most_seconds: float = 60.0
    flood_seconds: float = 5.0

    def after(self, failures: int) -> float:
        """Seconds to wait after so many failures, and up to a quarter more: chats need not march in step."""
        doubled = self.first_seconds * 2 ** min(failures - 1, 16)
        return float(min(doubled, self.most_seconds) * random.uniform(1.0, 1.25))  # noqa: S311 - no secret


@dataclass(frozen=True, slots=True)
class Outgoing:
    """A call, in the form in which it is tried next."""

    chat_id: int
    thread_id: int | None
    part: Part = _NOTHING
    reply_to: int | None = None
    buttons: InlineKeyboardMarkup | None = None
    since: datetime | None = None

    @classmethod
    def to(
        cls,
        place: Place,
        part: Part = _NOTHING,
        reply_to: int | None = None,
        buttons: InlineKeyboardMarkup | None = None,
    ) -> Outgoing:
        """What goes to a place."""
        return cls(place.chat_id, place.thread_id, part, reply_to, buttons)

    @property
    def entities(self) -> Sequence[MessageEntity]:
        """The formats, as the client wants them."""
        return [MessageEntity(**entity.fields()) for entity in self.part.entities]  # type: ignore[arg-type]  # the fields are the arguments, by name

    @property
    def reply(self) -> ReplyParameters | None:
        """The message to reply to, as the client wants it."""
        # A question that was deleted meanwhile still gets its answer.
        return ReplyParameters(self.reply_to, allow_sending_without_reply=True) if self.reply_to else None

    def simpler(self, refused: Refused) -> Outgoing | None:
        """The same without what Telegram did not like; None when that is not in it."""
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
    """Makes calls, chat by chat; `bot.telegram.outbound.sender.Delivery` says which.

    Args:
        chats: Told when a chat is gone or has moved.
        rates: Telegram's limits.
        patience: How long a call is repeated.
        fence: Closed while other machines may take this one for dead: it makes no call then.
        now: A clock that never jumps, in seconds.
        sleep: Waits for seconds of that clock.

    Attributes:
        token_lost: Set once Telegram knows the token no more; from then on every call waits for the end.
    """

    def __init__(
        self,
        chats: Chats,
        *,
        rates: Rates | None = None,
        patience: Patience | None = None,
        fence: Fence | None = None,
        now: Callable[[], float] = time.monotonic,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        self._chats = chats
        self._fence = fence or Fence()
        self._queue = SendQueue(rates, now, sleep)
        self._patience = patience or Patience()
        self._sleep = sleep
        self._moved: dict[int, int] = {}
        self.token_lost = asyncio.Event()

    def current(self, chat_id: int) -> int:
        """Return the id that a chat has now, as far as this process was told."""
        while chat_id in self._moved:
            chat_id = self._moved[chat_id]
        return chat_id

    @property
    def is_tight(self) -> bool:
        """Whether all chats together use up what Telegram allows: what can be left out is better left out."""
        return self._queue.is_tight

    async def stand_still(self) -> NoReturn:
        """Wait for the end of the process: without a token nothing goes out, and nothing is given up."""
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
        """Make a call until it is done.

        Args:
            out: What is sent.
            urgency: What it goes before.
            effect: What it does to the chat.
            call: Makes the call; it is given `out`, or a simpler form of it.
            passes_on: Refusals that are the caller's matter and raised as they came.
            find: Looks for what an earlier try has done, where its answer got lost.
            is_lost: There may have been such a try before.

        Raises:
            ChatGoneError: the chat cannot be written to.
            DeliveryError: Telegram does not take it.
            TelegramError: a refusal of `passes_on`.
        """
        # A call that is repeated keeps its place: the next one to the same chat does not overtake it.
        ticket = self._queue.ticket(urgency, effect)
        for tries in range(1, self._patience.attempts + 1):
            if (chat_id := self.current(out.chat_id)) != out.chat_id:
                # The ids of messages mean nothing, or another message, in the new chat.
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

    async def at_best(
        self, place: Place, urgency: Urgency, effect: Effect, call: Callable[[int], Awaitable[object]]
    ) -> Refused | None:
        """Make a call if it may go at once; what Telegram says to it matters to nobody but the schedule.

        Args:
            place: Where it goes.
            urgency: `PROGRESS` or `TYPING`.
            effect: What it does to the chat.
            call: Makes the call; it is given the id of the chat.

        Returns:
            None when it was done, `FLOOD` when there was no room, or what Telegram said.
        """
        chat_id = self.current(place.chat_id)
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
        """What is tried next; the chat pauses before it where that helps."""
        if refused is Refused.MIGRATED:
            return out
        if (simpler := out.simpler(refused)) is not None:
            _log.warning("a message goes out in a simpler form", chat=out.chat_id, reason=refused.name)
            return simpler
        if refused is Refused.CHAT_GONE:
            await self._chats.deactivate(out.chat_id)
            raise ChatGoneError from exc
        if refused is Refused.NO_RIGHTS:
            raise ChatGoneError from exc
        if refused not in {Refused.FLOOD, Refused.NETWORK} or tries >= self._patience.attempts:
            raise DeliveryError(f"Telegram did not take a message: {exc}") from exc
        if refused is Refused.FLOOD:
            seconds = pause(exc, self._patience.flood_seconds)
        else:
            seconds = self._patience.after(tries)
        _log.warning("a call is repeated", chat=out.chat_id, reason=refused.name, seconds=round(seconds, 1))
        self._queue.pause(out.chat_id, seconds)
        return out

    async def _move(self, old_id: int, new_id: int) -> None:
        await self._chats.migrate(old_id, new_id)
        if self.current(new_id) != old_id:
            self._moved[old_id] = new_id
