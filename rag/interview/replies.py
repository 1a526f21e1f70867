"""A model's reply to a step of an interview, in a form that a durable runner can record."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from rag.interview.documents import StepOutput
from rag.prompting.library import RenderedPrompt
from rag.reasons import Reason
from rag.runs.work import Outcome, Work

_MAX_REPAIRS = 2


@dataclass(frozen=True, slots=True)
class ModelReply:
    """A reply that fits its form.

    Args:
        json: The reply as JSON of a `StepOutput`.
        raw: Everything that the model wrote, what was refused first.
    """

    json: str
    raw: tuple[str, ...] = ()

    @property
    def output(self) -> StepOutput:
        """The reply."""
        return StepOutput.model_validate_json(self.json)


async def ask_for_output(
    work: Work, purpose: str, prompt: RenderedPrompt, problem: Callable[[StepOutput], str]
) -> Outcome[ModelReply]:
    """Ask a model for a `StepOutput`; a reply that cannot be used is asked for again, at most twice.

    Args:
        problem: Says what is wrong with a reply of the right form; an empty string if nothing is.

    Raises:
        ModelError: no usable reply came, also after two repair requests.
        BudgetExhaustedError: the budget allows no call.
    """
    completion, call = await work.ask(
        purpose,
        prompt,
        output=StepOutput,
        max_tokens=work.tools.model_settings.answer_tokens * 2,
        repairs=_MAX_REPAIRS,
        validate=problem,
    )
    if not isinstance(completion.parsed, StepOutput):
        raise TypeError("the model client returned no StepOutput")
    output = completion.parsed
    detail = Reason(
        "interview-reply", {"changes": len(output.patch.ops), "issues": len(output.issue_updates)}
    )
    reply = ModelReply(output.model_dump_json(), completion.replies or (completion.text,))
    return Outcome(reply, detail, (call,), prompt.id)
