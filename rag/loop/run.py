"""One question on its way through the loop: its tools, its costs, its trail.

A step is a function without arguments that returns an `Outcome`. `Run.step` carries it out through
`run_step`, so that a durable runner can record the outcome and, after a crash, hand it back instead of
doing (and paying for) the work again. An error is an outcome like any other: the time-out of a step and
the end of the budget are found inside it, and every cost travels with what is recorded.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from rag.errors import (
    BudgetExhaustedError,
    ModelError,
    ModelRejectedError,
    ModelUnavailableError,
    ThinkTwiceError,
)
from rag.events import Event, StepFinished, StepStarted, Text
from rag.evidence import Gatherer
from rag.knowledge.embedder import Vectors
from rag.knowledge.search import SearchResult
from rag.loop.layers import Layers, layers
from rag.models.chat import ChatModel, ChatRequest, Completion, Message, ModelRole
from rag.models.ledger import Ledger
from rag.models.pace import Pace
from rag.models.readings import Readings
from rag.models.tokens import estimated_prompt_tokens
from rag.prompting.library import PromptLibrary, RenderedPrompt
from rag.reasons import Reason
from rag.settings import EMBEDDED, Budget, Critique, Models, Prices, Review, SelfCorrection
from rag.values import Mode, ModelCall, Passage, PassageId, Question, StepTrace

_GRACE_SECONDS = 10.0
_REMEMBERED_SECONDS = 5.0
"""How long a model that failed is not asked again for the same question."""

T = TypeVar("T")
Output = TypeVar("Output", bound=BaseModel)

RunStep = Callable[[str, Callable[[], Awaitable[Any]]], Awaitable[Any]]
"""Carries out a named step: ``await run_step(name, fn)`` returns what ``fn()`` returned, now or earlier.

Names are unique within a question and come in the same order for the same outcomes.
"""


class Corpus(Protocol):
    """What the loop asks of the knowledge base."""

    @property
    def is_empty(self) -> bool:
        """Whether there is no passage at all."""
        ...

    async def search(
        self, queries: Sequence[str], limit: int = 20, exclude: Collection[PassageId] = ()
    ) -> SearchResult:
        """Return the best passages with their scores; the first query weighs most."""
        ...

    async def retrieve(
        self,
        queries: Sequence[str],
        *,
        carried: Sequence[Passage] = (),
        exclude: Collection[PassageId] = (),
    ) -> tuple[Passage, ...]:
        """Return passages to read: fused, without near-duplicates, neighbours joined, cut to size."""
        ...

    async def embed_texts(self, texts: Sequence[str]) -> Vectors:
        """Return the vectors of texts, shape (len(texts), dimension)."""
        ...

    def knows(self, text: str) -> bool:
        """Whether the embedding knows the language of a text."""
        ...

    def rarity(self, terms: Iterable[str]) -> Mapping[str, float]:
        """Return how rare index terms are in the corpus, 0 (everywhere) to 1 (nowhere)."""
        ...


@dataclass(frozen=True, slots=True)
class Tools:
    """What the steps work with; the same for every question."""

    models: ChatModel
    prompts: PromptLibrary
    corpus: Corpus
    evidence: Gatherer
    self_correction: SelfCorrection
    budget: Budget
    model_settings: Models
    review: Review = field(default_factory=Review)
    critique: Critique = field(default_factory=Critique)
    prices: Prices = field(default_factory=Prices)
    pace: Pace = field(default_factory=Pace)
    readings: Readings = field(default_factory=Readings)


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a step gives back: its value, what came out of it, the model calls it made, their prompt."""

    value: T
    detail: Reason
    calls: tuple[ModelCall, ...] = ()
    prompt: str = ""


