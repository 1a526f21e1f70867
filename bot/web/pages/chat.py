"""A chat: questions and answers as a thread, the field at its end, and the earlier chats beside it."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Any, Final, get_args
from uuid import uuid4

from fastapi import APIRouter, Path
from starlette.requests import Request
from starlette.responses import Response

from bot.service import keys
from bot.service.councils import reason_not_to_hold
from bot.service.people import Refusal
from bot.service.runs import Run
from bot.web import context, run_view
from bot.web.api import load_end, own_run, refused
from bot.web.errors import ConsoleError, not_found
from bot.web.runs import PERSON, Action
from bot.web.visitors import Before, Member, Posted, Visitor, confirm
from rag.values import MODES

router = APIRouter(include_in_schema=False)

_MOST_TURNS: Final = 20
_MOST_CHATS: Final = 30
_EXAMPLES: Final = 4
_TITLE_CHARACTERS: Final = 200
_SOURCES: Final = {"": None, "documents": True, "all": False}
"""The names that the form gives to what may answer, and whether that is the documents only; None: as set."""

_RATINGS: Final = {"useful": True, "wrong": False, "none": None}

_Number = Annotated[int, Path(ge=1, le=2**53)]


@dataclass(frozen=True, slots=True)
class Chat:
    """A chat as lists show it: its number, and its title or its first question."""

    number: int
    title: str


@router.get("/")
async def begin(request: Request, visitor: Member, q: str | None = None) -> Response:
    """A new chat; with `q`, the earlier chats whose titles hold these words."""
    if q is None:
        return await _page(request, visitor, None)
    chats = [chat for chat in await _chats(request, visitor) if q.casefold().strip() in chat.title.casefold()]
    return context.of(request).page("chats.html", visitor, found=chats, wanted=q, chats=chats[:_MOST_CHATS])


@router.get("/chats/{number}")
async def show_chat(request: Request, visitor: Member, number: _Number, before: Before = None) -> Response:
    """A chat, its last question at the end; `before` shows an earlier page."""
    return await _page(request, visitor, number, before)


@router.post("/ask")
async def order(request: Request, post: Posted) -> Response:
    """Have a question answered, and lead on to the run; a question that is refused stays in the field."""
    action, mode, number = post.text("kind") or "answer", post.text("mode"), post.text("conversation")
    is_known = action in get_args(Action) and mode in {"", *MODES} and post.text("from") in _SOURCES
    if not is_known or not re.fullmatch(r"[0-9]{0,16}", number):
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
    if not isinstance(taken, Refusal):
        return context.see(f"/runs/{taken.run_id}#latest")
    error = refused(taken)
    fault = context.TEXTS.text(error.message, post.visitor.language, **error.values)
    chat, typed = int(number or 0) or None, post.text("question")
    return await _page(request, post.visitor, chat, fault=fault, typed=typed, status=error.status)


@router.get("/runs/{run_id}")
async def show(request: Request, visitor: Member, run_id: str) -> Response:
    """The chat that a run belongs to; of one that was ordered elsewhere, the run alone."""
    view = await _view(request, visitor, run_id)
    if view.conversation is None:
        return await _page(request, visitor, None, turns=[view], chat=None)
    return await _page(request, visitor, view.conversation)


@router.get("/runs/{run_id}/view")
async def show_again(request: Request, visitor: Member, run_id: str) -> Response:
    """The part of that page that grows."""
    view = await _view(request, visitor, run_id)
    passable = await _passable(request, visitor, [view])
    return context.of(request).page(
        "_turn.html", visitor, view=view, key=uuid4().hex, modes=MODES, passable=passable
    )


@router.get("/runs/{run_id}/sources/{number}")
async def show_source(request: Request, visitor: Member, run_id: str, number: int) -> Response:
    """The document of a source, open at the passage, with the words marked that the answer rests on."""
    parts = context.of(request).parts
    if run_id.startswith(keys.web_run(visitor.user_id, "")):
        # Answers are kept longer than the runs that they came from.
        answer = await parts.memory.load_answer(run_id)
    else:
        answer = (await _view(request, visitor, run_id)).answer
    cited = next((one for one in answer.citations if one.n == number), None) if answer else None
    if answer is None or cited is None:
        raise not_found()
    # The passage is kept with the answer; what stands around it is shown to whom the document is open now.
    allowed = await parts.document_sets.of_chat(visitor.user_id)
    around = await parts.library.around(cited.passage, allowed)
    kept = next((one.text for one in answer.passages if one.id == cited.passage), cited.quote)
    return context.of(request).page(
        "source.html",
        visitor,
        run_id=run_id,
        cited=cited,
        passages=around or [(cited.passage, cited.section, kept)],
        is_gone=not around,
    )


@router.post("/runs/{run_id}/cancel")
async def cancel(request: Request, post: Posted, run_id: str) -> Response:
    """Stop a run."""
    await own_run(request, post.visitor, run_id)
    await context.of(request).web_runs.cancel(run_id)
    return context.see(f"/runs/{run_id}#latest")


@router.post("/runs/{run_id}/person")
async def ask_person(request: Request, post: Posted, run_id: str) -> Response:
    """Pass the question of a run on to the people who know, and lead on to where their reply will stand."""
    run = await own_run(request, post.visitor, run_id)
    end, _ = await load_end(request, run)
    taken = await context.of(request).web_runs.ask_person(run, str(end.get("exchange", "")))
    return context.see(f"/runs/{taken.run_id if taken else run_id}#latest")


@router.post("/runs/{run_id}/feedback")
async def rate(request: Request, post: Posted, run_id: str) -> Response:
    """Store the rating that the reader gives to the answer of a run."""
    run = await own_run(request, post.visitor, run_id)
    if post.text("rating") not in _RATINGS:
        raise ConsoleError(400, "web-error-400")
    await context.of(request).parts.answers.feedback(run.id, _RATINGS[post.text("rating")])
    return context.see(f"/runs/{run_id}#{run_view.anchor(run_id)}")


@router.post("/chats/{number}/rename")
async def rename(request: Request, post: Posted, number: _Number) -> Response:
    """Give a chat a title; an empty one names it by its first question again."""
    title = " ".join(post.text("title").split())[:_TITLE_CHARACTERS]
    conversation_id = keys.web_conversation_key(post.visitor.user_id, number)
    await context.of(request).parts.conversations.rename(conversation_id, title)
    return context.see(f"/chats/{number}")


@router.post("/chats/{number}/forget")
async def forget(request: Request, post: Posted, number: _Number) -> Response:
    """Forget a chat: its words and its runs."""
    if not post.is_sure:
        title = next(
            (chat.title for chat in await _chats(request, post.visitor) if chat.number == number), ""
        )
        return confirm(request, post, "web-forget-sure", title, f"/chats/{number}")
    await context.of(request).parts.memory.reset(keys.web_conversation_key(post.visitor.user_id, number))
    return context.see("/")


async def _page(
    request: Request,
    visitor: Visitor,
    number: int | None,
    before: int | None = None,
    **more: Any,  # noqa: ANN401 - as templates take them
) -> Response:
    """Draw a chat; without a number a new one. The council is offered to those who may ask it."""
    found, parts = context.of(request), context.of(request).parts
    chats = await _chats(request, visitor)
    holder = await parts.chats.get(visitor.user_id)
    shown: dict[str, Any] = {
        "key": uuid4().hex,
        "modes": MODES,
        "mode_names": {"": "web-mode-default"} | {mode: f"mode-name-{mode}" for mode in MODES},
        "has_council": reason_not_to_hold(visitor.role, holder, parts.settings.council) is None,
        "chats": chats[:_MOST_CHATS],
        "chat": Chat(0, ""),
        "turns": [],
        **dict.fromkeys(("examples", "fault", "typed", "earlier"), ""),
    }
    if "turns" in more:
        shown["passable"] = await _passable(request, visitor, more["turns"])
    if number is not None:
        turns, shown["earlier"] = await _turns(request, visitor, number, before)
        if not turns and not more:
            raise not_found()
        titles = [chat.title for chat in chats if chat.number == number]
        shown["passable"] = await _passable(request, visitor, turns)
        shown |= {"turns": turns, "chat": Chat(number, titles[0] if titles else "")}
    elif "turns" not in more:
        allowed = await parts.document_sets.of_chat(visitor.user_id)
        shown["examples"] = await parts.library.headings(_EXAMPLES, allowed)
    return found.page("chat.html", visitor, **shown | more)


async def _passable(request: Request, visitor: Visitor, turns: list[run_view.RunView]) -> frozenset[str]:
    """Return the ids of the runs below which a person can be asked, and was not."""
    passed = context.of(request).web_runs.passed
    asked = {turn.run.id for turn in turns}
    return frozenset(
        [
            turn.run.id
            for turn in turns
            if turn.answer is not None
            and turn.is_open
            and f"{turn.run.id}:{PERSON}" not in asked
            and await passed.is_offered(visitor.user_id, turn.answer)
        ]
    )


async def _chats(request: Request, visitor: Visitor) -> list[Chat]:
    """Return the chats of a person, the latest first; those without an answer yet are among them."""
    parts = context.of(request).parts
    titles: dict[str, str] = {}
    stored = await parts.conversations.titles(keys.web_conversations_of(visitor.user_id))
    for run in await parts.stored_runs.latest(visitor.user_id, _MOST_TURNS):
        if keys.web_conversation_number(run.conversation_id) and run.conversation_id not in stored:
            titles[run.conversation_id] = (await _view(request, visitor, run.id)).question
    numbers = ((keys.web_conversation_number(each), title) for each, title in {**titles, **stored}.items())
    return [Chat(number, title) for number, title in numbers if number]


async def _turns(
    request: Request, visitor: Visitor, number: int, before: int | None
) -> tuple[list[run_view.RunView], int | None]:
    """Return a page of a chat, and before which message an earlier one ends.

    Answers are kept longer than the runs that they came from.
    """
    parts, key = context.of(request).parts, keys.web_conversation_key(visitor.user_id, number)
    # Before the messages: a run that ends in between has its answer among them.
    runs = {run.id: run for run in await parts.stored_runs.latest(visitor.user_id, 2 * _MOST_TURNS, key)}
    messages = await parts.conversations.messages(key, 2 * _MOST_TURNS + 1, before)
    shown = messages[-2 * _MOST_TURNS :]
    events = await parts.stored_runs.read_many(dict.fromkeys(runs, 0))
    told = {run_id: [event for event in events if event.run_id == run_id] for run_id in runs}
    answered = {message.exchange for message in shown}
    turns = [
        run_view.view(run, told[run.id], None, None, visitor.language)
        for run in runs.values()
        if before is None and run.state != "complete" and run.id not in answered
    ]
    question = ""
    for message in shown:
        if message.role == "user":
            question = message.text
            continue
        run = runs.get(message.exchange) or Run(
            message.exchange, "answer", visitor.user_id, key, message.created_at, "complete"
        )
        rating = await parts.answers.rating(run.id)
        view = run_view.view(run, told.get(run.id, []), message.answer, rating, visitor.language)
        turns.append(view.kept(question, message.text, is_open=run.id in runs))
    turns.sort(key=lambda turn: turn.run.at)
    return turns, shown[0].id if len(messages) > len(shown) else None


async def _view(request: Request, visitor: Visitor, run_id: str) -> run_view.RunView:
    parts = context.of(request).parts
    run = await own_run(request, visitor, run_id)
    if run.kind not in {*get_args(Action), PERSON}:
        raise not_found()
    events = await parts.stored_runs.read(run_id)
    exchange = str(events[-1].data.get("exchange", "")) if run.state == "complete" and events else ""
    answer = await parts.memory.load_answer(exchange) if exchange else None
    return run_view.view(run, events, answer, await parts.answers.rating(run.id), visitor.language)
