"""Interviews: what is known on one side, the conversation on the other."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Literal, get_args
from uuid import uuid4

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.service.interview_ports import InterviewUnknownError
from bot.service.interview_values import View
from bot.service.people import Refusal
from bot.views import interviews as views
from bot.views import papers
from bot.web import context
from bot.web.api import refused
from bot.web.errors import not_found, status_of
from bot.web.interview_api import document_reply
from bot.web.visitors import Member, Post, Posted, Visitor, confirm
from rag.errors import InputError
from rag.interview.documents import Issue, IssueStatus, Severity
from rag.interview.events import TurnApplied
from rag.interview.missions import list_choices
from rag.interview.missions import show as show_value
from rag.interview.pointers import find

router = APIRouter(include_in_schema=False)

SEVERITIES: Final[tuple[str, ...]] = get_args(Severity)
STATUSES: Final[tuple[str, ...]] = get_args(IssueStatus)

_MOST_KEY: Final = 100


@router.get("/interviews")
async def choose(request: Request, visitor: Member) -> Response:
    """Which interviews can be held, and those that the visitor has held."""
    found = context.of(request)
    packs = found.web_interviews.packs
    return found.page(
        "interviews.html",
        visitor,
        missions=[packs.find(name) for name in packs.names],
        views=await found.web_interviews.list_all(visitor.sender),
        title_of=lambda view: packs.find(view.session.pack).title,
        key=uuid4().hex,
    )


@router.post("/interviews")
async def begin(request: Request, post: Posted) -> Response:
    """Begin an interview, and lead on to it."""
    view = await context.of(request).web_interviews.create(
        post.visitor.sender, post.text("pack"), None, key=_key(post)
    )
    if isinstance(view, Refusal):
        raise refused(view)
    return _back(view.session.id)


@router.get("/interviews/{session_id}")
async def show(
    request: Request, visitor: Member, session_id: str, severity: str = "", status: str = ""
) -> Response:
    """Show the page of an interview; `severity` and `status` choose which of its issues are listed."""
    return await _page(request, visitor, session_id, severity=severity, status=status)


@router.get("/interviews/{session_id}/why")
async def explain(request: Request, visitor: Member, session_id: str, turn: str = "") -> Response:
    """Why a turn led to what it led to; without `turn`, the last one."""
    found = context.of(request)
    view = await found.web_interviews.get(visitor.sender, session_id)
    position = views.find_turn(view.events, turn_id=turn)
    if position is None:
        raise not_found()
    mission = found.web_interviews.packs.find(view.session.pack)
    explanation = views.explain_turn(view, position, mission, visitor.language)
    return found.page("interview_why.html", visitor, view=view, mission=mission, explanation=explanation)


@router.get("/interviews/{session_id}/document")
async def review(
    request: Request, visitor: Member, session_id: str, form: papers.Format | Literal[""] = ""
) -> Response:
    """Show every answer beside where it stands in the document; `form` takes the document as a file."""
    view = await context.of(request).web_interviews.get(visitor.sender, session_id)
    return await document_reply(request, view, form) if form else _review(request, visitor, view)


@router.post("/interviews/{session_id}/document")
async def correct(request: Request, post: Posted, session_id: str) -> Response:
    """Take an answer that is written anew; without one, have the document worded."""
    interviews, sender = context.of(request).web_interviews, post.visitor.sender
    path, answer = post.text("path"), post.text("answer")
    try:
        if path:
            outcome = await interviews.correct(sender, session_id, path, answer, key=_key(post))
        else:
            outcome = await interviews.word(sender, session_id, key=_key(post))
    except InterviewUnknownError:
        raise
    except InputError as exc:
        view = await interviews.get(sender, session_id)
        fault = context.words(exc.reason, post.visitor.language)
        return _review(request, post.visitor, view, fault=fault, code=status_of(exc))
    if isinstance(outcome, Refusal):
        raise refused(outcome)
    return context.see(f"/interviews/{session_id}/document")


def _review(request: Request, visitor: Visitor, view: View, *, fault: str = "", code: int = 200) -> Response:
    found = context.of(request)
    mission = found.web_interviews.packs.find(view.session.pack)
    paper = found.web_interviews.draw_up(view)
    places = [
        (clause, clause.number or section.title, f"place-{number}-{place}")
        for number, section in enumerate(paper.sections)
        for place, clause in enumerate(section.clauses)
    ]
    known = (path for path in view.state.facts if find(view.state.domain, path) is not None)
    stated = {path: words for clause in paper.clauses for path, words in clause.facts.items()}
    answers = [
        {
            "path": path,
            "title": mission.title_of(path),
            "words": stated.get(path, ""),
            "value": "" if (value := find(view.state.domain, path)) is None else show_value(value),
            "uses": {label: to for one, label, to in places if path in one.facts or path in one.gaps},
            "choices": list_choices(mission, path),
        }
        for path in dict.fromkeys((*stated, *paper.gaps, *known))
    ]
    shown: dict[str, Any] = {"view": view, "mission": mission, "paper": paper, "answers": answers}
    reply = found.page(
        "interview_document.html",
        visitor,
        **shown,
        remarks=papers.remarks(paper, mission, visitor.language),
        forms=papers.FORMATS,
        numbered=papers.numbered,
        fault=fault,
        key=uuid4().hex,
    )
    reply.status_code = code
    return reply


@router.get("/interviews/{session_id}/at-work")
async def show_at_work(request: Request, visitor: Member, session_id: str) -> Response:
    """The part of that page that shows what is at work."""
    found = context.of(request)
    await found.web_interviews.get(visitor.sender, session_id)
    return found.page("_at_work.html", visitor, **await _at_work(request, visitor, session_id))


@router.post("/interviews/{session_id}")
async def say(request: Request, post: Posted, session_id: str) -> Response:
    """Take an answer: words, or a choice."""
    message = post.text("choice") or post.text("message")

    async def posted() -> View | Refusal:
        return await context.of(request).web_interviews.post(
            post.visitor.sender,
            session_id,
            message,
            answer_to=post.text("answer_to") or None,
            key=_key(post),
        )

    return await _changed(request, post.visitor, session_id, posted, post.text("message"))


@router.post("/interviews/{session_id}/undo")
async def undo(request: Request, post: Posted, session_id: str) -> Response:
    """Take the last answer back."""

    async def undone() -> View | Refusal:
        interviews = context.of(request).web_interviews
        return await interviews.undo(post.visitor.sender, session_id, key=_key(post))

    return await _changed(request, post.visitor, session_id, undone)


@router.post("/interviews/{session_id}/finish")
async def finish(request: Request, post: Posted, session_id: str) -> Response:
    """End an interview that is complete; of another one, the page says what is missing."""

    async def finished() -> View | Refusal:
        interviews = context.of(request).web_interviews
        return await interviews.finish(post.visitor.sender, session_id, key=_key(post))

    return await _changed(request, post.visitor, session_id, finished)


@router.post("/interviews/{session_id}/delete")
async def delete(request: Request, post: Posted, session_id: str) -> Response:
    """Delete an interview with everything that is kept of it."""
    found = context.of(request)
    if not post.is_sure:
        view = await found.web_interviews.get(post.visitor.sender, session_id)
        title = found.web_interviews.packs.find(view.session.pack).title
        return confirm(request, post, "interview-delete-confirm", title, f"/interviews/{session_id}")
    await found.web_interviews.delete(post.visitor.sender, session_id)
    return context.see("/interviews")


async def _changed(
    request: Request,
    visitor: Visitor,
    session_id: str,
    change: Callable[[], Awaitable[View | Refusal]],
    typed: str = "",
) -> Response:
    """Lead back to the page after a change; where there was none, the page says why and keeps the words."""
    try:
        outcome = await change()
    except InterviewUnknownError:
        raise
    except InputError as exc:
        fault, status = context.words(exc.reason, visitor.language), status_of(exc)
    else:
        if not isinstance(outcome, Refusal):
            return _back(session_id)
        error = refused(outcome)
        fault = context.TEXTS.text(error.message, visitor.language, **error.values)
        status = error.status
    return await _page(request, visitor, session_id, code=status, fault=fault, typed=typed)


async def _page(
    request: Request,
    visitor: Visitor,
    session_id: str,
    *,
    severity: str = "",
    status: str = "",
    code: int = 200,
    **more: str,
) -> Response:
    found = context.of(request)
    # Before the interview: a turn that ends in between is seen twice, and not missed.
    at_work = await _at_work(request, visitor, session_id)
    view = await found.web_interviews.get(visitor.sender, session_id)
    mission = found.web_interviews.packs.find(view.session.pack)
    asked = view.next_action.ask_user or (view.state.next_action and view.state.next_action.ask_user)
    shown: dict[str, Any] = {
        "view": view,
        "mission": mission,
        "known": views.state(view, mission, visitor.language, _changed_paths(view)),
        "missing": views.missing(view, mission, visitor.language),
        "issues": [issue for issue in view.state.issues if _is_wanted(issue, severity, status)],
        "severities": SEVERITIES,
        "statuses": STATUSES,
        "severity": severity,
        "issue_status": status,
        "question": asked if view.session.is_open else None,
        "asked": views.question(asked, visitor.language) if asked and view.session.is_open else (),
        **at_work,
        "key": uuid4().hex,
        "fault": "",
        "typed": "",
        **more,
    }
    reply = found.page("interview.html", visitor, **shown)
    reply.status_code = code
    return reply


async def _at_work(request: Request, visitor: Visitor, session_id: str) -> dict[str, Any]:
    at_work = await context.of(request).web_interviews.list_at_work(visitor.sender, session_id)
    return {"at_work": at_work, "at_work_path": f"/interviews/{session_id}/at-work"}


def _changed_paths(view: View) -> frozenset[str]:
    last = view.events[-1]
    return frozenset(last.facts) if isinstance(last, TurnApplied) else frozenset()


def _is_wanted(issue: Issue, severity: str, status: str) -> bool:
    return severity in {"", issue.severity} and status in {"", issue.status}


def _key(post: Post) -> str:
    return post.text("key")[:_MOST_KEY] or uuid4().hex


def _back(session_id: str) -> Response:
    return context.see(f"/interviews/{session_id}#talk")
