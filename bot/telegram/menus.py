"""The menus: which commands Telegram offers, to whom and in which language."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass, replace

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
    """What is offered to some people in a language; an empty language is for all that have no menu."""

    scope: BotCommandScope
    language: str
    commands: tuple[BotCommand, ...]


def menus(admins: Collection[int]) -> Iterator[Menu]:
    """Yield every menu: private chats, groups, and the private chat of each admin.

    Args:
        admins: Telegram ids.
    """
    yield from _in_every_language(BotCommandScopeAllPrivateChats(), "private")
    yield from _in_every_language(BotCommandScopeAllGroupChats(), "group")
    for admin in admins:
        yield from _of_admin(admin)


async def register(bot: Bot, admins: Collection[int]) -> None:
    """Tell Telegram the menus; without them the commands work all the same, so a failure is only logged."""
    for menu in menus(admins):
        await _registered(bot, menu)


async def follow_role(bot: Bot, user_id: int, *, is_admin: bool) -> None:
    """Give somebody the menu of admins, or take it away: they then see what everybody sees.

    Args:
        bot: The client.
        user_id: Whose role has changed.
        is_admin: Whether they are an admin now.
    """
    for menu in _of_admin(user_id):
        await _registered(bot, menu if is_admin else replace(menu, commands=()))


async def _registered(bot: Bot, menu: Menu) -> None:
    language = menu.language or None
    try:
        if menu.commands:
            await bot.set_my_commands(menu.commands, menu.scope, language)
        else:
            await bot.delete_my_commands(menu.scope, language)
    except TelegramError as exc:
        # An admin who has never written to the bot has no chat with it.
        _log.warning("a menu was not registered", scope=menu.scope.type, reason=exc.message)


def _of_admin(user_id: int) -> Iterator[Menu]:
    return _in_every_language(BotCommandScopeChat(user_id), "private", is_admin=True)


def _in_every_language(
    scope: BotCommandScope, place: CommandPlace, *, is_admin: bool = False
) -> Iterator[Menu]:
    for language in TEXTS.languages:
        shown = tuple(
            BotCommand(command.name, description(command, language))
            for command in listed(place, is_admin=is_admin)
        )
        yield Menu(scope, "" if language == FALLBACK else language, shown)
