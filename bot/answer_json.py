"""An answer as other programs read it: the JSON object of ``thinktwice ask --json``."""

from __future__ import annotations

from typing import Any

from rag.council import record
from rag.values import Answer, Savings, StepTrace, Usage


def to_json(answer: Answer) -> dict[str, Any]:
    """Return the answer as plain data; the README lists the keys.

    Milliseconds and seconds are rounded, all else is as it is. Sentences about the work are English, with
    their code and values beside them. The answer of a council also has ``council``: see `rag.council.record`.
    """
    found: dict[str, Any] = {
        "question": answer.question,
        "answer": answer.text,
        "label": answer.label,
        "language": answer.language,
        "mode": answer.mode,
        "score": None if answer.score is None else round(answer.score, 3),
        "unrefined": answer.unrefined or None,
        "verdict": {
            "quality": answer.verdict.quality,
            "confidence": round(answer.verdict.confidence, 3),
            "reason": str(answer.verdict.reason),
            **answer.verdict.reason.to_json(),
            "source": answer.verdict.source,
        },
        "citations": [
            {
                "n": citation.n,
                "document": citation.document,
                "section": citation.section,
                "quote": citation.quote,
                "source": citation.source,
                "url": citation.url or None,
            }
            for citation in answer.citations
        ],
        "used_documents": answer.used_documents,
        "retries": answer.retries,
        "usage": usage_to_json(answer.usage),
        "savings": savings_to_json(answer.savings),
        "seconds": round(answer.seconds, 3),
        "trace": [
            {
                "step": step.step,
                "ms": round(step.milliseconds, 1),
                "detail": _detail(step),
                **step.detail.to_json(),
                "notes": [{"text": str(note), **note.to_json()} for note in step.notes],
            }
            for step in answer.trace
        ],
    }
    if answer.council is not None:
        found["council"] = record.to_json(answer.council)
    return found


def _detail(step: StepTrace) -> str:
    return f"{step.detail} ({step.prompt})" if step.prompt else str(step.detail)


def usage_to_json(usage: Usage) -> dict[str, Any]:
    """Return sums over model calls as plain data, in all and by role, of a council also by seat and step.

    The cost is null when no call had a price, and a lower bound while there are `unpriced_calls`.
    """
    found: dict[str, Any] = {
        **_sums(usage),
        "by_role": {role: _sums(part) for role, part in usage.by_role.items()},
    }
    if usage.by_seat:
        found["by_seat"] = {
            seat: {step: _sums(part) for step, part in steps.items()} for seat, steps in usage.by_seat.items()
        }
    return found


def savings_to_json(savings: Savings) -> dict[str, Any]:
    """Return the judge calls that were saved as plain data, in all and by the free layer that saved them."""
    by_layer = {layer: {"calls": own.calls, "tokens": own.tokens} for layer, own in savings.by_layer.items()}
    return {"calls": savings.calls, "tokens": savings.tokens, "by_layer": by_layer}


def _sums(usage: Usage) -> dict[str, int | float | None]:
    is_unknown = usage.unpriced_calls and not usage.cost
    return {
        "calls": usage.calls,
        "input_tokens": usage.input_tokens,
        "output_tokens": usage.output_tokens,
        "seconds": round(usage.seconds, 3),
        "cost": None if is_unknown else round(usage.cost, 9),
        "unpriced_calls": usage.unpriced_calls,
    }
