"""`/add`: adds files or a web page as documents. A file is read before it replaces another one."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path, PurePath

from telegram.constants import FileSizeLimit

from bot.documents.pages import Added
from bot.service.incoming import File
from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply, lines
from bot.telegram.commands.reindexing import sync
from bot.telegram.outbound.retries import DeliveryError
from bot.telegram.rendering import code
from bot.texts.figures import size
from bot.views.indexing import unread
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.knowledge.sources import Failure
from rag.reasons import Reason

_NAMED_PAGES = 5


@dataclass(frozen=True, slots=True)
class _Looked:
    """The check of a file before it is downloaded."""

    name: str
    problem: str = ""
    is_there: bool = False


async def add(context: Context) -> None:
    """Carry out `/add`: add the files of the message or of the message replied to, or a web page."""
    message = context.message
    replied = message.replied.file if message.replied else None
    files = message.files or ((replied,) if replied else ())
    if not files and context.argument:
        await _add_page(context)
        return
    if not files:
        endings = ", ".join(context.parts.library.endings)
        await context.say(
            "add-how", endings=endings, size=size(_find_largest_size(context), context.language)
        )
        return
    looked: tuple[_Looked, ...] = await context.do("look", partial(_look, context, files))
    new = [(file, each.name) for file, each in zip(files, looked, strict=True) if not each.problem]
    if len(looked) == 1 and looked[0].is_there:
        file, name = new[0]
        question = context.text("add-confirm", name=code(name))
        kept: dict[str, Json] = {"id": file.id, "name": file.name, "size": file.size}
        await confirm(context, question, {"name": "add", "file": kept, "as": name})
    else:
        await _add_files(context, new, [each.problem for each in looked if each.problem], was_there=False)


async def _add_page(context: Context) -> None:
    url = context.argument.strip()
    context = await context.open("add-began", name=code(url))
    fetched: Added | Reason = await context.do("fetch", partial(_fetch_page, context, url))
    if isinstance(fetched, Reason):
        failed = context.text("add-unreadable", name=code(url), reason=context.reason(fetched))
        await context.show(Reply.of(failed))
        return
    index = partial(_index, context, fetched.names, (), fetched.failed, shown=_NAMED_PAGES)
    await context.show(await context.do("index", index))


async def _fetch_page(context: Context, url: str) -> Added | Reason:
    try:
        return await context.parts.library.add_page(url)
    except ThinkTwiceError as exc:
        return exc.reason


async def replace_confirmed(context: Context, command: Mapping[str, Json]) -> None:
    """Replace the document that has the file's name; runs after the confirmation."""
    kept, name = command["file"], command["as"]
    assert isinstance(kept, dict)  # as `add` wrote it
    length = kept["size"]
    file = File(str(kept["id"]), str(kept["name"]), length if isinstance(length, int) else None)
    await _add_files(context, [(file, str(name))], [], was_there=True)


async def _look(context: Context, files: Sequence[File]) -> tuple[_Looked, ...]:
    looked = [_look_at(context, file) for file in files]
    if len(looked) == 1:
        return tuple(looked)
    names: set[str] = set()
    for number, each in enumerate(looked):
        if not each.problem and (each.is_there or each.name.casefold() in names):
            looked[number] = _Looked(each.name, context.text("add-there", name=code(each.name)))
        names.add(each.name.casefold())
    return tuple(looked)


def _look_at(context: Context, file: File) -> _Looked:
    if problem := find_problem(context, file):
        return _Looked("", problem)
    library = context.parts.library
    name = library.name(file.name)
    known = library.uploads.find(name)
    return _Looked(known or name, is_there=known is not None)


def find_problem(context: Context, file: File) -> str:
    """Return why a file cannot be a document, as far as its name and size tell; empty if it may be one."""
    library = context.parts.library
    if not library.name(file.name):
        endings = ", ".join(library.endings)
        return context.text("add-kind", name=code(file.name), endings=endings)
    is_too_big = (file.size or 0) > _find_largest_size(context)
    return _explain_size_limit(context, file.name) if is_too_big else ""


async def _add_files(
    context: Context, files: Sequence[tuple[File, str]], problems: list[str], *, was_there: bool
) -> None:
    """Add files under their names, and say so in one message below the problems of others."""
    if not files:
        await context.show(Reply.of(lines(problems)))
        return
    uploads, names = context.parts.library.uploads, []
    context = await context.open("add-began", name=", ".join(code(name) for _, name in files))
    for number, (file, name) in enumerate(files, 1):
        problem: str = await context.do(f"fetch {number}", partial(fetch, context, file, name))
        if problem:
            problems = [*problems, problem]
            continue
        aside = find_aside(context, name)
        await context.do(f"keep {number}", partial(asyncio.to_thread, uploads.keep, aside, name))
        names.append(name)
    if not names:
        await context.show(Reply.of(lines(problems)))
        return
    index = partial(_index, context, names, problems, was_there=was_there)
    await context.show(await context.do("index", index))


async def fetch(context: Context, file: File, name: str) -> str:
    """Download a file to its `find_aside` and read it; return why it is no document, or an empty text."""
    library = context.parts.library
    try:
        content = await context.services.delivery.download(file, _find_largest_size(context))
    except InputError:
        return _explain_size_limit(context, name)
    except DeliveryError:
        return context.text("add-gone", name=code(name))
    aside = find_aside(context, name)
    try:
        problems = await library.put_aside(aside, content)
    except OperatorError as exc:
        return context.text("add-failed", name=code(name), reason=context.reason(exc.reason))
    if problems:
        return context.text("add-unreadable", name=code(name), reason=context.reason(*problems))
    return ""


async def _index(
    context: Context,
    names: Sequence[str],
    problems: Sequence[str],
    failed: Sequence[Failure] = (),
    *,
    was_there: bool = False,
    shown: int | None = None,
) -> Reply:
    """Index what was kept under these names, and tell which of them were read; at most `shown` by name."""
    library = context.parts.library
    try:
        report = await sync(context, waits=True)
        entries = {entry.path: entry for entry in await library.entries()}
    except ThinkTwiceError as exc:
        saved, reason = ", ".join(map(code, names[:shown])), context.reason(exc.reason)
        return Reply.of(lines([context.text("add-not-indexed", name=saved, reason=reason), *problems]))
    report = replace(report, failed=(*failed, *report.failed))
    done, told, read = "add-replaced" if was_there else "add-done", [], 0
    paths = [one.path for one in report.failed] + [one.path for one in report.skipped]
    named = {PurePath(path).name for path in paths}
    for name in names:
        entry = entries.get(str(library.uploads.folder / name))
        if entry is not None and entry.passages:
            read += 1
            if shown is None or read <= shown:
                told.append(context.text(done, name=code(entry.name), passages=entry.passages))
        elif shown is None and name not in named:
            told.append(context.text("add-unreadable", name=code(name), reason="–"))
    if shown is not None and read > shown:
        told.append(context.text("add-pages", pages=read))
    return Reply.of(lines([*told, *problems, *unread(report, context.language)]))


def _find_largest_size(context: Context) -> int:
    return min(context.parts.settings.knowledge.max_file_bytes, FileSizeLimit.FILESIZE_DOWNLOAD)


def _explain_size_limit(context: Context, name: str) -> str:
    return context.text(
        "add-too-big", name=code(name), size=size(_find_largest_size(context), context.language)
    )


def find_aside(context: Context, name: str) -> Path:
    """Return where a file waits; the update's number keeps apart two downloads under the same name."""
    return context.parts.library.uploads.aside(name, context.update_id)
