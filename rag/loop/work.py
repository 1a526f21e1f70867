"""A piece of work made of steps: its costs, its trail, its events, and how it asks models.

Answering a question is one kind of work (`rag.loop.run.Run`); nothing here knows a question.

A step is a function without arguments that returns an `Outcome`. `Work.step` carries it out through
`run_step`, so that a durable runner can record the outcome and, after a crash, hand it back instead of
doing (and paying for) the work again. An error is an outcome like any other: the time-out of a step and
the end of the budget are found inside it, and every cost travels with what is recorded.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from rag.errors import BudgetExhaustedError, ThinkTwiceError
from rag.events import Event, StepFinished, StepStarted, Text
from rag.models.calls import Caller, ModelTools
from rag.models.chat import ChatRequest, Completion, Message, Validator
from rag.models.ledger import Ledger
from rag.prompting.library import RenderedPrompt
from rag.reasons import Reason
from rag.values import ModelCall, StepTrace

_GRACE_SECONDS = 10.0

T = TypeVar("T")
Output = TypeVar("Output", bound=BaseModel)


class RunStep(Protocol):
    """Carries out a named step: ``await run_step(name, fn)`` returns what ``fn()`` returned, now or earlier.

    Names are unique within a piece of work and come in the same order for the same outcomes; steps that run
    side by side begin in that order.
    """

    def __call__(
        self, name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Awaitable[Any]:
        """Carry out a step.

        Args:
            name: Its name.
            work: What it does.
            is_light: It pays for nothing, and changes nothing that is kept or seen when it is done a second
                time, so it needs no record of its own.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a step gives back: its value, what came out of it, the model calls it made, their prompt."""

    value: T
    detail: Reason
    calls: tuple[ModelCall, ...] = ()
    prompt: str = ""


class Work:
    """One piece of work: its steps, costs, trail and events.

    Args:
        tools: What it asks models with.
        run_step: Carries out the steps; by default they are just called.
        emit: Receives the events.
        is_streaming: Ask the models for streamed text and emit its pieces.
    """

    def __init__(
        self,
        tools: ModelTools,
        run_step: RunStep | None = None,
        emit: Callable[[Event], None] | None = None,
        *,
        is_streaming: bool = False,
    ) -> None:
        self.tools = tools
        self.ledger = Ledger(tools.budget, price_table=tools.prices)
        self.trace: list[StepTrace] = []
        self._caller = Caller(tools, self.ledger)
        self._run_step: RunStep = run_step or _call
        self._emit = emit or _ignore
        self._is_streaming = is_streaming
        self._names: Counter[str] = Counter()

    async def step(
        self, name: str, work: Callable[[], Awaitable[Outcome[T]]], *, is_light: bool = False
    ) -> T:
        """Carry out a step, record its costs and its line of the trail, and return its value.

        A step may take what the budget has left, and a little even when nothing is left: what is known
        by then must still be put together. The second step of a name gets a number: ``read 2``.

        Args:
            name: What kind of step it is.
            work: What it does.
            is_light: It needs no record of its own; see `RunStep`.

        Raises:
            BudgetExhaustedError: the step took longer.
            ThinkTwiceError: what the step raised, after it was written to the trail.
        """
        self._names[name] += 1
        times = self._names[name]
        self._emit(StepStarted(name))
        started = time.perf_counter()
        numbered = name if times == 1 else f"{name} {times}"
        try:
            outcome: Outcome[T] = await self._run_step(
                numbered, lambda: self._bounded(work), is_light=is_light
            )
        except ThinkTwiceError as exc:
            self._charge(exc.spent)
            failed = Reason("step-failed", {"reason": exc.reason})
            self._note(StepTrace(name, _milliseconds(started), failed, tokens=_tokens(exc.spent)))
            raise
        self._charge(outcome.calls)
        self._note(
            StepTrace(
                step=name,
                milliseconds=_milliseconds(started),
                detail=outcome.detail,
                tokens=_tokens(outcome.calls),
                model=outcome.calls[-1].model if outcome.calls else "",
                prompt=outcome.prompt,
            )
        )
        return outcome.value

    async def steps(
        self, name: str, works: Sequence[Callable[[], Awaitable[Outcome[T]]]]
    ) -> list[T | ThinkTwiceError]:
        """Carry out steps of one name side by side; one that fails does not stop the others.

        Args:
            name: What kind of step they are; they are numbered in the order in which they are given.
            works: What each of them does.

        Returns:
            What each step returned, or the error that it raised, in the same order.
        """
        # Tasks begin in the order in which they are made, so the numbers are the same after a restart.
        found = await asyncio.gather(*(self.step(name, work) for work in works), return_exceptions=True)
        kept: list[T | ThinkTwiceError] = []
        for outcome in found:
            if isinstance(outcome, BaseException) and not isinstance(outcome, ThinkTwiceError):
                raise outcome
            kept.append(outcome)
        return kept

    async def ask(
        self,
        purpose: str,
        prompt: RenderedPrompt,
        *,
        seat: str = "",
        history: Sequence[Message] = (),
        output: type[BaseModel] | None = None,
        max_tokens: int = 0,
        patience: float | None = None,
        is_shown: bool = False,
        repairs: int = 1,
        validate: Validator | None = None,
    ) -> tuple[Completion, ModelCall]:
        """Make one model call within the budget.

        Args:
            purpose: The step that asks.
            prompt: Instructions and message, and the role that they are for.
            seat: The seat that is asked; empty: the model of the role.
            history: Messages between the instructions and the message.
            output: The type of a typed reply.
            max_tokens: Length of the reply at the most; 0: as the settings say for its kind.
            patience: Seconds beyond the usual time after which the call is given up; None: only when
                the budget or the client's own limit ends it.
            is_shown: The text is meant for the reader: stream it when somebody watches.
            repairs: How often a typed reply that cannot be used is asked for again.
            validate: Says what is wrong with a typed reply that has the right form.

        Raises:
            BudgetExhaustedError: the budget allows no further call, or its time ran out in this one.
            ModelError: the model gave no usable reply, or took longer than it usually does.
        """
        settings = self.tools.model_settings
        request = ChatRequest(
            role=prompt.role,
            instructions=prompt.instructions,
            messages=(*history, Message("user", prompt.message)),
            max_tokens=max_tokens or (settings.reply_tokens if output else settings.answer_tokens),
            output=output,
            purpose=purpose,
            seat=seat,
            repairs=repairs,
            validate=validate,
        )
        on_text = (
            (lambda piece: self._emit(Text(purpose, piece))) if is_shown and self._is_streaming else None
        )
        return await self._caller.call(request, on_text, patience)

    async def ask_typed(
        self,
        purpose: str,
        prompt: RenderedPrompt,
        output: type[Output],
        *,
        seat: str = "",
        max_tokens: int = 0,
        patience: float | None = None,
        repairs: int = 1,
        validate: Callable[[Output], str] | None = None,
    ) -> tuple[Output, ModelCall]:
        """Make one model call whose reply is an `output`; arguments and errors are those of `ask`."""
        completion, call = await self.ask(
            purpose,
            prompt,
            seat=seat,
            output=output,
            max_tokens=max_tokens,
            patience=patience,
            repairs=repairs,
            validate=validate,
        )
        if not isinstance(completion.parsed, output):
            raise TypeError(f"the model client returned no {output.__name__}")
        return completion.parsed, call

    async def _bounded(self, work: Callable[[], Awaitable[Outcome[T]]]) -> Outcome[T]:
        """Do a step's work in the time there is; that it took too long is its outcome, and recorded."""
        allowed = self.tools.budget.seconds
        try:
            async with asyncio.timeout(max(allowed - self.ledger.seconds, _GRACE_SECONDS)):
                return await work()
        except TimeoutError as exc:
            raise BudgetExhaustedError("seconds", self.ledger.seconds, allowed) from exc

    def _charge(self, calls: Iterable[ModelCall]) -> None:
        for call in calls:
            self.ledger.record(call)

    def _note(self, trace: StepTrace) -> None:
        self.trace.append(trace)
        self._emit(StepFinished(trace))


async def _call(
    _name: str,
    work: Callable[[], Awaitable[Any]],
    /,
    *,
    is_light: bool = False,  # noqa: ARG001 - nothing is recorded
) -> Any:  # noqa: ANN401 - a step's own type
    return await work()


def _ignore(_event: Event) -> None:
    pass


def _tokens(calls: Iterable[ModelCall]) -> int:
    return sum(call.input_tokens + call.output_tokens for call in calls)


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000
