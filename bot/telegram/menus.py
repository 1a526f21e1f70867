"""The menus: which commands Telegram offers, to whom and in which language."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

import structlog
from telegram import (
    Bot,
    BotCommand,
    BotCommandScope,
    BotCommandScopeAllGroupChats,
    BotCommandScopeAllPrivateChats,
    BotCommandScopeChat,
)
from telegram.error import TelegramError

from bot.telegram.commands import CommandPlace, description, listed
from bot.terminal import TEXTS
from rag.texts import FALLBACK

_log = structlog.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Menu:
    """What is offered to some people in a language; an empty one is for all that have no menu."""

    scope: BotCommandScope
    language: str
    commands: tuple[BotCommand, ...]


def menus(admins: Collection[int]) -> Iterator[Menu]:
    """Yield every menu: private chats, groups, and the private chat of each admin.

    Args:
        admins: Telegram ids.
    """
    scopes: list[tuple[BotCommandScope, CommandPlace, bool]] = [
        (BotCommandScopeAllPrivateChats(), "private", False),
        (BotCommandScopeAllGroupChats(), "group", False),
        *((BotCommandScopeChat(admin), "private", True) for admin in admins),
    ]
    for scope, place, is_admin in scopes:
        for language in TEXTS.languages:
            shown = tuple(
                BotCommand(command.name, description(command, language))
                for command in listed(place, is_admin=is_admin)
            )
            yield Menu(scope, "" if language == FALLBACK else language, shown)


async def register(bot: Bot, admins: Collection[int]) -> None:
    """Tell Telegram the menus; without them the commands work all the same, so a failure is only logged."""
    for menu in menus(admins):
        try:
            await bot.set_my_commands(menu.commands, menu.scope, menu.language or None)
        except TelegramError as exc:
            # An admin who has never written to the bot has no chat with it.
            _log.warning("a menu was not registered", scope=menu.scope.type, reason=exc.message)
