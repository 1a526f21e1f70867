"""The trail of a turn: which steps it took, what the model wrote, and what was made of it, in this order.

A turn whose end is checked by a model has both steps in its trail, each with what came of it.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from pydantic import JsonValue

from rag.interview.documents import StepOutput
from rag.values import StepTrace

MAX_RAW_CHARACTERS = 20_000


def describe_steps(steps: Sequence[StepTrace]) -> Iterator[dict[str, JsonValue]]:
    """Yield a line for each step: its name, prompt, model, tokens and time, and what came of it."""
    for step in steps:
        yield {
            "step": step.step,
            "prompt": step.prompt,
            "model": step.model,
            "tokens": step.tokens,
            "milliseconds": round(step.milliseconds),
            "detail": step.detail.to_json(),
        }


def describe_raw(replies: Sequence[str]) -> Iterator[dict[str, JsonValue]]:
    """Yield a line for each reply as the model wrote it."""
    for reply in replies:
        yield {"raw": reply[:MAX_RAW_CHARACTERS]}


def describe_output(output: StepOutput) -> list[dict[str, JsonValue]]:
    """Return what a model says of its own work. It changes nothing: code decides."""
    said: dict[str, JsonValue] = {
        "decision": "the model's own words",
        "rationale": output.rationale,
        "wants": output.next_action.kind,
        "safety": output.safety.model_dump(),
        "observations": list(output.observations),
    }
    return [said]
