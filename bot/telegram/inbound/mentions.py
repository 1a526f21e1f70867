"""Finds commands and mentions of the bot by a message's entities, never by substrings. Pure.

Telegram counts offsets in UTF-16 units, and only its entities distinguish a mention or a command from text
that looks like one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from telegram import MessageEntity

from bot.service.incoming import Me

_COMMAND = re.compile(r"/([a-z0-9_]{1,32})(?:@([a-z0-9_]{1,64}))?", re.ASCII | re.IGNORECASE)
_PAUSES = " \t\r\n,:;–—،、，：；"
_SIGNS = _PAUSES + ".!?…-。！？؟"


@dataclass(frozen=True, slots=True)
class Command:
    """A command at the start of a text."""

    name: str
    argument: str
    is_mine: bool


@dataclass(frozen=True, slots=True)
class Mention:
    """A mention of the bot; `rest` is the text without those at its ends, empty for mere punctuation."""

    rest: str


def command(text: str, entities: Sequence[MessageEntity], me: Me) -> Command | None:
    """Return the command that a text begins with, or None."""
    for entity in entities:
        if entity.type != MessageEntity.BOT_COMMAND or entity.offset != 0:
            continue
        if found := _COMMAND.fullmatch(slice_units(text, 0, entity.length)):
            target = found[2]
            is_mine = target is None or target.casefold() == me.username.casefold()
            return Command(found[1].lower(), slice_units(text, entity.length).strip(), is_mine)
    return None


def mention(text: str, entities: Sequence[MessageEntity], me: Me) -> Mention | None:
    """Return the mention of the bot among the entities of a text, or None."""
    spans = sorted(
        (_index(text, entity.offset), _index(text, entity.offset + entity.length))
        for entity in entities
        if _is_me(entity, text, me)
    )
    if not spans:
        return None
    start, end, tail = 0, len(text), ""
    for first, behind in spans:
        if not text[start:first].strip(_SIGNS):
            start = behind
    for first, behind in reversed(spans):
        if first >= start and not text[behind:end].strip(_SIGNS):
            # The punctuation behind the mention stays: "is it free, @bot?" is a question.
            tail = text[behind:end].strip() + tail
            end = first
    rest = text[start:end].lstrip(_PAUSES)
    rest = rest.rstrip(_PAUSES) + tail if end < len(text) else rest
    return Mention(rest if rest.strip(_SIGNS) else "")


def slice_units(text: str, offset: int, length: int | None = None) -> str:
    """Return the part of a text without lone surrogates that an entity covers, counted in UTF-16 units.

    A `length` of None goes to the end.
    """
    return text[_index(text, offset) : None if length is None else _index(text, offset + length)]


def _index(text: str, unit: int) -> int:
    """Return the index of the character that contains the UTF-16 unit number `unit`."""
    return len(text.encode("utf-16-le")[: 2 * max(unit, 0)].decode("utf-16-le", "ignore"))


def _is_me(entity: MessageEntity, text: str, me: Me) -> bool:
    if entity.type == MessageEntity.TEXT_MENTION:
        return entity.user is not None and entity.user.id == me.id
    if entity.type != MessageEntity.MENTION:
        return False
    return slice_units(text, entity.offset, entity.length).casefold() == f"@{me.username}".casefold()
