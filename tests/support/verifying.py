"""What tests of the verifiers share: passages, and a piece of work whose models reply from a script."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from rag.models.calls import ModelTools
from rag.models.chat import ChatModel, ChatRequest
from rag.prompting.library import PromptLibrary
from rag.runs.work import Work
from rag.settings import Budget, Models
from rag.values import Passage, PassageId

PROMPTS = PromptLibrary()

JAVA = Passage(PassageId("java"), "guide.md", "Set-up", "FxStore needs Java 17. It runs on Linux.")
LEAVE = Passage(PassageId("leave"), "leave.md", "", "Everybody has 28 days of leave. Ask your lead.")
EMPTY = Passage(PassageId("empty"), "empty.md", "", "")


def work(model: ChatModel, budget: Budget | None = None, **settings: Any) -> Work:
    """Return a piece of work; `settings` are those of the models."""
    return Work(
        ModelTools(
            models=model, prompts=PROMPTS, budget=budget or Budget(), model_settings=Models(**settings)
        )
    )


def question_of(request: ChatRequest) -> dict[str, Any]:
    body: dict[str, Any] = json.loads(request.messages[-1].text)
    return body


def deciding(decide: Callable[[str, dict[str, Any]], Any]) -> Callable[[ChatRequest], str]:
    """Return a script that answers each question by its name and its content; None leaves it open."""

    def reply(request: ChatRequest) -> str:
        answers = {
            name: decide(name, question) for name, question in question_of(request)["questions"].items()
        }
        return json.dumps({name: answer for name, answer in answers.items() if answer is not None})

    return reply


def noul(probability: float) -> dict[str, Any]:
    """Return the answer to a question of yes and no, as the protocol writes it."""
    return {"type": "noul", "noul": probability}


def choice(question: dict[str, Any], chosen: str, probability: float) -> dict[str, Any]:
    """Return the answer to a choice; the other options share the rest evenly."""
    others = [option for option in question["criteria"] if option != chosen]
    rest = (1 - probability) / len(others)
    probabilities = {chosen: probability} | dict.fromkeys(others, rest)
    return {"type": "choice", "choice": chosen, "probabilities": probabilities, "confidence": 0.5}
