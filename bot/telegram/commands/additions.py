"""`/add`: adds a file or web page as a document. A file is read before it replaces another one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from telegram.constants import FileSizeLimit

from bot.documents.pages import Added
from bot.service.incoming import File
from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.commands.progress import Watch
from bot.telegram.commands.reindexing import list_skipped
from bot.telegram.outbound.messages import Posted
from bot.telegram.outbound.retries import DeliveryError
from bot.telegram.rendering import code
from bot.texts.figures import size
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.reasons import Reason

_NAMED_PAGES = 5


@dataclass(frozen=True, slots=True)
class _Looked:
    """The check of a file before it is downloaded.

    Args:
        name: The name of the new document.
        problem: Why the file is not added; empty when it can be.
        is_there: A document of this name was added before.
    """

    name: str
    problem: str = ""
    is_there: bool = False


async def add(context: Context) -> None:
    """Carry out `/add`: add the file of the message or of the message replied to, or a web page."""
    message = context.message
    file = message.file or (message.replied.file if message.replied else None)
    if file is None and context.argument:
        await _add_page(context)
        return
    if file is None:
        endings = ", ".join(context.services.library.endings)
        await context.say(
            "add-how", endings=endings, size=size(_find_largest_size(context), context.language)
        )
        return
    looked: _Looked = await context.do("look", partial(_look, context, file))
    if looked.problem:
        await context.show(Reply.of(looked.problem))
    elif looked.is_there:
        question = context.text("add-confirm", name=code(looked.name))
        kept: dict[str, Json] = {"id": file.id, "name": file.name, "size": file.size}
        await confirm(context, question, {"name": "add", "file": kept, "as": looked.name})
    else:
        await _add_file(context, file, looked.name, was_there=False)


async def _add_page(context: Context) -> None:
    """Fetch a web page, or the pages of a sitemap, and index them."""
    url = context.argument.strip()
    shown = await context.open("add-began", name=code(url))
    context = context.show_in(shown)
    fetched: Added | Reason = await context.do("fetch", partial(_fetch_page, context, url))
    if isinstance(fetched, Reason):
        failed = context.text("add-unreadable", name=code(url), reason=context.reason(fetched))
        await context.show(Reply.of(failed))
        return
    await context.show(await context.do("index", partial(_index_pages, context, shown, fetched)))


async def _fetch_page(context: Context, url: str) -> Added | Reason:
    try:
        return await context.services.library.add_page(url)
    except ThinkTwiceError as exc:
        return exc.reason


async def _index_pages(context: Context, shown: Posted, fetched: Added) -> Reply:
    library = context.services.library
    try:
        async with Watch(context, shown, "reindex-began") as watch:
            await library.sync(context.sender.name, on_progress=watch, waits=True)
        entries = {entry.path: entry for entry in await library.entries()}
    except ThinkTwiceError as exc:
        name = code(", ".join(fetched.names[:_NAMED_PAGES]))
        return Reply.of(context.text("add-not-indexed", name=name, reason=context.reason(exc.reason)))
    found = [entries.get(str(library.uploads.folder / name)) for name in fetched.names]
    read = [entry for entry in found if entry is not None and entry.passages]
    unread = [
        context.text("add-unreadable", name=code(entry.name), reason=context.reason(*entry.notes) or "–")
        for entry in found
        if entry is not None and not entry.passages
    ]
    failed = [f"⚠ {code(failure.path)}: {context.reason(failure.reason)}" for failure in fetched.failed]
    more = len(fetched.failed) - _NAMED_PAGES
    return Reply.of(
        lines(
            [
                *(
                    context.text("add-done", name=code(entry.name), passages=entry.passages)
                    for entry in read[:_NAMED_PAGES]
                ),
                context.text("add-pages", pages=len(read)) if len(read) > _NAMED_PAGES else "",
                *unread[:_NAMED_PAGES],
                *failed[:_NAMED_PAGES],
                context.text("documents-more-notes", notes=more) if more > 0 else "",
            ]
        )
    )


async def replace_confirmed(context: Context, command: Mapping[str, Json]) -> None:
    """Replace the document that has the file's name; runs after the confirmation."""
    kept, name = command["file"], command["as"]
    assert isinstance(kept, dict)  # as `add` wrote it
    length = kept["size"]
    file = File(str(kept["id"]), str(kept["name"]), length if isinstance(length, int) else None)
    await _add_file(context, file, str(name), was_there=True)


