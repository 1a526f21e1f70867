"""Runs over HTTP: order one, look at it, follow its events, cancel it; and what waits for a person.

A run belongs to who ordered it; to everybody else there is no such run. What goes wrong has a code, and a
sentence in the language of the person.
"""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from datetime import datetime
from functools import partial
from typing import Annotated, Any, Final
from uuid import uuid4

from fastapi import APIRouter, Depends, Header, Query
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse

from bot.answer_json import to_json
from bot.clock import local
from bot.service import keys
from bot.service.people import Refusal
from bot.service.runs import ENDS, Run, RunKind, RunState
from bot.web import context, events
from bot.web.errors import ConsoleError, not_found
from bot.web.runs import Action
from bot.web.visitors import Member, Ordering, RowNumber, Visitor
from rag.values import Answer, Mode

router = APIRouter(
    prefix="/api", tags=["runs"], dependencies=[Depends(HTTPBearer(auto_error=False, description="A token."))]
)

_MOST_CHARACTERS: Final = 100_000
"""Of a question, before anybody looks at it; what the engine takes is less."""

_LARGEST_NUMBER: Final = 2**53

MOST_OF_A_REPLY: Final = 20_000


class Order(BaseModel):
    """A run to be carried out."""

    model_config = ConfigDict(extra="forbid")

    question: str = Field(
        max_length=_MOST_CHARACTERS, description="The question, as a person would write it."
    )
    kind: Action = Field("answer", description="Who answers: the loop, or the council.")
    conversation: int | None = Field(
        None,
        ge=1,
        le=_LARGEST_NUMBER,
        description="Number of the conversation that it goes on; none: a new one.",
    )
    mode: Mode | None = Field(None, description="How thoroughly to check.")
    documents_only: bool | None = Field(None, description="Whether general knowledge is no answer.")


class Problem(BaseModel):
    """Why a run has no answer."""

    code: str
    message: str


class QuestionShown(BaseModel):
    """A question that the documents did not answer, and that waits for a person."""

    model_config = ConfigDict(from_attributes=True)

    number: int
    question: str
    answer: str = Field(description="The answer that did not help.")
    name: str = Field("", description="Who asks.")
    set_name: str = Field(description="The document set of the chat; empty: all documents.")
    asked_at: datetime


class Reply(BaseModel):
    """A person's answer to a question that waits."""

    model_config = ConfigDict(extra="forbid")

    text: str = Field(max_length=MOST_OF_A_REPLY, description="The answer.")
    named: bool | None = Field(None, description="Whether the asker sees your name; none: as set.")
    keep: bool = Field(False, description="Whether it answers this question from then on.")


class RunShown(BaseModel):
    """A run, and its answer if there is one."""

    id: str
    kind: RunKind
    state: RunState
    at: datetime
    conversation: int | None = Field(description="Number of the conversation, for a further question.")
    events: str = Field(description="Where to follow it.")
    answer: dict[str, Any] | None = Field(None, description="As `thinktwice ask --json` prints it.")
    error: Problem | None = None


@router.post("/runs", status_code=202, summary="Order a run")
async def order_run(
    request: Request,
    visitor: Ordering,
    order: Order,
    response: Response,
    idempotency_key: Annotated[
        str | None,
        Header(max_length=200, description="Ordered again under the same key, the run stays the only one."),
    ] = None,
) -> RunShown:
    """Have a question answered. The reply comes at once; the answer comes about whether anybody reads on or
    not.
    """
    taken = await context.of(request).web_runs.start(
        visitor.user_id,
        order.question,
        action=order.kind,
        key=idempotency_key or uuid4().hex,
        conversation=order.conversation,
        mode=order.mode,
        documents_only=order.documents_only,
    )
    if isinstance(taken, Refusal):
        raise refused(taken)
    response.headers["Location"] = f"/api/runs/{taken.run_id}"
    return await _shown(request, visitor, await own_run(request, visitor, taken.run_id))


@router.get("/runs/{run_id}", summary="Look at a run")
async def show_run(request: Request, visitor: Member, run_id: str) -> RunShown:
    """Return a run, with its answer once it is complete."""
    return await _shown(request, visitor, await own_run(request, visitor, run_id))


@router.get(
    "/runs/{run_id}/events",
    summary="Follow a run",
    response_class=StreamingResponse,
    responses={
        200: {"content": {"text/event-stream": {}}, "description": "What happened, then what happens."},
        204: {"description": "The run is over, and there is nothing behind that event."},
    },
)
async def follow_run(
    request: Request,
    visitor: Member,
    run_id: str,
    after: Annotated[
        int, Query(ge=0, le=_LARGEST_NUMBER, description="Number of the last event that the reader has.")
    ] = 0,
    last_event_id: Annotated[str | None, Header(description="The same; it goes before.")] = None,
) -> Response:
    """Send every event once, in order, to as many readers as there are; the stream ends with the run."""
    run = await own_run(request, visitor, run_id)
    parts = context.of(request).parts
    if last_event_id is not None and last_event_id.isascii() and last_event_id.isdigit():
        after = int(last_event_id[:18])
    if run.state in ENDS and not await parts.stored_runs.read(run_id, after):
        # It says to browsers: do not come back.
        return Response(status_code=204)
    return StreamingResponse(
        events.stream(parts.runs, run_id, after),
        media_type="text/event-stream",
        headers={"X-Accel-Buffering": "no"},
    )


