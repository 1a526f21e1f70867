"""Sentences about an answer, for every channel: how it was produced, its verdict, the names of its steps."""

from __future__ import annotations

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
