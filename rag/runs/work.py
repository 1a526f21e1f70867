"""A piece of work made of steps: its costs, trace, events and model calls.

Answering a question is one kind of work (`rag.runs.run.Run`); this module knows nothing about questions.

A step is a function without arguments that returns an `Outcome`. `Work.step` executes it through `run_step`,
so that a durable runner can record the outcome and return it after a crash instead of doing (and paying for)
the work again. Errors are recorded like outcomes: time-outs and the end of the budget are raised inside the
step, and errors carry their costs.
"""

from __future__ import annotations

import asyncio
import math
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

_MARGIN_SECONDS = 0.5
"""How much later than a model call the step that waits for it is ended, so that the call is counted first."""

T = TypeVar("T")
Output = TypeVar("Output", bound=BaseModel)


class RunStep(Protocol):
    """Executes a named step: ``await run_step(name, fn)`` returns the result of ``fn()``, new or recorded.

    Names are unique within a piece of work, and equal outcomes lead to the same sequence of names. Steps that
    run concurrently start in that order.
    """

    def __call__(
        self, name: str, work: Callable[[], Awaitable[Any]], /, *, is_light: bool = False
    ) -> Awaitable[Any]:
        """Execute a step.

        A light one can be repeated: its outcome is recorded with that of the next step, if there is one.
        """
        ...


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """The result of a step: its value, a summary for the trace, its model calls and its prompt id.

    ``notes`` is what the summary leaves out, such as each issue that a reviewer named.
    """

    value: T
    detail: Reason
    calls: tuple[ModelCall, ...] = ()
    prompt: str = ""
    notes: tuple[Reason, ...] = ()