async def _look(context: Context, file: File) -> _Looked:
    library = context.services.library
    name = library.name(file.name)
    if not name:
        endings = ", ".join(library.endings)
        return _Looked("", context.text("add-kind", name=code(file.name), endings=endings))
    if (file.size or 0) > _find_largest_size(context):
        return _Looked("", _explain_size_limit(context, name))
    known = library.uploads.find(name)
    return _Looked(known or name, is_there=known is not None)


async def _add_file(context: Context, file: File, name: str, *, was_there: bool) -> None:
    uploads = context.services.library.uploads
    aside = uploads.aside(name, _number(context))
    shown = await context.open("add-began", name=code(name))
    context = context.show_in(shown)
    problem: str = await context.do("fetch", partial(_fetch, context, file, name))
    if problem:
        await context.show(Reply.of(problem))
        return

    await context.do("keep", partial(asyncio.to_thread, uploads.keep, aside, name))
    index = partial(_index, context, shown, name, was_there=was_there)
    await context.show(await context.do("index", index))


async def _fetch(context: Context, file: File, name: str) -> str:
    """Download the file and read it in a temporary place; return why it is not added, or an empty text."""
    library = context.services.library
    try:
        content = await context.services.delivery.download(file, _find_largest_size(context))
    except InputError:
        return _explain_size_limit(context, name)
    except DeliveryError:
        return context.text("add-gone", name=code(name))
    aside = library.uploads.aside(name, _number(context))
    try:
        await asyncio.to_thread(library.uploads.put_aside, aside, content)
        problems = await library.problems(aside)
    except OperatorError as exc:
        return context.text("add-failed", name=code(name), reason=context.reason(exc.reason))
    if problems:
        await asyncio.to_thread(library.uploads.delete, aside.name)
        return context.text("add-unreadable", name=code(name), reason=context.reason(*problems))
    return ""


async def _index(context: Context, shown: Posted, name: str, *, was_there: bool) -> Reply:
    library = context.services.library
    try:
        async with Watch(context, shown, "reindex-began") as watch:
            report = await library.sync(context.sender.name, on_progress=watch, waits=True)
        entries = await library.entries()
    except ThinkTwiceError as exc:
        return Reply.of(context.text("add-not-indexed", name=code(name), reason=context.reason(exc.reason)))
    path = str(library.uploads.folder / name)
    entry = next((entry for entry in entries if entry.path == path), None)
    if entry is None or not entry.passages:
        reason = context.reason(*entry.notes) if entry else ""
        return Reply.of(context.text("add-unreadable", name=code(name), reason=reason or "–"))
    done = "add-replaced" if was_there else "add-done"
    return Reply.of(
        lines(
            [
                context.text(done, name=code(entry.name), passages=entry.passages),
                *(f"⚠ {context.reason(note)}" for note in entry.notes[:3]),
                list_skipped(context, report),
            ]
        )
    )


def _find_largest_size(context: Context) -> int:
    return min(context.services.settings.knowledge.max_file_bytes, FileSizeLimit.FILESIZE_DOWNLOAD)


def _explain_size_limit(context: Context, name: str) -> str:
    return context.text(
        "add-too-big", name=code(name), size=size(_find_largest_size(context), context.language)
    )


def _number(context: Context) -> int:
    """Return the id of the update, which keeps apart two downloads under the same name."""
    return int(context.job_id.rpartition(":")[2])
