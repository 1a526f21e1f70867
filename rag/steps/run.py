"""One question on its way through the loop: its tools, its costs, its trail.

A step is a function without arguments that returns an `Outcome`. `Run.step` carries it out through
`run_step`, so that a durable runner can record the outcome and, after a crash, hand it back instead of
doing (and paying for) the work again.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, Protocol, TypeVar

from pydantic import BaseModel

from rag.errors import BudgetExhaustedError, ModelError, ThinkTwiceError
from rag.events import Event, StepFinished, StepStarted, Text
from rag.evidence import Gatherer
from rag.knowledge.embedder import Vectors
from rag.knowledge.search import SearchResult
from rag.models.chat import ChatModel, ChatRequest, Completion, Message, ModelRole
from rag.models.ledger import Ledger
from rag.prompts import PromptLibrary, RenderedPrompt
from rag.settings import Budget, Models, SelfCorrection
from rag.values import ModelCall, Passage, PassageId, Question, StepTrace

_GRACE_SECONDS = 10.0

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


@dataclass(frozen=True, slots=True)
class Outcome(Generic[T]):
    """What a step gives back: its value, one clause for the trail, the model calls it made, their prompt."""

    value: T
    detail: str
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
        self.ledger = Ledger(tools.budget)
        self.trace: list[StepTrace] = []
        self._run_step = run_step or _call
        self._emit = emit or _ignore
        self._is_streaming = is_streaming
        self._names: Counter[str] = Counter()

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
        allowed = self.tools.budget.seconds
        try:
            outcome: Outcome[T]
            async with asyncio.timeout(max(allowed - self.ledger.seconds, _GRACE_SECONDS)):
                outcome = await self._run_step(name if times == 1 else f"{name} {times}", work)
        except TimeoutError as exc:
            exhausted = BudgetExhaustedError("seconds", self.ledger.seconds, allowed)
            self._note(StepTrace(name, _milliseconds(started), f"failed: {exhausted}"))
            raise exhausted from exc
        except ThinkTwiceError as exc:
            self._note(StepTrace(name, _milliseconds(started), f"failed: {exc}"))
            raise
        for call in outcome.calls:
            self.ledger.record(call)
        self._note(
            StepTrace(
                step=name,
                milliseconds=_milliseconds(started),
                detail=outcome.detail,
                tokens=sum(call.input_tokens + call.output_tokens for call in outcome.calls),
                model=outcome.calls[-1].model if outcome.calls else "",
                prompt=outcome.prompt,
            )
        )
        return outcome.value

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
        is_shown: bool = False,
    ) -> tuple[Completion, ModelCall]:
        """Make one model call within the budget.

        Args:
            purpose: The step that asks.
            role: Which job it is.
            prompt: Instructions and message.
            history: Messages between the instructions and the message.
            output: The type of a typed reply.
            is_shown: The text is meant for the reader: stream it when somebody watches.

        Raises:
            BudgetExhaustedError: the budget allows no further call, or its time ran out in this one.
            ModelError: the model gave no usable reply.
        """
        self.ledger.check()
        settings = self.tools.model_settings
        request = ChatRequest(
            role=role,
            instructions=prompt.instructions,
            messages=(*history, Message("user", prompt.message)),
            max_tokens=settings.reply_tokens if output else settings.answer_tokens,
            output=output,
            purpose=purpose,
        )
        on_text = (
            (lambda piece: self._emit(Text(purpose, piece))) if is_shown and self._is_streaming else None
        )
        allowed = self.tools.budget.seconds
        started = time.perf_counter()
        try:
            async with asyncio.timeout(allowed - self.ledger.seconds):
                completion = await self.tools.models.complete(request, on_text)
        except TimeoutError as exc:
            self.ledger.record(ModelCall(role, "", 0, 0, time.perf_counter() - started))
            raise BudgetExhaustedError("seconds", self.ledger.seconds, allowed) from exc
        except ModelError as exc:
            self.ledger.record(
                ModelCall(
                    role,
                    "",
                    exc.input_tokens,
                    exc.output_tokens,
                    time.perf_counter() - started,
                    calls=max(exc.calls, 1),
                )
            )
            raise
        return completion, ModelCall(
            role=role,
            model=completion.model,
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            seconds=completion.seconds,
            calls=completion.calls,
        )

    async def ask_typed(
        self, purpose: str, role: ModelRole, prompt: RenderedPrompt, output: type[Output]
    ) -> tuple[Output, ModelCall]:
        """Make one model call whose reply is an `output`; raises as `ask` does."""
        completion, call = await self.ask(purpose, role, prompt, output=output)
        if not isinstance(completion.parsed, output):
            raise TypeError(f"the model client returned no {output.__name__}")
        return completion.parsed, call


async def _call(_name: str, work: Callable[[], Awaitable[Any]]) -> Any:  # noqa: ANN401 - a step's own type
    return await work()


def _ignore(_event: Event) -> None:
    pass


def _milliseconds(started: float) -> float:
    return (time.perf_counter() - started) * 1000
