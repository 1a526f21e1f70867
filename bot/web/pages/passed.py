"""Questions that the documents did not answer and that wait for a person, with a field for the answer."""

from __future__ import annotations

import asyncio
from functools import partial
from uuid import uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.clock import local
from bot.service.incoming import Sender
from bot.web import context
from bot.web.visitors import Admin, AdminPosted, RowNumber

router = APIRouter(include_in_schema=False)

_MOST_CHARACTERS = 20_000


@router.get("/passed")
async def show(request: Request, visitor: Admin) -> Response:
    """The open questions, the oldest first."""
    return await _page(request, visitor)


@router.post("/passed/{number}")
async def answer(request: Request, post: AdminPosted, number: RowNumber) -> Response:
    """Answer one, and keep the answer as a document if that is wished."""
    found, text = context.of(request), post.text("text").strip()[:_MOST_CHARACTERS]
    if not text:
        return await _page(request, post.visitor, fault="passed-empty", status=422)
    visitor = post.visitor
    work = f"web:{visitor.user_id}:{post.text('key')}"
    sender = Sender(visitor.user_id, "person", visitor.name)
    done = await found.web_runs.passed.reply(number, text, sender, work)
    if done is None:
        return await _page(request, visitor, fault="passed-late", status=409)
    if post.text("keep"):
        library, title = found.parts.library, context.TEXTS.text("correct-title", visitor.language)
        now = found.clock()
        put = partial(library.corrections.put_text, done.question, done.reply, title, int(now.timestamp()))
        await asyncio.to_thread(put, f"{local(now):%Y-%m-%d}", done.set_name)
        await library.sync(visitor.name, waits=True)
    return context.see("/passed")


async def _page(request: Request, visitor: Admin, fault: str = "", status: int = 200) -> Response:
    found = context.of(request)
    names = {}
    asked = await found.web_runs.passed.open()
    for one in asked:
        names[one.person] = (await found.parts.users.get(one.person)).name or "?"
    return found.page(
        "passed.html", visitor, status=status, key=uuid4().hex, asked=asked, names=names, fault=fault
    )
