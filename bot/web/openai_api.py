"""Answers for programs that speak OpenAI's chat completions: ``/v1/models`` and ``/v1/chat/completions``.

The last message of the person is the question, and those before it its conversation; nothing of an earlier
request is remembered, as these programs expect. A stream is silent until the answer is checked, because such
a program cannot take words back.
"""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import aclosing
from typing import Annotated, Any, Final, Literal
from uuid import uuid4

from fastapi import APIRouter, Depends, Header
from fastapi.security import HTTPBearer
from pydantic import BaseModel, ConfigDict, Field
from starlette.requests import Request
from starlette.responses import JSONResponse, Response, StreamingResponse

from bot.service.people import Refusal
from bot.service.runs import Run
from bot.views import answers
from bot.views.blocks import Sources
from bot.views.foreign_links import defuse_links
from bot.web import context, events
from bot.web.api import load_end, own_run, refused
from bot.web.errors import ConsoleError
from bot.web.runs import Action
from bot.web.visitors import Member, Ordering, Visitor
from rag.values import Answer, Mode, Speaker

router = APIRouter(
    prefix="/v1",
    tags=["chat completions"],
    dependencies=[Depends(HTTPBearer(auto_error=False, description="A token."))],
)

MODELS: Final[dict[str, tuple[Action, Mode | None]]] = {
    "thinktwice": ("answer", None),
    "thinktwice-quick": ("answer", "quick"),
    "thinktwice-balanced": ("answer", "balanced"),
    "thinktwice-careful": ("answer", "careful"),
    "thinktwice-council": ("council", None),
}
"""What a program may name as the model: who answers, and how thoroughly the answer is checked."""

_MOST_MESSAGES: Final = 1_000
_MOST_CHARACTERS: Final = 100_000
_MADE_AT: Final = 1_767_225_600
"""When the models were made, in seconds since 1970, as every list of models says: the year 2026."""


class Part(BaseModel):
    """A part of a message; only words are read."""

    model_config = ConfigDict(extra="ignore")

    type: Literal["text"]
    text: str = Field(max_length=_MOST_CHARACTERS)


class Message(BaseModel):
    """A message of the conversation; those of the system are the program's own, and not read."""

    model_config = ConfigDict(extra="ignore")

    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: Annotated[str, Field(max_length=_MOST_CHARACTERS)] | list[Part] | None = None

    @property
    def text(self) -> str:
        """The words of the message."""
        parts = self.content or ""
        return parts if isinstance(parts, str) else "\n".join(part.text for part in parts)


class Wanted(BaseModel):
    """A completion to be made. What else a program sends, such as a temperature, changes nothing."""

    model_config = ConfigDict(extra="ignore")

    messages: list[Message] = Field(
        min_length=1,
        max_length=_MOST_MESSAGES,
        examples=[[{"role": "user", "content": "Which Java does FxStore need?"}]],
    )
    model: str = Field("thinktwice", max_length=100, description="Who answers: one of `/v1/models`.")
    stream: bool = False


@router.get("/models", summary="List who may answer")
async def list_models(_visitor: Member) -> dict[str, Any]:
    """Return the names that a completion may be asked for."""
    named = (
        {"id": name, "object": "model", "created": _MADE_AT, "owned_by": "thinktwice"} for name in MODELS
    )
    return {"object": "list", "data": list(named)}


@router.post("/chat/completions", summary="Answer a conversation", response_model=None)
async def complete(
    request: Request,
    visitor: Ordering,
    wanted: Wanted,
    idempotency_key: Annotated[str | None, Header(max_length=200)] = None,
) -> Response:
    """Answer the last message of the person. The label, the sources and the run stand in `thinktwice`, and
    below the text as a footnote.
    """
    if wanted.model not in MODELS:
        raise ConsoleError(404, "web-openai-model", names=", ".join(MODELS))
    said: list[tuple[Speaker, str]] = [
        (one.role, one.text) for one in wanted.messages if one.role == "user" or one.role == "assistant"
    ]
    if not said or said[-1][0] != "user":
        raise ConsoleError(422, "web-openai-question")
    action, mode = MODELS[wanted.model]
    limit = context.of(request).parts.settings.self_correction.history_limit
    taken = await context.of(request).web_runs.start(
        visitor.user_id,
        said[-1][1],
        action=action,
        key=idempotency_key or uuid4().hex,
        mode=mode,
        history=tuple(said[:-1][-limit:] if limit else ()),
    )
    if isinstance(taken, Refusal):
        raise refused(taken)
    if wanted.stream:
        pieces = _stream(request, visitor, taken.run_id, wanted.model)
        headers = {"X-Accel-Buffering": "no"}
        return StreamingResponse(pieces, media_type="text/event-stream", headers=headers)
    run, answer = await wait_for_answer(request, visitor, taken.run_id)
    whole = _completion(run, answer, wanted.model, "chat.completion")
    text = _with_footnote(answer, context.of(request).parts.settings.telegram.link_hosts)
    message = {"role": "assistant", "content": text}
    whole["choices"] = [{"index": 0, "message": message, "finish_reason": "stop"}]
    return JSONResponse(whole)


