"""Members of a council for tests: well-behaved models, on a server or in the process."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable
from typing import Any

from rag.models.chat import ChatRequest
from rag.models.scripted import Reply
from tests.support.loopback import Recorded
from tests.support.servers import Behaviour, Say

MEMBERS = ("anna", "boris", "chen")
SEATS = {name: {"model": f"openai:{name}"} for name in MEMBERS}
QUESTION = "Which Java does FxStore need?"

VARIABLES = {
    "THINKTWICE_COUNCIL__MEMBERS": json.dumps(MEMBERS),
    "THINKTWICE_COUNCIL__CHAIRMAN": "anna",
    "THINKTWICE_COUNCIL__SEATS": json.dumps(SEATS),
}


def behave(request: Recorded) -> Behaviour:
    """Reply as a member whose answer is Java 17 and who changes a word when it corrects itself."""
    return Say(reply_of(str(request.body.get("model", "")), whole_text(request)))


def whole_text(request: Recorded) -> str:
    messages: list[dict[str, Any]] = request.body["messages"]
    return "\n".join(str(message["content"]) for message in messages)


def stage_of(text: str) -> str:
    """Return the step that a prompt belongs to: ``propose``, ``peer_review`` … or an empty string."""
    marks = {
        "You judge answers to a question.": "peer_review",
        "You correct your own answer.": "self_correct",
        "You are the chairman of a council.": "conclude",
        "You are a member of a council": "propose",
    }
    return next((stage for mark, stage in marks.items() if mark in text), "")


def reply_of(model: str, text: str) -> str | dict[str, Any]:
    match stage_of(text):
        case "peer_review":
            (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", text)
            shown = str(listed).split(", ")
            critique = {"label": shown[0], "strengths": "Short.", "issues": [f"{model} finds it dull"]}
            return {"ranking": shown, "critiques": [critique]}
        case "self_correct":
            return f"FxStore needs Java 17 [1]. {model} has corrected that."
        case "conclude":
            return "FxStore needs Java 17 [1]."
        case "propose":
            return f"FxStore needs Java 17 [1]. So says {model}."
    if "answer_quality" in text:
        return {"answer_quality": "adequate", "reason": "fine", "confidence": 0.9}
    return "Java 17"


Script = Callable[[ChatRequest], Reply | None]


class Model:
    def __init__(self) -> None:
        self.script: Script = lambda _request: None
        self.closed = ""
        self.gate = asyncio.Event()
        self.asked: list[tuple[str, str]] = []

    async def __call__(self, request: ChatRequest) -> Reply:
        self.asked.append((request.purpose, request.seat))
        if self.closed == request.purpose and request.seat != "anna":
            await self.gate.wait()
        if (said := self.script(request)) is not None:
            return said
        match request.purpose:
            case "propose":
                return f"FxStore needs Java 17 [1]. So says {request.seat}."
            case "peer_review":
                (listed,) = re.findall(r"Rank exactly these letters: ([A-Z, ]+)\.", request.messages[-1].text)
                shown = str(listed).split(", ")
                return {"ranking": shown, "critiques": [{"label": shown[0], "issues": ["too long"]}]}
            case "self_correct":
                return f"FxStore needs Java 17 [1]. {request.seat} has corrected that."
            case "conclude":
                return "FxStore needs Java 17 [1]."
            case "judge":
                return {"answer_quality": "adequate", "reason": "the passage says it", "confidence": 0.9}
            case _:
                return "Java 17"
