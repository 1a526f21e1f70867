"""Questions that the documents did not answer and that wait for a person, with a field for the answer."""

from __future__ import annotations

from uuid import uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.web import context
from bot.web.api import MOST_OF_A_REPLY, Reply, answer_question, list_questions
from bot.web.errors import ConsoleError
from bot.web.visitors import Member, Posted, RowNumber, Visitor

router = APIRouter(include_in_schema=False)


@router.get("/passed")
async def show(request: Request, visitor: Member) -> Response:
    """Show the open questions that wait for the visitor, the oldest first."""
    return await _page(request, visitor)


@router.post("/passed/{number}")
async def answer(request: Request, post: Posted, number: RowNumber) -> Response:
    """Answer one, and keep the answer as a document if that is wished."""
    text = post.text("text")[:MOST_OF_A_REPLY]
    reply = Reply(text=text, named=bool(post.text("named")), keep=bool(post.text("keep")))
    try:
        await answer_question(request, post.visitor, number, reply, post.text("key"))
    except ConsoleError as error:
        return await _page(request, post.visitor, text, error)
    return context.see("/passed")


async def _page(
    request: Request, visitor: Visitor, text: str = "", error: ConsoleError | None = None
) -> Response:
    found = context.of(request)
    return found.page(
        "passed.html",
        visitor,
        status=error.status if error else 200,
        key=uuid4().hex,
        longest=MOST_OF_A_REPLY,
        is_named=found.web_runs.passed.are_named,
        asked=await list_questions(request, visitor),
        fault=error and error.message,
        text=text,
    )
