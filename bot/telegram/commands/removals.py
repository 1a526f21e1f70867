"""`/remove`: documents that were added in Telegram; the operator's own files stay in the operator's hands."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bot.telegram.commands.confirming import confirm
from bot.telegram.commands.context import Context, Reply
from bot.telegram.commands.documents import similar
from bot.telegram.commands.progress import Watch
from bot.telegram.posting import Posted
from bot.telegram.records import Json
from rag.errors import ThinkTwiceError


@dataclass(frozen=True, slots=True)
class _Found:
    """What a name stands for: a file that can be removed, or what is said instead."""

    name: str = ""
    objection: str = ""


async def remove(context: Context) -> None:
    """Ask whether to remove the named document."""
    if not context.argument:
        await context.say("remove-how")
        return
    found: _Found = await context.do("look", partial(_look, context))
    if found.objection:
        await context.show(Reply.of(found.objection))
        return
    await confirm(
        context, context.text("remove-confirm", name=found.name), {"name": "remove", "file": found.name}
    )


async def remove_confirmed(context: Context, command: Mapping[str, Json]) -> None:
    """Remove a document and what was read of it."""
    name, uploads = str(command["file"]), context.services.library.uploads
    shown = await context.open("remove-began", name=name)
    await context.do("carry out", partial(asyncio.to_thread, uploads.delete, name))
    index = partial(_index, context, shown, name)
    await context.showing_in(shown).show(await context.do("index", index))


async def _look(context: Context) -> _Found:
    library, wanted = context.services.library, context.argument.strip()
    entries = await library.entries()
    for entry in entries:
        if entry.name.casefold() == wanted.casefold() and not entry.is_added:
            # Where the operator keeps files is no matter of a group's.
            path = entry.path if context.is_private else entry.name
            return _Found(objection=context.text("remove-corpus", name=entry.name, path=path))
    added = library.uploads.find(wanted)
    if added is None:
        # As the list names it where the operator has a file of the same name.
        keys = {entry.name.casefold(): entry.path for entry in entries if entry.is_added}
        added = library.uploads.find(keys.get(wanted.casefold(), "").rpartition("/")[2])
    if added is not None:
        return _Found(added)
    meant = similar(wanted, [*library.uploads.names()])
    if meant:
        return _Found(objection=context.text("remove-similar", name=wanted, names=", ".join(meant)))
    return _Found(objection=context.text("remove-unknown", name=wanted))


async def _index(context: Context, shown: Posted, name: str) -> Reply:
    try:
        async with Watch(context, shown, "reindex-began") as watch:
            await context.services.library.sync(context.sender.name, on_progress=watch, waits=True)
    except ThinkTwiceError as exc:
        return Reply.of(context.text("remove-not-indexed", name=name, reason=str(exc)))
    return Reply.of(context.text("remove-done", name=name))
