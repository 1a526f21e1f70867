"""`/documents`, page by page, and `/remove`: for what people added, never the operator's own files."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from bot.clock import local
from bot.documents.library import Entry
from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Key, Keys, Reply, Told, lines
from bot.telegram.commands.reindexing import sync
from bot.telegram.ids import read_number
from bot.telegram.rendering import code, text_parts
from bot.telegram.rendering.characters import shorten
from bot.texts.figures import date_time, size
from rag.errors import ThinkTwiceError

PAGE: Final = "documents"

# A page must fit into one message, however long the names are.
_ON_A_PAGE: Final = 6
_MOST_DIGITS: Final = 6
_NAME_CHARACTERS: Final = 80
_NOTE_CHARACTERS: Final = 120


async def documents(context: Context) -> None:
    """Carry out `/documents`: show the first page, or the page that the argument names."""
    number = read_page(context.argument or "1")
    if number is None:
        await context.say("documents-how")
        return
    await context.show(await context.do("look", partial(_render_page, context, number)))


def read_page(text: str) -> int | None:
    """Parse the number of a page; return None for anything else."""
    return read_number(text, _MOST_DIGITS)


async def press_page(context: Context, number: int) -> Told:
    """Carry out a press of a page button: show that page in the same message."""
    await context.show(await context.do("look", partial(_render_page, context, number)))
    return Told()


async def _render_page(context: Context, number: int) -> Reply:
    library = context.parts.library
    entries, read_at = await library.entries(), (await library.measure_size()).read_at
    if not entries:
        return Reply.of(context.text("documents-none"))
    pages = -(-len(entries) // _ON_A_PAGE)
    # The list may have become shorter since the button was sent.
    number = min(max(number, 1), pages)
    shown = entries[(number - 1) * _ON_A_PAGE : number * _ON_A_PAGE]
    title = context.text("documents-title", documents=len(entries), page=number, pages=pages)
    heading = [
        title,
        context.text("health-read", at=date_time(read_at)) if read_at else "",
        # A group must not see the operator's folders.
        f"⚠ {shorten(context.reason(library.trouble), _NOTE_CHARACTERS)}"
        if library.trouble and context.is_private
        else "",
    ]
    text = "\n\n".join([lines(heading), *(_describe(context, entry) for entry in shown)])
    return Reply(text_parts(text)[:1], _build_keys(number, pages))


def _describe(context: Context, entry: Entry) -> str:
    name = code(shorten(entry.name, _NAME_CHARACTERS))
    facts = [
        context.text("documents-passages", passages=entry.passages),
        size(entry.size, context.language),
        f"{local(entry.changed_at):%Y-%m-%d}" if entry.changed_at else "",
        context.text("documents-added") if entry.is_added else "",
    ]
    heading = f"{name} – {shorten(entry.title, _NAME_CHARACTERS)}" if entry.title else name
    notes = [f"⚠ {shorten(context.reason(note), _NOTE_CHARACTERS)}" for note in entry.notes[:1]]
    if len(entry.notes) > 1:
        notes.append(context.text("documents-more-notes", notes=len(entry.notes) - 1))
    return "\n".join([heading, " · ".join(fact for fact in facts if fact), *notes])


def find_similar(name: str, names: Sequence[str], limit: int = 3) -> tuple[str, ...]:
    """Return at most `limit` names that are similar to a mistyped name, the most similar first."""
    from difflib import SequenceMatcher

    wanted = name.casefold()

    def rate_likeness(known: str) -> float:
        folded = known.casefold()
        contained = wanted in folded or folded.rpartition(".")[0] in wanted
        return SequenceMatcher(None, wanted, folded).ratio() + contained

    ranked = sorted(names, key=lambda known: (-rate_likeness(known), known))
    return tuple(known for known in ranked if rate_likeness(known) >= 0.6)[:limit]


def _build_keys(number: int, pages: int) -> Keys:
    keys = []
    if number > 1:
        keys.append(Key("‹", f"{PAGE}:{number - 1}"))
    if number < pages:
        keys.append(Key("›", f"{PAGE}:{number + 1}"))
    return (tuple(keys),) if keys else ()


@dataclass(frozen=True, slots=True)
class _Found:
    """The document that a name stands for, or why it cannot be removed.

    Args:
        file: The file's name in the folder of added documents; with its folder, if it is an answer by admins.
        name: The document's name in `/documents`; differs from `file` where the operator has a file of that
            name.
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
