"""The documents: what was read and what not, adding, removing, reading anew."""

from __future__ import annotations

import asyncio
import itertools
import time
from pathlib import PurePath
from typing import Final

from fastapi import APIRouter
from starlette.datastructures import UploadFile
from starlette.requests import Request
from starlette.responses import Response

from bot.settings.tree import Settings
from bot.web import context
from bot.web.errors import ConsoleError, not_found
from bot.web.guard import MOST_BYTES
from bot.web.visitors import Admin, AdminPosted, confirm
from rag.knowledge.sources import Failure
from rag.reasons import Reason

router = APIRouter(include_in_schema=False)

UPLOAD_PATH: Final = "/documents"

# What is put aside under one name by two people must not meet.
_numbers = itertools.count(time.time_ns() // 1_000_000)


def most_bytes(settings: Settings) -> int:
    """Return how large an upload may be: some files, and what stands around them."""
    return settings.knowledge.max_file_bytes * 2 + MOST_BYTES


@router.get(UPLOAD_PATH)
async def show(request: Request, visitor: Admin) -> Response:
    """List the files, those with faults first."""
    found = context.of(request)
    library = found.parts.library
    while True:
        report = found.reindexing.report
        entries, size = await library.entries(), await library.measure_size()
        # A reading that ended meanwhile has changed the list, and the page would not be drawn again.
        if found.reindexing.report is report:
            break
    return found.page(
        "documents.html",
        visitor,
        entries=entries,
        knowledge=size,
        trouble=library.trouble,
        endings=library.endings,
        largest=found.parts.settings.knowledge.max_file_bytes,
        reindexing=found.reindexing,
    )


@router.get("/documents/progress")
async def show_progress(request: Request, visitor: Admin) -> Response:
    """The part of that page that says how far the reading is."""
    found = context.of(request)
    return found.page("_indexing.html", visitor, reindexing=found.reindexing)


@router.post(UPLOAD_PATH)
async def upload_files(request: Request, post: AdminPosted) -> Response:
    """Take files in: each is read on trial before it becomes a document."""
    files = [file for file in post.form.getlist("file") if isinstance(file, UploadFile) and file.filename]
    if not files:
        raise ConsoleError(422, "web-document-no-file")
    refused = [
        Failure(file.filename or "", reason)
        for file in files
        for reason in await _add_file(request, file, may_replace=post.text("replace") == "yes")
    ]
    await context.of(request).reindexing.start(post.visitor.name, post.visitor.user_id, refused=refused)
    return context.see(UPLOAD_PATH)


async def _add_file(request: Request, file: UploadFile, *, may_replace: bool) -> tuple[Reason, ...]:
    """Make a file a document; return why not, or nothing."""
    library, sent = context.of(request).parts.library, file.filename or ""
    name = library.name(sent)
    if not name:
        return (Reason("skipped-kind", {"ending": PurePath(sent).suffix or "?"}),)
    known = await asyncio.to_thread(library.uploads.find, name)
    if known and not may_replace:
        return (Reason("document-there"),)
    aside = library.uploads.aside(known or name, next(_numbers))
    if problems := await library.put_aside(aside, await file.read()):
        return problems
    await asyncio.to_thread(library.uploads.keep, aside, known or name)
    return ()


@router.post("/documents/remove")
async def remove(request: Request, post: AdminPosted) -> Response:
    """Remove a document that was added; files of the operator's folders are not ours to delete."""
    found = context.of(request)
    uploads = found.parts.library.uploads
    name = post.text("name")
    if name not in await asyncio.to_thread(uploads.names):
        raise not_found()
    if not post.is_sure:
        return confirm(request, post, "web-document-sure", name, UPLOAD_PATH)
    await asyncio.to_thread(uploads.delete, name)
    await found.reindexing.start(post.visitor.name, post.visitor.user_id)
    return context.see(UPLOAD_PATH)


@router.post("/documents/reindex")
async def reindex(request: Request, post: AdminPosted) -> Response:
    """Read what changed, or everything."""
    is_rebuild = post.text("rebuild") == "yes"
    if is_rebuild and not post.is_sure:
        return confirm(request, post, "web-rebuild-sure", "", UPLOAD_PATH)
    await context.of(request).reindexing.start(post.visitor.name, post.visitor.user_id, rebuild=is_rebuild)
    return context.see(UPLOAD_PATH)
