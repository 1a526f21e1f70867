"""Ask, and watch the answer come about."""

from __future__ import annotations

from typing import Any, Final, get_args
from uuid import uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.service import keys
from bot.service.councils import reason_not_to_hold
from bot.service.people import Refusal
from bot.service.runs import ENDS
from bot.web import context, run_view
from bot.web.api import own_run, refused
from bot.web.errors import ConsoleError, not_found
from bot.web.runs import Action
from bot.web.visitors import Member, Posted, Visitor
from rag.values import MODES

router = APIRouter(include_in_schema=False)

_LATEST: Final = 20
_SOURCES: Final = {"": None, "documents": True, "all": False}
"""What may answer, as the form names it: whether it is the documents only."""

_RATINGS: Final = {"useful": True, "wrong": False, "none": None}


@router.get("/")
async def ask(request: Request, visitor: Member) -> Response:
    """The form, and what was asked lately."""
    found = context.of(request)
    latest = [
        (run, await _question(request, run.id))
        for run in await found.parts.stored_runs.latest(visitor.user_id, _LATEST, get_args(Action))
    ]
    return found.page("ask.html", visitor, latest=latest, **await form(request, visitor))


@router.post("/ask")
async def order(request: Request, post: Posted) -> Response:
    """Have a question answered, and lead on to the run."""
    action, mode, number = post.text("kind") or "answer", post.text("mode"), post.text("conversation")
    if action not in get_args(Action) or mode not in {"", *MODES} or post.text("from") not in _SOURCES:
        raise ConsoleError(400, "web-error-400")
    if number and not (number.isascii() and number.isdigit() and len(number) < 17):
        raise ConsoleError(400, "web-error-400")
    taken = await context.of(request).web_runs.start(
        post.visitor.user_id,
        post.text("question"),
        action=action,  # type: ignore[arg-type]  # looked up a moment ago
        key=post.text("key") or uuid4().hex,
        conversation=int(number) if number else None,
        mode=mode or None,  # type: ignore[arg-type]  # likewise
        documents_only=_SOURCES[post.text("from")],
    )
    if isinstance(taken, Refusal):
        raise refused(taken)
    return context.see(f"/runs/{taken.run_id}")


@router.get("/runs/{run_id}")
async def show(request: Request, visitor: Member, run_id: str) -> Response:
    """The page of a run."""
    view = await _view(request, visitor, run_id)
    return context.of(request).page("run.html", visitor, view=view, **await form(request, visitor))


@router.get("/runs/{run_id}/view")
async def show_again(request: Request, visitor: Member, run_id: str) -> Response:
    """The part of that page that grows."""
    view = await _view(request, visitor, run_id)
    return context.of(request).page("_run.html", visitor, view=view)


@router.post("/runs/{run_id}/cancel")
async def cancel(request: Request, post: Posted, run_id: str) -> Response:
    """Stop a run."""
    await own_run(request, post.visitor, run_id)
    await context.of(request).web_runs.cancel(run_id)
    return context.see(f"/runs/{run_id}")


@router.post("/runs/{run_id}/feedback")
async def rate(request: Request, post: Posted, run_id: str) -> Response:
    """Keep what the reader says of the answer."""
    run = await own_run(request, post.visitor, run_id)
    if post.text("rating") not in _RATINGS:
        raise ConsoleError(400, "web-error-400")
    await context.of(request).parts.answers.feedback(run.id, _RATINGS[post.text("rating")])
    return context.see(f"/runs/{run_id}#answer")


@router.post("/conversations/{number}/forget")
async def forget(request: Request, post: Posted, number: int) -> Response:
    """Forget a conversation: its words and its runs."""
    if number < 1:
        raise not_found()
    await context.of(request).parts.memory.reset(keys.web_conversation_key(post.visitor.user_id, number))
    return context.see("/")


async def form(request: Request, visitor: Visitor) -> dict[str, Any]:
    """Return the values of the form of a question; the council is offered to those who may ask it."""
    parts = context.of(request).parts
    settings, chat = parts.settings, await parts.chats.get(visitor.user_id)
    return {
        "key": uuid4().hex,
        "modes": MODES,
        "has_council": reason_not_to_hold(visitor.role, chat, settings.council) is None,
        "characters": settings.budget.question_characters,
    }


async def _question(request: Request, run_id: str) -> str:
    """Return the question of a run; empty when it was asked elsewhere and is not answered yet."""
    events = await context.of(request).parts.stored_runs.read(run_id)
    asked = next((str(event.data["question"]) for event in events if event.type == "accepted"), "")
    if asked or not events or events[-1].type not in ENDS:
        return asked
    answer = await context.of(request).parts.memory.load_answer(str(events[-1].data.get("exchange", "")))
    return answer.question if answer else ""


async def _view(request: Request, visitor: Visitor, run_id: str) -> run_view.RunView:
    parts = context.of(request).parts
    run = await own_run(request, visitor, run_id)
    if run.kind not in get_args(Action):
        raise not_found()
    events = await parts.stored_runs.read(run_id)
    exchange = str(events[-1].data.get("exchange", "")) if run.state == "complete" and events else ""
    answer = await parts.memory.load_answer(exchange) if exchange else None
    return run_view.view(run, events, answer, await parts.answers.rating(run.id), visitor.language)
