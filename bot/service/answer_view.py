"""An answer in words, for every channel: how it came about, what its evaluation said, what a step does."""

from __future__ import annotations

from bot.texts import TEXTS
from rag.values import Answer, Verdict


def name_step(step: str, language: str) -> str:
    """Return what a step of the engine does, as the reader's language says it.

    A stored answer may hold a step that only an earlier version knew: its bare name is shown.
    """
    try:
        name = TEXTS.text(f"step-{step}", language)
    except LookupError:
        name = step.replace("_", " ")
    return name[:1].upper() + name[1:]


def explain_answer(answer: Answer, language: str) -> str:
    """Return in one sentence how an answer came about."""
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
    """Return what the evaluation said, how sure it was, and who said it."""
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
