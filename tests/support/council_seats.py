"""A council over one scripted model: every member is a seat, and the script sees which seat is asked."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

from rag.engine import AnswerEngine
from rag.events import Answered, CouncilEvent, Event
from rag.models.chat import ChatRequest
from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Budget, Council, Models
from rag.values import Answer, Question
from rag.values.council import CouncilRecord
from tests.support.loop import PROMPTS, MemoryCorpus, finds_java

MEMBERS = ("vendor:anna", "vendor:boris", "vendor:chen")
ASKED = "Which Java does FxStore need?"
FINAL = "FxStore needs Java 17 [1]."
# Each member proposes a text of its own.
PROPOSED = "FxStore needs Java 17 [1]. I am sure of {}."

Script = Callable[[ChatRequest], Reply | None]
"""What a test has members do; None: what a well-behaved member does."""


def saying(purpose: str, reply: Reply, seat: str = "") -> Script:
    """Let a seat, or everybody, give one reply in one step."""
    return lambda request: (
        reply if (request.purpose, seat or request.seat) == (purpose, request.seat) else None
    )


def letters(request: ChatRequest) -> list[str]:
    (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", request.messages[-1].text)
    return str(listed).split(", ")


def well_behaved(request: ChatRequest) -> Reply:
    name = request.seat.removeprefix("vendor:")
    match request.purpose:
        case "propose":
            return PROPOSED.format(f"draft{len(name)}{name[0]}")
        case "peer_review":
            shown = letters(request)
            critiques = [
                {"label": one, "strengths": "Short.", "issues": [f"fault of {one}"]} for one in shown
            ]
            return {"ranking": shown, "critiques": critiques}
        case "self_correct":
            return f"FxStore needs Java 17 [1]. Corrected word{len(name)}{name[0]}."
        case "conclude":
            return FINAL
        case "judge":
            return {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9}
        case _:
            return "Java 17"


def council_engine(
    script: Script = lambda _request: None,
    members: tuple[str, ...] = MEMBERS,
    corpus: MemoryCorpus | None = None,
    budget: Budget | None = None,
    **settings: Any,
) -> tuple[AnswerEngine, ScriptedModel]:
    """Build an engine whose members do what the script says, and behave well where it says nothing."""

    def reply(request: ChatRequest) -> Reply:
        said = script(request)
        return well_behaved(request) if said is None else said

    model = ScriptedModel(reply)
    settings = {"members": members, "chairman": "vendor:dora", **settings}
    engine = AnswerEngine(
        model,
        corpus or MemoryCorpus(),
        PROMPTS,
        budget=budget,
        model_settings=Models(default="openai:x"),
        council=Council(**settings),
        verifier=finds_java,
    )
    return engine, model


async def held(engine: AnswerEngine, question: str | Question = ASKED) -> tuple[Answer, list[CouncilEvent]]:
    events: list[Event] = [event async for event in engine.council(question)]
    last = events[-1]
    assert isinstance(last, Answered)
    return last.answer, [event for event in events if isinstance(event, CouncilEvent)]


def recorded(answer: Answer) -> CouncilRecord:
    assert answer.council is not None
    return answer.council


def prompt_of(model: ScriptedModel, purpose: str, seat: str) -> str:
    (request,) = (one for one in model.requests if (one.purpose, one.seat) == (purpose, seat))
    return f"{request.instructions}\n{request.messages[-1].text}"
