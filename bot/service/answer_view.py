"""Sentences about an answer, for every channel: how it was produced and checked, the names of its
steps, and its log line.
"""

from __future__ import annotations

from typing import Any

from bot.texts import TEXTS
from rag.values import Answer, Verdict


def name_step(step: str, language: str) -> str:
    """Return the name of an engine step in the reader's language.

    A stored answer may hold a step that only an earlier version had: its bare name is returned.
    """
    try:
        name = TEXTS.text(f"step-{step.replace(' ', '_')}", language)
    except LookupError:
        name = step.replace("_", " ")
    return name[:1].upper() + name[1:]


def explain_answer(answer: Answer, language: str) -> str:
    """Return one sentence that says how an answer was produced."""
    documents = len({passage.source or passage.document for passage in answer.passages})
    if answer.failure is not None:
        message = "why-failed"
    elif answer.council is not None:
        message = "why-council"
    elif answer.label == "general":
        has_looked = any(step.step in {"probe", "retrieve"} for step in answer.trace)
        message = "why-general" if has_looked else "why-small-talk"
    elif answer.label == "verified" and answer.used_documents:
        message = "why-corrected" if answer.retries else "why-read"
    else:
        message = {
            "verified": "why-confirmed",
            "unverified": "why-unverified",
            "not_in_documents": "why-not-found",
        }[answer.label]
    return TEXTS.text(message, language, documents=documents)


def explain_verdict(verdict: Verdict, language: str) -> str:
    """Return a sentence with the verdict, its confidence and its source."""
    quality = TEXTS.text(f"quality-{verdict.quality}", language)
    if verdict.quality == "unchecked":
        return quality[:1].upper() + quality[1:]
    return TEXTS.text(
        "why-verdict",
        language,
        quality=quality,
        percent=round(verdict.confidence * 100),
        source=TEXTS.text(f"verdict-{verdict.source}", language),
    )


def explain_missing_review(answer: Answer, language: str) -> str:
    """Return the sentence that nobody reviewed an answer; empty after a review or a council.

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


def summarise_for_log(answer: Answer) -> dict[str, Any]:
    """Return the fields of the log line of an answer; they hold no word of its question or text."""
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