class Run:
    """The state of one question that is not part of the decision: costs, trail, events.

    Args:
        question: What was asked.
        tools: What the steps work with.
        run_step: Carries out the steps; by default they are just called.
        emit: Receives the events.
        is_streaming: Ask the models for streamed text and emit its pieces.
    """

    def __init__(
        self,
        question: Question,
        tools: Tools,
        run_step: RunStep | None = None,
        emit: Callable[[Event], None] | None = None,
        *,
        is_streaming: bool = False,
    ) -> None:
        self.question = question
        self.tools = tools
        self.mode: Mode = question.mode or tools.self_correction.mode
        self.layers: Layers = layers(self.mode, tools.self_correction, tools.review, tools.critique)
        self.ledger = Ledger(tools.budget, price_table=tools.prices)
        self.trace: list[StepTrace] = []
        self._run_step = run_step or _call
        self._emit = emit or _ignore
        self._is_streaming = is_streaming
        self._names: Counter[str] = Counter()
        self._failed: dict[str, tuple[float, ModelError]] = {}

    @property
    def is_reading_first(self) -> bool:
        """Whether an answer from documents quotes what was read instead of having a model write."""
        wanted = self.tools.self_correction.answer_from
        is_small = self.tools.model_settings.named("writer") == EMBEDDED
        return wanted == "reader" or (wanted == "auto" and is_small)

    async def step(self, name: str, work: Callable[[], Awaitable[Outcome[T]]]) -> T:
        """Carry out a step, record its costs and its line of the trail, and return its value.

        A step may take what the budget has left, and a little even when nothing is left: what is known
        by then must still be put together.

        Raises:
            BudgetExhaustedError: the step took longer.
            ThinkTwiceError: what the step raised, after it was written to the trail.
        """
        self._names[name] += 1
        times = self._names[name]
        self._emit(StepStarted(name))
        started = time.perf_counter()
        try:
            outcome: Outcome[T] = await self._run_step(
                name if times == 1 else f"{name} {times}", lambda: self._bounded(work)
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

    async def ask(
        self,
        purpose: str,
        role: ModelRole,
        prompt: RenderedPrompt,
        *,
        history: Sequence[Message] = (),
        output: type[BaseModel] | None = None,
        max_tokens: int = 0,
        patience: float | None = None,
        is_shown: bool = False,
    ) -> tuple[Completion, ModelCall]:
        """Make one model call within the budget.

        Args:
            purpose: The step that asks.
            role: Which job it is.
            prompt: Instructions and message.
            history: Messages between the instructions and the message.
            output: The type of a typed reply.
            max_tokens: Length of the reply at the most; 0: as the settings say for its kind.
            patience: Seconds beyond the role's usual time after which the call is given up; None: only when
                the budget or the client's own limit ends it.
            is_shown: The text is meant for the reader: stream it when somebody watches.

        Raises:
            BudgetExhaustedError: the budget allows no further call, or its time ran out in this one.
            ModelError: the model gave no usable reply, or took longer than it usually does.
        """
        self.ledger.check()
        settings = self.tools.model_settings
        self._check_failed(settings.named(role))
        request = ChatRequest(
            role=role,
            instructions=prompt.instructions,
            messages=(*history, Message("user", prompt.message)),
            max_tokens=max_tokens or (settings.reply_tokens if output else settings.answer_tokens),
            output=output,
            purpose=purpose,
        )
        on_text = (
            (lambda piece: self._emit(Text(purpose, piece))) if is_shown and self._is_streaming else None
        )
        left = self.tools.budget.seconds - self.ledger.seconds
        pace = self.tools.pace
        limit = None
        if patience is not None:
            limit = pace.expected(role, settings.first_patience_seconds) + patience
        started = time.perf_counter()
        try:
            async with asyncio.timeout(left if limit is None else min(left, limit)):
                completion = await self.tools.models.complete(request, on_text)
        except TimeoutError as exc:
            seconds = time.perf_counter() - started
            pace.give_up(role, seconds)
            raise self._too_slow(_given_up(request, settings.named(role), seconds), left, limit) from exc
        except ModelError as exc:
            seconds = time.perf_counter() - started
            exc.spent = (_failed(exc, request, settings.named(role), seconds),)
            if exc.timed_out:
                pace.give_up(role, seconds)
            if isinstance(exc, ModelUnavailableError | ModelRejectedError):
                self._failed[settings.named(role)] = (time.perf_counter(), exc)
            raise
        pace.record(role, completion.seconds)
        return completion, ModelCall(
            role=role,
            model=completion.model,
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            seconds=completion.seconds,
            calls=completion.calls,
        )

    def _check_failed(self, model: str) -> None:
        """Do not wait twice for a model that has just failed: the next role is often the same model."""
        since, error = self._failed.get(model, (0.0, None))
        if error is not None and time.perf_counter() - since < _REMEMBERED_SECONDS:
            raise type(error)(error.reason)

    def _too_slow(self, call: ModelCall, left: float, limit: float | None) -> ThinkTwiceError:
        error: ThinkTwiceError
        if limit is not None and limit < left:
            error = ModelUnavailableError(
                Reason("model-slower", {"role": call.role, "seconds": round(limit, 1)})
            )
        else:
            error = BudgetExhaustedError("seconds", self.ledger.seconds, self.tools.budget.seconds)
        error.spent = (call,)
        return error

    async def ask_typed(
        self,
        purpose: str,
        role: ModelRole,
        prompt: RenderedPrompt,
        output: type[Output],
        *,
        max_tokens: int = 0,
        patience: float | None = None,
    ) -> tuple[Output, ModelCall]:
        """Make one model call whose reply is an `output`; arguments and errors are those of `ask`."""
        completion, call = await self.ask(
            purpose, role, prompt, output=output, max_tokens=max_tokens, patience=patience
        )
        if not isinstance(completion.parsed, output):
            raise TypeError(f"the model client returned no {output.__name__}")
        return completion.parsed, call


async def _call(_name: str, work: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401 - a step's own type
    return await work()


def _given_up(request: ChatRequest, model: str, seconds: float) -> ModelCall:
    """A call that was not waited for any longer: a server may charge for what it was sent."""
    read = estimated_prompt_tokens((request.instructions, *(message.text for message in request.messages)))
    return ModelCall(request.role, model, read, 0, seconds, is_partial=True)


def _failed(error: ModelError, request: ChatRequest, model: str, seconds: float) -> ModelCall:
    """A call that ended in an error, with what was paid for all the same."""
    if error.timed_out:
        lost = _given_up(request, model, seconds)
        return replace(
            lost,
            input_tokens=lost.input_tokens + error.input_tokens,
            output_tokens=error.output_tokens,
            calls=error.calls + 1,
        )
    return ModelCall(
        request.role, model, error.input_tokens, error.output_tokens, seconds, max(error.calls, 1)
    )


def _ignore(_event: Event) -> None:
    pass


def _tokens(calls: Iterable[ModelCall]) -> int:
    return sum(call.input_tokens + call.output_tokens for call in calls)


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000