async def _stream(request: Request, visitor: Visitor, run_id: str, model: str) -> AsyncIterator[bytes]:
    async for beat in _beats(request, run_id):
        yield beat
    try:
        run, answer = await _load_answer(request, visitor, run_id)
    except ConsoleError as exc:
        message = context.TEXTS.text(exc.message, visitor.language, **exc.values)
        yield _event({"error": {"code": exc.message, "message": message}})
        return
    whole = _completion(run, answer, model, "chat.completion.chunk")
    usage = whole.pop("usage")
    text = _with_footnote(answer, context.of(request).parts.settings.telegram.link_hosts)
    for delta in ({"role": "assistant", "content": ""}, {"content": text}):
        yield _event({**whole, "choices": [{"index": 0, "delta": delta, "finish_reason": None}]})
    yield _event({**whole, "choices": [{"index": 0, "delta": {}, "finish_reason": "stop"}], "usage": usage})
    yield b"data: [DONE]\n\n"


def _event(content: dict[str, Any]) -> bytes:
    return f"data: {json.dumps(content, ensure_ascii=False)}\n\n".encode("utf-8", "replace")


async def _beats(request: Request, run_id: str) -> AsyncIterator[bytes]:
    async with aclosing(events.stream(context.of(request).parts.runs, run_id, 0)) as frames:
        async for frame in frames:
            if frame == events.BEAT:
                yield frame


async def wait_for_answer(request: Request, visitor: Visitor, run_id: str) -> tuple[Run, Answer]:
    """Return a run and its answer once it is over; raise `ConsoleError` if it failed or was cancelled."""
    async for _ in _beats(request, run_id):
        pass
    return await _load_answer(request, visitor, run_id)


async def _load_answer(request: Request, visitor: Visitor, run_id: str) -> tuple[Run, Answer]:
    run = await own_run(request, visitor, run_id)
    end, answer = await load_end(request, run)
    if answer is None:
        if run.state == "cancelled":
            raise ConsoleError(409, "answer-stopped")
        raise ConsoleError(502, "web-openai-failed", reason=context.problem(end, visitor.language))
    return run, answer


def _completion(run: Run, answer: Answer, model: str, kind: str) -> dict[str, Any]:
    usage = answer.usage
    return {
        "id": run.id,
        "object": kind,
        "created": int(run.at.timestamp()),
        "model": model,
        "usage": {
            "prompt_tokens": usage.input_tokens,
            "completion_tokens": usage.output_tokens,
            "total_tokens": usage.input_tokens + usage.output_tokens,
        },
        "thinktwice": {
            "label": answer.label,
            "run": run.id,
            "sources": [
                {"n": one.n, "document": one.document, "section": one.section, "quote": one.quote}
                for one in answer.citations
            ],
        },
    }


def _with_footnote(answer: Answer, link_hosts: tuple[str, ...]) -> str:
    """A program may load the images of what it draws, so foreign addresses are no links there."""
    lines: list[str] = []
    if answers.label(answer, answer.language):
        lines.append(f"*{context.TEXTS.text(f'label-{answer.label}', answer.language)}*")
    lines += [
        f"[{one.number}] {one.name}"
        for block in answers.cited(answer)
        if isinstance(block, Sources)
        for one in block.sources
    ]
    return defuse_links("\n\n".join(filter(None, (answer.text, "  \n".join(lines)))), link_hosts)
