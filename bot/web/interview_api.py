"""Interviews over HTTP: begin and list them, say something, take back, finish, delete, and take the document.

An interview belongs to who began it; to everybody else there is no such interview.
"""

from __future__ import annotations

import asyncio
from datetime import datetime
from typing import Annotated, Final, Literal
from uuid import uuid4

from fastapi import APIRouter, Depends, Header
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from bot.service.interview_values import View
from bot.service.people import Refusal
from bot.views import interviews as views
from bot.views import papers
from bot.web import context
from bot.web.api import refused
from bot.web.visitors import Member, Ordering
from rag.interview.documents import NextAction, State, Status, StepName

router = APIRouter(
    prefix="/api/session",
    tags=["interviews"],
    dependencies=[Depends(HTTPBearer(auto_error=False, description="A token."))],
)

DEFAULT_PACK: Final = "contract_ru"
"""What an interview is about if the request does not say."""

_MOST_CHARACTERS: Final = 100_000
"""Of a message, before anybody looks at it; what an interview takes is less."""
_WRITING: Final = asyncio.Semaphore(1)
"""One file at a time: a long one takes seconds of a processor."""

Key = Annotated[
    str | None,
    Header(max_length=200, description="Sent again under the same key, the request changes nothing more."),
]


class Beginning(BaseModel):
    """An interview to be begun."""

    model_config = ConfigDict(extra="forbid")

    initial_message: str | None = Field(
        None,
        max_length=_MOST_CHARACTERS,
        description="What the person says first; none: the interview begins with its first question.",
    )
    pack: str = Field(DEFAULT_PACK, max_length=100, description="Name of the mission pack.")


class Said(BaseModel):
    """A message of the person."""

    model_config = ConfigDict(extra="forbid")

    message: str = Field(max_length=_MOST_CHARACTERS, description="The words, or the id of a choice.")
    answer_to_question_id: str | None = Field(
        None, max_length=200, description="The question that it answers; none: the one that is open."
    )


class Step(BaseModel):
    """A step to be carried out by itself."""

    model_config = ConfigDict(extra="forbid")

    step: StepName


class InterviewShown(BaseModel):
    """The state of an interview, and its next action."""

    state: State
    next_action: NextAction


class NewInterview(InterviewShown):
    """An interview that was begun."""

    session_id: str


class Listed(BaseModel):
    """An interview in a list."""

    session_id: str
    pack: str
    title: str
    status: Status
    is_open: bool
    created_at: datetime
    touched_at: datetime


@router.get("", summary="List interviews")
async def list_all(request: Request, visitor: Member) -> list[Listed]:
    """Return your interviews, at most 20, the one that was continued last first."""
    interviews = context.of(request).web_interviews
    return [
        Listed(
            session_id=view.session.id,
            pack=view.session.pack,
            title=interviews.packs.find(view.session.pack).title,
            status=view.state.meta.status,
            is_open=view.session.is_open,
            created_at=view.session.created_at,
            touched_at=view.session.touched_at,
        )
        for view in await interviews.list_all(visitor.sender)
    ]


@router.post("", status_code=201, summary="Begin an interview")
async def begin(
    request: Request,
    visitor: Ordering,
    beginning: Beginning,
    response: Response,
    idempotency_key: Key = None,
) -> NewInterview:
    """Begin an interview. With the model down there is one as well: `next_action` says so, and the next
    message goes on.
    """
    view = _taken(
        await context.of(request).web_interviews.create(
            visitor.sender,
            beginning.pack,
            beginning.initial_message,
            key=idempotency_key or uuid4().hex,
        )
    )
    response.headers["Location"] = f"/api/session/{view.session.id}"
    return NewInterview(session_id=view.session.id, state=view.state, next_action=view.next_action)


@router.get("/{session_id}", summary="Look at an interview")
async def show(request: Request, visitor: Member, session_id: str) -> InterviewShown:
    """Return how an interview stands."""
    return _shown(await context.of(request).web_interviews.get(visitor.sender, session_id))


