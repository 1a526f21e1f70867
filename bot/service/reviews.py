"""What readers are told about the review of an answer."""

from __future__ import annotations

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