class Work:
    """One piece of work: its steps, costs, trace and events.

    Args:
        run_step: Executes the steps; by default it just calls them.
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
        self._ended: dict[int, StepTrace] = {}
        self._caller = Caller(tools, self.ledger)
        self._run_step: RunStep = run_step or _call
        self.emit = emit or _ignore
        self._is_streaming = is_streaming
        self._names: Counter[str] = Counter()

    @property
    def trace(self) -> tuple[StepTrace, ...]:
        """The steps that have ended, in the order in which they began.

        Steps that run concurrently end in any order, and a reader must find the same order each time.
        """
        return tuple(self._ended[place] for place in sorted(self._ended))

    async def step(
        self, name: str, work: Callable[[], Awaitable[Outcome[T]]], *, is_light: bool = False
    ) -> T:
        """Execute a step, record its costs and its trace line, and return its value.

        A step gets the remaining time of the budget, but at least 10 seconds, so that an answer can still be
        composed when the budget is spent. Repeated steps are numbered: ``read 2``.

        Raises:
            BudgetExhaustedError: The step took longer.
            ThinkTwiceError: The error of the step; its trace line is already recorded.
        """
        self._names[name] += 1
        times = self._names[name]
        place = self._names.total()
        self.emit(StepStarted(name, times))
        started = time.perf_counter()
        numbered = name if times == 1 else f"{name} {times}"
        try:
            outcome: Outcome[T] = await self._run_step(
                numbered, lambda: self._run_with_timeout(work), is_light=is_light
            )
        except ThinkTwiceError as exc:
            self._charge(exc.spent)
            failed = Reason("step-failed", {"reason": exc.reason})
            trace = StepTrace(name, _milliseconds(started), failed, tokens=_tokens(exc.spent))
            self._note(place, trace, times)
            raise
        self._charge(outcome.calls)
        trace = StepTrace(
            step=name,
            milliseconds=_milliseconds(started),
            detail=outcome.detail,
            tokens=_tokens(outcome.calls),
            model=outcome.calls[-1].model if outcome.calls else "",
            prompt=outcome.prompt,
            notes=(*outcome.notes, *(call.cut for call in outcome.calls if call.cut)),
        )
        self._note(place, trace, times)
        return outcome.value

    async def steps(
        self,
        name: str,
        works: Sequence[Callable[[], Awaitable[Outcome[T]]]],
        on_done: Callable[[int, T | ThinkTwiceError], None] | None = None,
    ) -> list[T | ThinkTwiceError]:
        """Execute steps of one name concurrently; return the value or the error of each, in the given order.

        Args:
            on_done: Called with each step's place in `works` and its value or error, as it ends.
        """

        async def carried_out(place: int, work: Callable[[], Awaitable[Outcome[T]]]) -> T | ThinkTwiceError:
            found: T | ThinkTwiceError
            try:
                found = await self.step(name, work)
            except ThinkTwiceError as exc:
                found = exc
            if on_done is not None:
                on_done(place, found)
            return found

        # Tasks begin in the order in which they are made, so the numbers are the same after a restart.
        tasks = (carried_out(place, work) for place, work in enumerate(works))
        found = await asyncio.gather(*tasks, return_exceptions=True)
        for outcome in found:
            # One that is no outcome ends the work, when no other step is in the middle of something.
            if isinstance(outcome, BaseException) and not isinstance(outcome, ThinkTwiceError):
                raise outcome
        return [
            outcome
            for outcome in found
            if not isinstance(outcome, BaseException) or isinstance(outcome, ThinkTwiceError)
        ]

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
        ceiling: float = math.inf,
        is_shown: bool = False,
        repairs: int = 1,
        validate: Validator | None = None,
    ) -> tuple[Completion, ModelCall]:
        """Make one model call within the budget.

        Args:
            seat: The seat to ask; empty: the model of the role.
            history: Messages between the instructions and the message.
            max_tokens: Maximum length of the reply; 0: the setting for its kind.
            patience: Seconds beyond the usual time after which the call is abandoned; None: only the budget
                or the client's own limit ends it.
            ceiling: Seconds after which a call with `patience` is abandoned, whatever its usual time.
            is_shown: The text is for the user: stream it if streaming is on.
            repairs: How often an unusable typed reply is requested again.
            validate: Returns what is wrong with a well-formed typed reply.

        Raises:
            BudgetExhaustedError: The budget allows no further call, or its time ran out during this one.
            ModelError: The model gave no usable reply, or exceeded `patience`.
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
        number, is_live = self._names[purpose], is_shown and self._is_streaming
        on_text = (lambda piece: self.emit(Text(purpose, piece, number))) if is_live else None
        return await self._caller.call(request, on_text, patience, ceiling)

    async def ask_typed(
        self,
        purpose: str,
        prompt: RenderedPrompt,
        output: type[Output],
        *,
        seat: str = "",
        max_tokens: int = 0,
        patience: float | None = None,
        ceiling: float = math.inf,
        repairs: int = 1,
        validate: Callable[[Output], str] | None = None,
    ) -> tuple[Output, ModelCall]:
        """Make one model call with a reply of type `output`. Arguments and errors are those of `ask`."""
        completion, call = await self.ask(
            purpose,
            prompt,
            seat=seat,
            output=output,
            max_tokens=max_tokens,
            patience=patience,
            ceiling=ceiling,
            repairs=repairs,
            validate=validate,
        )
        if not isinstance(completion.parsed, output):
            raise TypeError(f"the model client returned no {output.__name__}")
        return completion.parsed, call

    async def _run_with_timeout(self, work: Callable[[], Awaitable[Outcome[T]]]) -> Outcome[T]:
        allowed = self.tools.budget.seconds
        try:
            async with asyncio.timeout(max(allowed - self.ledger.seconds + _MARGIN_SECONDS, _GRACE_SECONDS)):
                return await work()
        except TimeoutError as exc:
            raise BudgetExhaustedError("seconds", self.ledger.seconds, allowed) from exc

    def _charge(self, calls: Iterable[ModelCall]) -> None:
        for call in calls:
            self.ledger.record(call)

    def _note(self, place: int, trace: StepTrace, number: int) -> None:
        self._ended[place] = trace
        self.emit(StepFinished(trace, number))


async def _call(
    _name: str,
    work: Callable[[], Awaitable[Any]],
    /,
    *,
    is_light: bool = False,  # noqa: ARG001 - this runner records nothing
) -> Any:  # noqa: ANN401 - a step's own type
    return await work()


def _ignore(_event: Event) -> None:
    pass


def _tokens(calls: Iterable[ModelCall]) -> int:
    return sum(call.input_tokens + call.output_tokens for call in calls)


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000