@router.post("/runs/{run_id}/cancel", status_code=202, summary="Cancel a run")
async def cancel_run(request: Request, visitor: Ordering, run_id: str) -> RunShown:
    """Stop a run for good; one that is over stays as it is."""
    await own_run(request, visitor, run_id)
    await context.of(request).web_runs.cancel(run_id)
    return await _shown(request, visitor, await own_run(request, visitor, run_id))


@router.post("/runs/{run_id}/person", status_code=202, summary="Ask a person")
async def ask_person(request: Request, visitor: Ordering, run_id: str) -> RunShown:
    """Pass a question on to the people who know; the run that is returned ends with their reply."""
    run = await own_run(request, visitor, run_id)
    end, _ = await load_end(request, run)
    taken = await context.of(request).web_runs.ask_person(run, str(end.get("exchange", "")))
    if taken is None:
        raise ConsoleError(409, "press-person-nobody")
    return await _shown(request, visitor, await own_run(request, visitor, taken.run_id))


@router.get("/questions", summary="List the questions that wait for you")
async def list_questions(request: Request, visitor: Member) -> list[QuestionShown]:
    """Return the questions passed on to you that nobody has answered; to administrators, all of them."""
    found, shown = context.of(request), []
    for one in await found.web_runs.passed.open():
        if found.web_runs.passed.waits_for(one, visitor.user_id, is_admin=visitor.is_admin):
            name = (await found.parts.users.get(one.person)).name
            shown.append(QuestionShown.model_validate(one).model_copy(update={"name": name}))
    return shown


@router.post("/questions/{number}", status_code=204, summary="Answer a question")
async def answer_question(
    request: Request,
    visitor: Ordering,
    number: RowNumber,
    reply: Reply,
    idempotency_key: Annotated[str | None, Header(max_length=200, description="As of a run.")] = None,
) -> None:
    """Send an answer to whoever asked. Status 409: the question has one already, or was withdrawn."""
    found, passed = context.of(request), context.of(request).web_runs.passed
    asked = await passed.get(number)
    if asked is None or not passed.waits_for(asked, visitor.user_id, is_admin=visitor.is_admin):
        raise not_found()
    if not reply.text.strip():
        raise ConsoleError(422, "passed-empty")
    work = f"web:{visitor.user_id}:{keys.shorten(idempotency_key or uuid4().hex)}"
    done = await passed.reply(number, reply.text, visitor.user_id, work, is_named=reply.named)
    if done is None:
        raise ConsoleError(409, "passed-late")
    if reply.keep:
        library, title = found.parts.library, context.TEXTS.text("correct-title", visitor.language)
        now = found.clock()
        put = partial(library.corrections.put_text, done.question, done.reply, title, int(now.timestamp()))
        await asyncio.to_thread(put, f"{local(now):%Y-%m-%d}", done.set_name)
        await library.sync(visitor.name, waits=True)


async def own_run(request: Request, visitor: Visitor, run_id: str) -> Run:
    """Return a run of this visitor's; raise `ConsoleError` if there is none, or it is somebody else's."""
    run = await context.of(request).parts.runs.get(run_id)
    if run is None or run.person != visitor.user_id:
        raise not_found()
    return run


def refused(refusal: Refusal) -> ConsoleError:
    """Return what a refusal of the service is over HTTP."""
    kind = refusal.message_id.partition("-")[0]
    return ConsoleError({"limit": 429, "question": 422}.get(kind, 403), refusal.message_id, **refusal.values)


async def load_end(request: Request, run: Run) -> tuple[Mapping[str, Any], Answer | None]:
    """Return the event that ended a run, and its answer; nothing of one that goes on."""
    parts = context.of(request).parts
    end = (await parts.stored_runs.read(run.id))[-1].data if run.state in ENDS else {}
    return end, await parts.memory.load_answer(str(end.get("exchange", "")))


async def _shown(request: Request, visitor: Visitor, run: Run) -> RunShown:
    end, answer = await load_end(request, run)
    error = None
    if run.state == "error":
        error = Problem(code=str(end.get("code", "")), message=context.problem(end, visitor.language))
    return RunShown(
        id=run.id,
        kind=run.kind,
        state=run.state,
        at=run.at,
        conversation=keys.web_conversation_number(run.conversation_id),
        events=f"/api/runs/{run.id}/events",
        answer=to_json(answer) if answer else None,
        error=error,
    )
