"""What people and logs are told about how an answer was checked."""

from __future__ import annotations

from typing import Any

from bot.texts import TEXTS
from rag.values import Answer


def not_reviewed(answer: Answer, language: str) -> str:
    """Return the sentence that nobody reviewed an answer; empty if somebody did, or a council answered it.

    Args:
        answer: The answer with its trace.
        language: ISO 639-1 code of the reader's language.
    """
    if answer.council is not None or any(step.step == "review" for step in answer.trace):
        return ""
    if answer.mode == "careful":
        return TEXTS.text("why-not-reviewed", language)
    mode = TEXTS.text(f"mode-name-{answer.mode}", language)
    return TEXTS.text("why-not-reviewed-in-mode", language, mode=mode)


def figures_of(answer: Answer) -> dict[str, Any]:
    """Return what the one log line of an answer tells; no word of question or answer is in it."""
    return {
        "label": answer.label,
        "verdict": answer.verdict.quality,
        "by": answer.verdict.source,
        "mode": answer.mode,
        "corrections": answer.retries,
        "score": None if answer.score is None else round(answer.score, 3),
        "rounds": sum(step.step == "refine" for step in answer.trace),
        "calls": answer.usage.calls,
        "tokens": answer.usage.tokens,
        "seconds": round(answer.seconds, 1),
    }
