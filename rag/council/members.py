"""What the stages have in common: a member is asked, and whatever it does is a value."""

from __future__ import annotations

from dataclasses import dataclass

from rag import checks
from rag.council.values import ResponseStatus
from rag.errors import BudgetExhaustedError, ModelError
from rag.loop.run import Run
from rag.models.chat import Message
from rag.prompting.library import RenderedPrompt
from rag.values import Classification, FinishReason, ModelCall, Passage


@dataclass(frozen=True, slots=True)
class Assignment:
    """What all members work on.

    Args:
        reading: The question, standing alone, with its language.
        passages: What the documents say about it; empty when they do not cover it.
        start_value: What letters and orders are drawn from.
    """

    reading: Classification
    passages: tuple[Passage, ...]
    start_value: int


@dataclass(frozen=True, slots=True)
class Reply:
    """What a member wrote.

    Args:
        text: The text; None when there is none.
        finish_reason: Why the model stopped.
        calls: What the call cost, also when it failed.
        has_timed_out: The member did not answer in time.
        has_failed: No reply came at all.
    """

    text: str | None
    finish_reason: FinishReason = "stop"
    calls: tuple[ModelCall, ...] = ()
    has_timed_out: bool = False
    has_failed: bool = False

    @property
    def status(self) -> ResponseStatus:
        """What came of the call."""
        if self.has_failed:
            return "timed_out" if self.has_timed_out else "failed"
        if self.text is None or not checks.says_something(self.text):
            return "empty"
        return "cut_off" if self.finish_reason == "length" else "answered"

    @property
    def tokens(self) -> int:
        """Input and output tokens."""
        return sum(call.input_tokens + call.output_tokens for call in self.calls)

    @property
    def seconds(self) -> float:
        """Wall time."""
        return sum(call.seconds for call in self.calls)

    @property
    def model(self) -> str:
        """The model that answered."""
        return self.calls[-1].model if self.calls else ""


async def ask_member(
    run: Run,
    purpose: str,
    seat: str,
    prompt: RenderedPrompt,
    history: tuple[Message, ...] = (),
) -> Reply:
    """Ask one member; a model that fails is a reply without text.

    Args:
        run: The council's run.
        purpose: The stage.
        seat: Who is asked.
        prompt: What is asked.
        history: The conversation before it.
    """
    try:
        completion, call = await run.ask(
            purpose, prompt, seat=seat, history=history, patience=run.tools.council.patience_seconds
        )
    except ModelError as exc:
        return Reply(None, calls=exc.spent, has_timed_out=exc.timed_out, has_failed=True)
    except BudgetExhaustedError as exc:
        return Reply(None, calls=exc.spent, has_failed=True)
    return Reply(completion.text.strip() or None, completion.finish_reason, (call,))
