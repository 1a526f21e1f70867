"""Asks members for the stages; a member that fails becomes a value, not an error."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import TypeVar

from rag import checks
from rag.errors import BudgetExhaustedError, ModelError, ThinkTwiceError
from rag.events import CouncilEvent
from rag.models.chat import Message
from rag.prompting.library import RenderedPrompt
from rag.runs.run import Outcome, Run
from rag.values import Classification, FinishReason, ModelCall, Passage
from rag.values.council import ResponseStatus, Seat, StageName

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Assignment:
    """The task that all members work on.

    Args:
        reading: Classification of the question. Durable records contain this field name, so it must stay.
        passages: What the documents say about it; empty when they do not cover it.
        start_value: What letters and orders are drawn from.
    """

    reading: Classification
    passages: tuple[Passage, ...]
    start_value: int


@dataclass(frozen=True, slots=True)
class Reply:
    """The reply of a member.

    Args:
        text: The text; None when there is none.
        calls: What the call cost, also when it failed.
        has_failed: No reply came at all.
    """

    text: str | None
    finish_reason: FinishReason = "stop"
    calls: tuple[ModelCall, ...] = ()
    has_timed_out: bool = False
    has_failed: bool = False

    @property
    def status(self) -> ResponseStatus:
        """The outcome of the call."""
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
    """Ask one member; a model that fails is a reply without text."""
    try:
        completion, call = await run.ask(
            purpose, prompt, seat=seat, history=history, patience=run.tools.council.patience_seconds
        )
    except ModelError as exc:
        return Reply(None, calls=exc.spent, has_timed_out=exc.timed_out, has_failed=True)
    except BudgetExhaustedError as exc:
        return Reply(None, calls=exc.spent, has_failed=True)
    return Reply(completion.text.strip() or None, completion.finish_reason, (call,))


async def ask_everybody(
    run: Run,
    stage: StageName,
    step: str,
    works: Sequence[tuple[Seat, Callable[[], Awaitable[Outcome[T]]], T]],
    describe: Callable[[T], tuple[str, float, int]],
) -> tuple[T, ...]:
    """Let members work side by side, telling of each that has finished; return their work in the given order.

    Args:
        works: For each member what it does, and what stands in its place when its step fails.
        describe: Returns the status, the seconds and the tokens of a member's work.
    """

    def settled(place: int, found: T | ThinkTwiceError) -> T:
        return works[place][2] if isinstance(found, ThinkTwiceError) else found

    def tell(place: int, found: T | ThinkTwiceError) -> None:
        announce_member(run, stage, works[place][0], *describe(settled(place, found)))

    done = await run.steps(step, [work for _seat, work, _failed in works], tell)
    return tuple(settled(place, found) for place, found in enumerate(done))


def mend(run: Run, assignment: Assignment, text: str, finish_reason: FinishReason) -> str:
    """Return a member's text without faults that code can mend; it may be empty then."""
    found = checks.run(
        text,
        language=assignment.reading.language,
        finish_reason=finish_reason,
        asked=run.question.text,
        passage_count=len(assignment.passages) or None,
    )
    return checks.repair(text, found)


def announce_member(run: Run, stage: StageName, seat: Seat, status: str, seconds: float, tokens: int) -> None:
    """Tell that a member has finished its part of a stage."""
    told = {"seat": seat, "status": status, "ms": round(seconds * 1000), "tokens": tokens}
    run.emit(CouncilEvent(f"{stage}_model", told))


def model_of(run: Run, seat: Seat) -> str:
    """The model of a seat, as the settings name it."""
    return run.tools.council.seat(seat).model if seat else run.tools.model_settings.named("chairman")
