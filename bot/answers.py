"""An answer as other programs read it: the JSON object of ``thinktwice ask --json``."""

from __future__ import annotations

from typing import Any

from rag.values import Answer, StepTrace, Usage


def to_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as plain data; the README lists the keys.

    Milliseconds and seconds are rounded, all else is as it is.
    """
    return {
        "question": answer.question,
        "answer": answer.text,
        "label": answer.label,
        "language": answer.language,
        "mode": answer.mode,
        "score": None if answer.score is None else round(answer.score, 3),
        "verdict": {
            "quality": answer.verdict.quality,
            "confidence": round(answer.verdict.confidence, 3),
            "reason": answer.verdict.reason,
            "source": answer.verdict.source,
        },
        "citations": [
            {
                "n": citation.n,
                "document": citation.document,
                "section": citation.section,
                "quote": citation.quote,
            }
            for citation in answer.citations
        ],
        "used_documents": answer.used_documents,
        "retries": answer.retries,
        "usage": {
            **_usage(answer.usage),
            "by_role": {role: _usage(usage) for role, usage in answer.usage.by_role.items()},
        },
        "seconds": round(answer.seconds, 3),
        "trace": [
            {"step": step.step, "ms": round(step.milliseconds, 1), "detail": _detail(step)}
            for step in answer.trace
        ],
    }


def _detail(step: StepTrace) -> str:
    """What came out of a step, and which prompt exactly was used for it."""
    return f"{step.detail} ({step.prompt})" if step.prompt else step.detail


def _usage(usage: Usage) -> dict[str, int]:
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
    }