@router.post("/{session_id}", summary="Say something")
async def say(
    request: Request, visitor: Ordering, session_id: str, said: Said, idempotency_key: Key = None
) -> InterviewShown:
    """Take a message as the next turn. An answer to a question that is not open changes nothing: 409."""
    return _shown(
        await context.of(request).web_interviews.post(
            visitor.sender,
            session_id,
            said.message,
            answer_to=said.answer_to_question_id,
            key=idempotency_key or uuid4().hex,
        )
    )


@router.post("/{session_id}/step", summary="Carry out one step")
async def step(request: Request, visitor: Ordering, session_id: str, wanted: Step) -> InterviewShown:
    """Carry out one step by itself, for debugging; refused unless the setting `interviews.single_steps` is
    on.
    """
    return _shown(
        await context.of(request).web_interviews.step(
            visitor.sender, session_id, wanted.step, key=uuid4().hex
        )
    )


@router.post("/{session_id}/undo", summary="Take the last turn back")
async def undo(
    request: Request, visitor: Ordering, session_id: str, idempotency_key: Key = None
) -> InterviewShown:
    """Take the last turn back."""
    interviews = context.of(request).web_interviews
    return _shown(await interviews.undo(visitor.sender, session_id, key=idempotency_key or uuid4().hex))


@router.post("/{session_id}/finish", summary="Finish an interview")
async def finish(
    request: Request, visitor: Ordering, session_id: str, idempotency_key: Key = None
) -> InterviewShown:
    """End an interview that is complete and word its document; else `gate` says what is missing."""
    interviews = context.of(request).web_interviews
    return _shown(await interviews.finish(visitor.sender, session_id, key=idempotency_key or uuid4().hex))


@router.delete("/{session_id}", status_code=204, summary="Delete an interview")
async def delete(request: Request, visitor: Ordering, session_id: str) -> None:
    """Delete an interview with everything that is kept of it."""
    await context.of(request).web_interviews.delete(visitor.sender, session_id)


@router.get("/{session_id}/export", summary="Take an interview as data")
async def export(request: Request, visitor: Member, session_id: str) -> Response:
    """Return the state of the interview, with the events that led to it."""
    view = await context.of(request).web_interviews.get(visitor.sender, session_id)
    return Response(views.export_json(view), media_type="application/json")


@router.get("/{session_id}/document", summary="Take the document")
async def show_document(
    request: Request, visitor: Member, session_id: str, form: Literal["json", papers.Format] = "json"
) -> Response:
    """Return the document as it stands: as data with its gaps and faults, or as a file."""
    view = await context.of(request).web_interviews.get(visitor.sender, session_id)
    return await document_reply(request, view, form)


@router.post("/{session_id}/document", summary="Word the document")
async def word_document(
    request: Request, visitor: Ordering, session_id: str, idempotency_key: Key = None
) -> Response:
    """Have a model word the clauses that nobody has worded yet, and return the document as data."""
    interviews = context.of(request).web_interviews
    found = await interviews.word(visitor.sender, session_id, key=idempotency_key or uuid4().hex)
    return await document_reply(request, _taken(found), "json")


async def document_reply(request: Request, view: View, form: Literal["json", papers.Format]) -> Response:
    """Return the document of an interview as data, or as a file to be kept."""
    interviews = context.of(request).web_interviews
    paper = interviews.draw_up(view)
    if form == "json":
        return JSONResponse(papers.to_json(paper))
    language = view.state.meta.locale.language
    async with _WRITING:
        content = await asyncio.to_thread(papers.write, paper, form, language)
    name = f"{view.session.pack}-{view.session.id[:8]}.{form}"
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return Response(content, media_type=papers.MEDIA_TYPES[form], headers=headers)


def _taken(found: View | Refusal) -> View:
    if isinstance(found, Refusal):
        raise refused(found)
    return found


def _shown(found: View | Refusal) -> InterviewShown:
    view = _taken(found)
    return InterviewShown(state=view.state, next_action=view.next_action)
