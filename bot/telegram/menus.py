"""What Telegram shows of the bot in each language: menus of commands, by chat and role, and a profile."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from types import TracebackType
from typing import Final, Self

import structlog
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
    MenuButtonCommands,
)
from telegram.error import TelegramError

from bot.service.keys import PeerId
from bot.service.people import Person
from bot.telegram.commands import CommandPlace, description, list_commands
from bot.telegram.ids import keep_those_of_telegram, to_number, to_peer
from bot.telegram.outbound.telegram_errors import Refused, pause, reason
from bot.texts import TEXTS
from rag.texts import FALLBACK

_log = structlog.get_logger(__name__)

_LONGEST_PAUSE_SECONDS: Final = 300.0


@dataclass(frozen=True, slots=True)
class Menu:
    """The commands shown to some people in one language; an empty language is the default menu."""

    scope: BotCommandScope
    language: str
    commands: tuple[BotCommand, ...]

    @property
    def key(self) -> tuple[str, int, str]:
        """Return the audience: type of the scope, chat id (0: none) and language."""
        chat_id = self.scope.chat_id if isinstance(self.scope, BotCommandScopeChat) else 0
        return self.scope.type, int(chat_id), self.language

    async def tell(self, bot: Bot) -> None:
        """Send the menu to Telegram."""
        if self.commands:
            await bot.set_my_commands(self.commands, self.scope, self.language or None)
        else:
            await bot.delete_my_commands(self.scope, self.language or None)


@dataclass(frozen=True, slots=True)
class Profile:
    """The texts of the empty chat and of the profile in one language; an empty language is the default."""

    language: str

    @property
    def key(self) -> tuple[str, int, str]:
        """Return the audience, as a menu does."""
        return "profile", 0, self.language

    async def tell(self, bot: Bot) -> None:
        """Send to Telegram what it does not have yet: it takes few changes a day."""
        code = self.language or None
        long, short = (TEXTS.text(f"profile-{one}", self.language or FALLBACK) for one in ("long", "short"))
        if (await bot.get_my_description(code)).description != long:
            await bot.set_my_description(long, code)
        if (await bot.get_my_short_description(code)).short_description != short:
            await bot.set_my_short_description(short, code)
        if code is None and (await bot.get_chat_menu_button()).type != MenuButtonCommands().type:
            await bot.set_chat_menu_button(menu_button=MenuButtonCommands())


def menus(admins: Collection[int]) -> Iterator[Menu]:
    """Yield every menu: private chats, groups, and the private chat of each admin."""
    yield from _in_every_language(BotCommandScopeAllPrivateChats(), "private")
    yield from _in_every_language(BotCommandScopeAllGroupChats(), "group")
    for admin in admins:
        yield from _of_admin(admin)


class Menus:
    """Sends menus and profile to Telegram, in the background, until it takes them; use it as a context.

    Commands work without menus, so nothing waits for them.
    """

    def __init__(self, bot: Bot, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        self._bot = bot
        self._sleep = sleep
        # Menus to send, by audience; a newer menu replaces an older one.
        self._wanted: dict[tuple[str, int, str], Menu | Profile] = {}
        self._has_some = asyncio.Event()
        self._task: asyncio.Task[None] | None = None

    async def __aenter__(self) -> Self:
        self._task = asyncio.create_task(self._run())
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        assert self._task is not None  # entered
        self._task.cancel()
        await asyncio.wait({self._task})

    def register(self, admins: Iterable[Person], *, has_profile: bool = True) -> None:
        """Schedule sending every menu."""
        for menu in menus([to_number(admin.id) for admin in keep_those_of_telegram(admins)]):
            self._want(menu)
        for language in TEXTS.languages if has_profile else ():
            self._want(Profile("" if language == FALLBACK else language))

    def follow_role(self, user_id: PeerId, *, is_admin: bool) -> None:
        """Give a person the menu of admins, or take it away, which leaves the menu of everybody."""
        for menu in _of_admin(to_number(user_id)):
            self._want(menu if is_admin else replace(menu, commands=()))

    def _want(self, menu: Menu | Profile) -> None:
        self._wanted[menu.key] = menu
        self._has_some.set()

    async def _run(self) -> None:
        failures = 0
        while True:
            await self._has_some.wait()
            key = next(iter(self._wanted))
            menu = self._wanted.pop(key)
            try:
                await menu.tell(self._bot)
                failures = 0
            except TelegramError as exc:
                refused = reason(exc)
                # Telegram may ask for a pause of hours for a profile; the next start tries again.
                if refused is Refused.NETWORK or (refused is Refused.FLOOD and isinstance(menu, Menu)):
                    # Back to the end of the queue, unless a newer menu for the same audience is queued.
                    self._wanted.setdefault(key, menu)
                    failures += 1
                    seconds = min(2.0 ** min(failures, 10), _LONGEST_PAUSE_SECONDS)
                    await self._sleep(pause(exc, seconds) if refused is Refused.FLOOD else seconds)
                elif refused is Refused.CHAT_GONE and (chat_id := key[1]):
                    # An admin who has never written to the bot has no chat: drop the menus of all languages.
                    self._wanted = {one: other for one, other in self._wanted.items() if one[1] != chat_id}
                    _log.info("an admin without a chat gets no menu", user=to_peer(chat_id))
                else:
                    _log.warning("a menu was not registered", scope=key[0], reason=exc.message)
            if not self._wanted:
                self._has_some.clear()


def _of_admin(user_id: int) -> Iterator[Menu]:
    return _in_every_language(BotCommandScopeChat(user_id), "private", is_admin=True)


def _in_every_language(
    scope: BotCommandScope, place: CommandPlace, *, is_admin: bool = False
) -> Iterator[Menu]:
    for language in TEXTS.languages:
        shown = tuple(
            BotCommand(command.name, description(command, language))
            for command in list_commands(place, is_admin=is_admin)
        )
        yield Menu(scope, "" if language == FALLBACK else language, shown)
