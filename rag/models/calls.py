"""Model calls within a budget: none starts when it is used up, and none is waited for without end."""

from __future__ import annotations

import asyncio
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
from rag.models.tokens import estimated_prompt_tokens
from rag.prompting.library import PromptLibrary
from rag.reasons import Reason
from rag.settings import Budget, Council, Models, Prices
from rag.values import ModelCall

_REMEMBERED_SECONDS = 5.0
"""How long a model that failed is not asked again for the same piece of work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTools:
    """What every kind of work asks models with.

    Args:
        models: Answers chat requests.
        prompts: The prompts.
        budget: What one piece of work may cost.
        model_settings: Names of models, and lengths of replies.
        council: The seats.
        prices: What models cost.
        pace: How long calls usually take; one for all work of a process.
    """

    models: ChatModel
    prompts: PromptLibrary
    budget: Budget
    model_settings: Models
    council: Council = field(default_factory=Council)
    prices: Prices = field(default_factory=Prices)
    pace: Pace = field(default_factory=Pace)

    def model_name(self, request: ChatRequest) -> str:
        """The name of the model that a request goes to, as the settings name it."""
        if request.seat:
            return self.council.seat(request.seat).model
        return self.model_settings.named(request.role)


class Caller:
    """Makes the model calls of one piece of work.

    Args:
        tools: What models are asked with.
        ledger: What the work has cost so far.
    """

    def __init__(self, tools: ModelTools, ledger: Ledger) -> None:
        self._tools = tools
        self._ledger = ledger
        self._in_flight = 0
        self._failed: dict[str, tuple[float, ModelError]] = {}

    async def call(
        self, request: ChatRequest, on_text: Callable[[str], None] | None, patience: float | None
    ) -> tuple[Completion, ModelCall]:
        """Make one call.

        Args:
            request: What is asked.
            on_text: Takes the pieces of a streamed reply.
            patience: Seconds beyond the usual time after which the call is given up; None: only when
                the budget or the client's own limit ends it.

        Raises:
            BudgetExhaustedError: the budget allows no further call, or its time ran out in this one.
            ModelError: the model gave no usable reply, or took longer than it usually does.
        """
        self._ledger.check(self._in_flight)
        tools, pace = self._tools, self._tools.pace
        role, model = request.role, tools.model_name(request)
        # A seat may be a model with a temperature and a server of its own: it has a time of its own as well.
        paced = request.seat or model
        self._check_failed(paced)
        left = tools.budget.seconds - self._ledger.seconds
        limit = None
        if patience is not None:
            limit = pace.expected(role, paced, tools.model_settings.first_patience_seconds) + patience
        started = time.perf_counter()
        self._in_flight += 1
        try:
            async with asyncio.timeout(left if limit is None else min(left, limit)):
                completion = await tools.models.complete(request, on_text)
        except asyncio.CancelledError as exc:
            give_up(exc, _given_up(request, model, time.perf_counter() - started))
            raise
        except TimeoutError as exc:
            seconds = time.perf_counter() - started
            pace.give_up(role, paced, seconds)
            raise self._too_slow(_given_up(request, model, seconds), left, limit) from exc
        except ModelError as exc:
            seconds = time.perf_counter() - started
            exc.spent = (_lost(exc, request, model, seconds),)
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
        )

    def _check_failed(self, paced: str) -> None:
        """Do not wait twice for a model that has just failed: the next role is often the same model."""
        since, error = self._failed.get(paced, (0.0, None))
        if error is not None and time.perf_counter() - since < _REMEMBERED_SECONDS:
            raise type(error)(error.reason)

    def _too_slow(self, call: ModelCall, left: float, limit: float | None) -> ThinkTwiceError:
        error: ThinkTwiceError
        if limit is not None and limit < left:
            error = ModelUnavailableError(
                Reason("model-slower", {"role": call.role, "seconds": round(limit, 1)})
            )
        else:
            error = BudgetExhaustedError("seconds", self._ledger.seconds, self._tools.budget.seconds)
        error.spent = (call,)
        return error


def _given_up(request: ChatRequest, model: str, seconds: float) -> ModelCall:
    """A call that was not waited for any longer: a server may charge for what it was sent."""
    read = estimated_prompt_tokens((request.instructions, *(message.text for message in request.messages)))
    return ModelCall(request.role, model, read, 0, seconds, is_partial=True)


def _lost(error: ModelError, request: ChatRequest, model: str, seconds: float) -> ModelCall:
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
