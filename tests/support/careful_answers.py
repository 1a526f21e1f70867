"""Answers in careful mode by a scripted writer, critic and refiner, for tests."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from rag.models.scripted import Reply, ScriptedModel
from rag.settings import Critique
from rag.values import Answer, Question, Turn
from rag.verifier import Verifier
from tests.support.loop import QUESTION, engine, purposes, scripted

DRAFT = "FxStore is a shop for small programs, and it was written in Java long ago."
BETTER = "FxStore is a shop for small programs. It was written in Java, long ago, by a team."
BEST = "FxStore is a shop for small programs; a team wrote it in Java, and that was long ago."
CONVERSATION = replace(QUESTION, history=(Turn("user", "Hello!"), Turn("assistant", "Hello.")))


def score(value: float, *issues: str) -> dict[str, Any]:
    """Return what a critic says that gives the same marks for everything."""
    return {
        "accuracy": value,
        "helpfulness": value,
        "completeness": value,
        "issues": list(issues or ["it is vague"]),
    }


def written(text: Reply) -> Reply:
    """Return what the refiner replies when it writes a text; anything else is a fault of its own."""
    return {"answer": text} if isinstance(text, str) else text


async def careful(
    critiques: Reply | Sequence[Reply],
    refined: Reply | list[str] = BETTER,
    question: Question = QUESTION,
    critique: Critique | None = None,
    verifier: Verifier | None = None,
    **replies: Reply | Sequence[Reply],
) -> tuple[Answer, list[str], ScriptedModel]:
    """Answer a question; return the answer, the steps that asked a model after the draft, and the model."""
    versions = [written(text) for text in refined] if isinstance(refined, list) else written(refined)
    model = scripted(**{"draft": DRAFT, "critique": critiques, "refine": versions, **replies})
    answer = await engine(model, mode="careful", critique=critique, verifier=verifier).answer(question)
    return answer, [name for name in purposes(model) if name not in {"draft", "review"}], model
