"""Interviews over HTTP: begin one, look at it, say something, and carry out a single step.

An interview belongs to who began it; to everybody else there is no such interview.
"""

from __future__ import annotations

from typing import Annotated, Final
from uuid import uuid4

from fastapi import APIRouter, Depends, Header
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import Response

from bot.service.interview_values import View
from bot.service.people import Refusal
from bot.web import context
from bot.web.api import refused
from bot.web.visitors import Member, Ordering
from rag.interview.documents import NextAction, State, StepName

router = APIRouter(
    prefix="/api/session",
    tags=["interviews"],
    dependencies=[Depends(HTTPBearer(auto_error=False, description="A token."))],
)

DEFAULT_PACK: Final = "contract_ru"
"""What an interview is about if the request does not say."""

_MOST_CHARACTERS: Final = 100_000
"""Of a message, before anybody looks at it; what an interview takes is less."""

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


def _taken(found: View | Refusal) -> View:
    if isinstance(found, Refusal):
        raise refused(found)
    return found


def _shown(found: View | Refusal) -> InterviewShown:
    view = _taken(found)
    return InterviewShown(state=view.state, next_action=view.next_action)
