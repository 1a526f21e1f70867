"""The log line of an answer."""

from __future__ import annotations

from typing import Any

from rag.values import Answer


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
