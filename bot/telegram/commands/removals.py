"""`/remove`: removes documents that people added, never the operator's own files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.commands.documents import find_similar
from bot.telegram.commands.progress import sync
from bot.telegram.rendering import code
from rag.errors import ThinkTwiceError


@dataclass(frozen=True, slots=True)
class _Found:
    """The document that a name stands for, or why it cannot be removed.

    Args:
        file: The file's name in the folder of added documents; with its folder, if it is an answer by admins.
        name: The document's name in `/documents`; differs from `file` where the operator has a file of that
            name.
        objection: Why the document cannot be removed; empty when it can be.
    """

    file: str = ""
    name: str = ""
    objection: str = ""


async def remove(context: Context) -> None:
    """Carry out `/remove`: ask whether to remove the named document."""
    if not context.argument:
        await context.say("remove-how")
        return
    found: _Found = await context.do("look", partial(_look, context))
    if found.objection:
        await context.show(Reply.of(found.objection))
        return
    question = context.text("remove-confirm", name=code(found.name))
    await confirm(context, question, {"name": "remove", "file": found.file, "shown": found.name})


async def remove_confirmed(context: Context, command: Mapping[str, Json]) -> None:
    """Remove a document and its passages; runs after the confirmation."""
    file, name = str(command["file"]), code(str(command["shown"]))
    context = await context.open("remove-began", name=name)
    library = context.parts.library
    delete = library.corrections.remove if "/" in file else library.uploads.delete
    await context.do("carry out", partial(asyncio.to_thread, delete, file))
    await context.show(await context.do("index", partial(_index, context, name)))


async def _look(context: Context) -> _Found:
    library, wanted = context.parts.library, context.argument.strip()
    entries = await library.entries()
    files = (*library.uploads.names(), *await asyncio.to_thread(library.corrections.all))
    listed = {entry.path: entry.name for entry in entries if entry.is_added}
    # A file that could not be read is not in the list of documents, but can be removed.
    names = {file: listed.get(str(library.uploads.folder / file), file) for file in files}
    added = library.uploads.find(wanted)
    for entry in entries:
        if entry.name.casefold() == wanted.casefold() and not entry.is_added:
            # A group must not see the operator's folders.
            path = entry.path if context.is_private else entry.name
            told = [context.text("remove-corpus", name=code(entry.name), path=code(path))]
            if added is not None:
                told.append(context.text("remove-namesake", name=code(names[added])))
            return _Found(objection=lines(told))
    if added is None:
        added = next((file for file in files if names[file].casefold() == wanted.casefold()), None)
    if added is not None:
        return _Found(added, names[added])
    if meant := find_similar(wanted, [*names.values()]):
        named = ", ".join(map(code, meant))
        return _Found(objection=context.text("remove-similar", name=code(wanted), names=named))
    return _Found(objection=context.text("remove-unknown", name=code(wanted)))


async def _index(context: Context, name: str) -> Reply:
    try:
        await sync(context, waits=True)
    except ThinkTwiceError as exc:
        return Reply.of(context.text("remove-not-indexed", name=name, reason=context.reason(exc.reason)))
    return Reply.of(context.text("remove-done", name=name))
