"""Make model calls within a budget: no call starts after it is spent, and every call has a time limit."""

from __future__ import annotations

import asyncio
import math
import time
from collections.abc import Callable
from dataclasses import dataclass, field, replace

from rag.errors import (
    BudgetExhaustedError,
    ModelError,
    ModelRejectedError,
    ModelUnavailableError,
    ThinkTwiceError,
)
from rag.models.chat import ChatModel, ChatRequest, Completion
from rag.models.ledger import Ledger
from rag.models.pace import Pace
from rag.models.tally import give_up
from rag.models.tokens import estimate_prompt_tokens
from rag.prompting.library import PromptLibrary
from rag.reasons import Reason
from rag.settings import Budget, Council, Models, Prices
from rag.values import ModelCall

_FAILURE_MEMORY_SECONDS = 5.0
"""Time for which a failed model is not called again by the same piece of work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTools:
    """The tools that every kind of work needs to call models.

    Args:
        models: Answers chat requests.
        prompts: The prompts.
        budget: Limits of one piece of work.
        model_settings: Model names and reply lengths.
        council: The seats.
        prices: Prices of the models.
        pace: Usual durations of calls; one instance for the whole process.
    """

    models: ChatModel
    prompts: PromptLibrary
    budget: Budget
    model_settings: Models
    council: Council = field(default_factory=Council)
    prices: Prices = field(default_factory=Prices)
    pace: Pace = field(default_factory=Pace)

    def model_name(self, request: ChatRequest) -> str:
        """Return the name of the model that a request goes to, as in the settings."""
        if request.seat:
            return self.council.seat(request.seat).model
        return self.model_settings.named(request.role)


class Caller:
    """Makes the model calls of one piece of work.

    Args:
        tools: What the calls need.
        ledger: Costs of the work so far.
    """

    def __init__(self, tools: ModelTools, ledger: Ledger) -> None:
        self._tools = tools
        self._ledger = ledger
        self._in_flight = 0
        self._failed: dict[str, tuple[float, ModelError]] = {}

    async def call(
        self,
        request: ChatRequest,
        on_text: Callable[[str], None] | None,
        patience: float | None,
        ceiling: float = math.inf,
    ) -> tuple[Completion, ModelCall]:
        """Make one call.

        Args:
            request: The request.
            on_text: Receives the pieces of a streamed reply.
            patience: Seconds beyond the usual time after which the call is abandoned; None: only the budget
                or the client's own limit ends it.
            ceiling: Seconds after which a call with `patience` is abandoned, whatever its usual time.

        Raises:
            BudgetExhaustedError: The budget allows no further call, or its time ran out during this one.
            ModelError: The model gave no usable reply, or exceeded `patience` or `ceiling`.
        """
        left = self._ledger.check(self._in_flight)
        # A repair request is a call as well, so it must not exceed the budget either.
        request = replace(request, repairs=min(request.repairs, left - 1))
        tools, pace = self._tools, self._tools.pace
        role, model = request.role, tools.model_name(request)
        request = replace(request, model=model)
        # A seat can have its own server and settings, so its durations are recorded separately.
        paced = request.seat or model
        self._check_failed(paced)
        seconds_left = tools.budget.seconds - self._ledger.seconds
        limit = None
        if patience is not None:
            usual = pace.expected(role, paced, tools.model_settings.first_patience_seconds)
            limit = min(usual + patience, ceiling)
        started = time.perf_counter()
        self._in_flight += 1
        try:
            async with asyncio.timeout(seconds_left if limit is None else min(seconds_left, limit)):
                completion = await tools.models.complete(request, on_text)
        except asyncio.CancelledError as exc:
            give_up(exc, _make_abandoned_call(request, model, time.perf_counter() - started))
            raise
        except TimeoutError as exc:
            seconds = time.perf_counter() - started
            pace.give_up(role, paced, seconds)
            lost = _make_abandoned_call(request, model, seconds)
            raise self._too_slow(lost, seconds_left, limit, ceiling) from exc
        except ModelError as exc:
            seconds = time.perf_counter() - started
            exc.spent = (_make_failed_call(exc, request, model, seconds),)
            if exc.timed_out:
                pace.give_up(role, paced, seconds)
            if isinstance(exc, ModelUnavailableError | ModelRejectedError):
                self._failed[paced] = (time.perf_counter(), exc)
            raise
        finally:
            self._in_flight -= 1
        pace.record(role, paced, completion.seconds)
        return completion, ModelCall(
            role=role,
            model=completion.model,
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            seconds=completion.seconds,
            calls=completion.calls,
            seat=request.seat,
            purpose=request.purpose,
        )

    def _check_failed(self, paced: str) -> None:
        """Raise the recent error of a failed model again: the next role often uses the same model."""
        since, error = self._failed.get(paced, (0.0, None))
        if error is not None and time.perf_counter() - since < _FAILURE_MEMORY_SECONDS:
            raise type(error)(error.reason)

    def _too_slow(self, call: ModelCall, left: float, limit: float | None, ceiling: float) -> ThinkTwiceError:
        error: ThinkTwiceError
        if limit is not None and limit < left:
            seconds = round(limit, 1)
            error = ModelUnavailableError(
                Reason("model-over-ceiling", {"role": call.role, "seconds": seconds})
                if limit == ceiling
                else Reason("model-slower", {"role": call.role, "seconds": seconds})
            )
        else:
            error = BudgetExhaustedError("seconds", self._ledger.seconds, self._tools.budget.seconds)
        error.spent = (call,)
        return error


def _make_abandoned_call(request: ChatRequest, model: str, seconds: float) -> ModelCall:
    """Return the record of an abandoned call: the server may still charge for the input."""
    read = estimate_prompt_tokens((request.instructions, *(message.text for message in request.messages)))
    return ModelCall(
        request.role, model, read, 0, seconds, is_partial=True, seat=request.seat, purpose=request.purpose
    )


def _make_failed_call(error: ModelError, request: ChatRequest, model: str, seconds: float) -> ModelCall:
    """Return the record of a call that ended in an error, with the costs known so far."""
    if error.timed_out:
        lost = _make_abandoned_call(request, model, seconds)
        return replace(
            lost,
            input_tokens=lost.input_tokens + error.input_tokens,
            output_tokens=error.output_tokens,
            calls=error.calls + 1,
        )
    return ModelCall(
        request.role,
        model,
        error.input_tokens,
        error.output_tokens,
        seconds,
        max(error.calls, 1),
        seat=request.seat,
        purpose=request.purpose,
    )
