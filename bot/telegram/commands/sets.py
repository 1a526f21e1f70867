"""`/sets`: document sets, and the chats that are answered from them."""

from __future__ import annotations

import shlex
from collections.abc import Sequence
from functools import partial
from typing import Final

import regex

from bot.service.keys import PeerId, name_in_channel, parse_peer
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.rendering import code
from bot.telegram.rendering.characters import shorten
from rag.values import DocumentSet

_NAME: Final = regex.compile(r"[\w-]{1,40}")
_MOST_SETS: Final = 50
_MOST_PATTERNS: Final = 30
_LONGEST_PATTERN: Final = 200
_SHOWN: Final = 25
_PATTERN_CHARACTERS: Final = 60


async def sets(context: Context) -> None:
    """Carry out `/sets`: list the sets, or make, drop or assign one."""
    await context.show(await context.do("carry out", partial(_carry_out, context)))


async def _carry_out(context: Context) -> Reply:
    match _split(context.argument):
        case []:
            return Reply.of(await _list_sets(context))
        case ["make", name, *patterns] if _NAME.fullmatch(name) and _are_usable(patterns):
            return Reply.of(await _make(context, name.casefold(), patterns))
        case ["drop", name]:
            return Reply.of(await _drop(context, name.casefold()))
        case ["use", name]:
            return Reply.of(await _assign(context, name.casefold(), context.place.chat_id))
        case ["use", name, chat] if (chat_id := parse_peer(chat)) is not None:
            return Reply.of(await _assign(context, name.casefold(), chat_id))
        case ["reset"]:
            return Reply.of(await _assign(context, None, context.place.chat_id))
        case ["reset", chat] if (chat_id := parse_peer(chat)) is not None:
            return Reply.of(await _assign(context, None, chat_id))
        case _:
            return Reply.of(context.text("sets-how"))


def _split(argument: str) -> list[str]:
    """Split the argument of the command into words; quotes keep a name with spaces together."""
    try:
        words = shlex.split(argument)
    except ValueError:  # an unclosed quote
        words = argument.split()
    return [words[0].casefold(), *words[1:]] if words else []


def _are_usable(patterns: Sequence[str]) -> bool:
    return 0 < len(patterns) <= _MOST_PATTERNS and all(
        pattern.strip(" /.") and len(pattern) <= _LONGEST_PATTERN for pattern in patterns
    )


async def _list_sets(context: Context) -> str:
    stored = context.parts.document_sets
    known, uses = await stored.all(), await stored.uses()
    if not known:
        return lines([context.text("sets-none"), context.text("sets-how")])
    names = [entry.name for entry in await context.parts.library.entries()]
    shown = [_describe(context, name, known[name], names) for name in list(known)[:_SHOWN]]
    chat_id = await context.parts.chats.current_id(context.place.chat_id)
    own = uses.get(chat_id)
    here = context.text("sets-here", name=code(own[0])) if own else context.text("sets-here-all")
    # A group must not see which other chats exist.
    others = [
        context.text(
            "sets-used", name=code(name), chat=f"{code(name_in_channel(chat))} {shorten(title, 40)}".strip()
        )
        for chat, (name, title) in list(uses.items())[:_SHOWN]
        if context.is_private and chat != chat_id
    ]
    return lines([context.text("sets-title", sets=len(known)), *shown, here, *others])


def _describe(context: Context, name: str, documents: DocumentSet, names: Sequence[str]) -> str:
    patterns = ", ".join(code(shorten(pattern, _PATTERN_CHARACTERS)) for pattern in documents.patterns)
    files = sum(documents.holds(file) for file in names)
    return context.text("sets-entry", name=code(name), patterns=patterns, files=files)


async def _make(context: Context, name: str, patterns: Sequence[str]) -> str:
    stored = context.parts.document_sets
    known = await stored.all()
    if name not in known and len(known) >= _MOST_SETS:
        return context.text("sets-too-many", most=_MOST_SETS)
    await stored.make(name, patterns)
    names = [entry.name for entry in await context.parts.library.entries()]
    made = _describe(context, name, DocumentSet(tuple(patterns)), names)
    return lines([context.text("sets-made"), made])


async def _drop(context: Context, name: str) -> str:
    stored = context.parts.document_sets
    if name not in await stored.all():
        return context.text("sets-unknown", name=code(name))
    is_dropped = await stored.drop(name)
    return context.text("sets-dropped" if is_dropped else "sets-in-use", name=code(name))


async def _assign(context: Context, name: str | None, chat_id: PeerId) -> str:
    if not await context.parts.document_sets.assign(chat_id, name):
        return context.text("sets-unknown", name=code(str(name)))
    is_here = chat_id == context.place.chat_id
    if name is None:
        return (
            context.text("sets-here-all")
            if is_here
            else context.text("sets-reset", chat=code(name_in_channel(chat_id)))
        )
    if is_here:
        return context.text("sets-here", name=code(name))
    return context.text("sets-used", name=code(name), chat=code(name_in_channel(chat_id)))
