"""The answer engine: drafts an answer, checks it against the documents, and corrects it.

    async with AnswerEngine.open("data", corpus="handbook", model="ollama:qwen3:8b") as engine:
        answer = await engine.answer("Which Java do we need?")

These names are the public interface of the engine. Each is imported when it is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from rag import errors, events
    from rag.engine import AnswerEngine
    from rag.knowledge.sync import Progress, SyncReport
    from rag.models.chat import ChatModel
    from rag.reasons import Reason
    from rag.runs.run import Corpus
    from rag.runs.work import RunStep
    from rag.settings import Settings
    from rag.values import Answer, Citation, Passage, Question, Turn, Verdict

__all__ = [
    "Answer",
    "AnswerEngine",
    "ChatModel",
    "Citation",
    "Corpus",
    "Passage",
    "Progress",
    "Question",
    "Reason",
    "RunStep",
    "Settings",
    "SyncReport",
    "Turn",
    "Verdict",
    "errors",
    "events",
]

_MODULE_OF = {
    "AnswerEngine": "engine",
    "ChatModel": "models.chat",
    "Corpus": "runs.run",
    "Progress": "knowledge.sync",
    "Reason": "reasons",
    "RunStep": "runs.work",
    "Settings": "settings",
    "SyncReport": "knowledge.sync",
}
"""Modules of the names that are not in `rag.values`."""


def __getattr__(name: str) -> Any:  # noqa: ANN401 - any of the names above
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    if name in {"errors", "events"}:
        return import_module(f"{__name__}.{name}")
    return getattr(import_module(f"{__name__}.{_MODULE_OF.get(name, 'values')}"), name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
