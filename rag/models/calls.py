"""Make model calls within a budget: no call starts after it is spent, and every call has a time limit.

A layer that only improves an answer must not make the user wait for a model that hangs, but a slow machine is
not a fault. So the limit of such a call comes from earlier calls of the same role to the same model.
"""

from __future__ import annotations

import asyncio
import math
import time
from collections import Counter, OrderedDict, defaultdict, deque
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from typing import TypeAlias

from rag.errors import (
    BudgetExhaustedError,
    ModelError,
    ModelRejectedError,
    ModelUnavailableError,
    ThinkTwiceError,
)
from rag.models.chat import ChatModel, ChatRequest, Completion
from rag.models.ledger import Ledger
from rag.models.tokens import estimate_prompt_tokens, give_up
from rag.prompting.library import PromptLibrary
from rag.reasons import Reason
from rag.settings import Budget, Council, Models, Prices
from rag.values import ModelCall

_FAILURE_MEMORY_SECONDS = 5.0
"""Time for which a failed model is not called again by the same piece of work."""
_MAX_READINGS = 1000
_MAX_PACED = 30
_MIN_CALLS = 5
_USUAL_SHARE = 0.9
_MAX_GROWTH = 3.0
_MAX_HALVINGS = 10

_RoleAndModel: TypeAlias = tuple[str, str]
"""A role, and its model or seat."""


class Pace:
    """Records the durations of the latest calls by role and model; one instance for the whole process."""

    def __init__(self) -> None:
        latest = deque[float]
        self._seconds: defaultdict[_RoleAndModel, latest] = defaultdict(lambda: latest(maxlen=_MAX_PACED))
        self._answered: defaultdict[_RoleAndModel, latest] = defaultdict(lambda: latest(maxlen=_MAX_PACED))
        self._given_up: Counter[_RoleAndModel] = Counter()

    def record(self, role: str, model: str, seconds: float) -> None:
        """Record a call that was answered."""
        self._seconds[role, model].append(seconds)
        self._answered[role, model].append(seconds)

    def give_up(self, role: str, model: str, seconds: float) -> None:
        """Record a call that was not answered within `seconds`.

        The duration counts, because the machine may have become slower, but is capped at three times the
        slowest answered call. Otherwise the limit for a model that hangs would grow without end.
        """
        self._given_up[role, model] += 1
        if answered := self._answered[role, model]:
            self._seconds[role, model].append(min(seconds, _MAX_GROWTH * max(answered)))

    def usual(self, role: str, model: str) -> float | None:
        """Return the seconds within which nine of ten calls ended; None below five calls.

        The median would not do: half of all calls take longer, on a slow machine much longer.
        """
        known = sorted(self._seconds[role, model])
        return known[math.ceil(_USUAL_SHARE * len(known)) - 1] if len(known) >= _MIN_CALLS else None

    def expected(self, role: str, model: str, at_first: float) -> float:
        """Return the seconds after which a call of `role` takes unusually long.

        With fewer than five known calls, this is three times the slowest answer of the model in any role,
        which shows the speed of its machine, or `at_first` if that is longer, because a judge reads more than
        a drafter. For a role that has never answered, `at_first` is halved after each abandoned call.
        """
        usual = self.usual(role, model)
        if usual is not None:
            return usual
        known = [seconds for (_, name), seconds in self._answered.items() if name == model]
        slowest = max((max(seconds, default=0.0) for seconds in known), default=0.0)
        halvings = 0 if self._answered[role, model] else self._given_up[role, model]
        return max(at_first / 2.0 ** min(halvings, _MAX_HALVINGS), _MAX_GROWTH * slowest)


class Readings:
    """A cache of what readers found, by model, prompt's id and message; one for all questions of a process.

    The same model gives the same reading for the same passage and question (temperature 0), so a repeated
    check costs nothing. Of more than a thousand readings the least recently used one is dropped.
    """

    def __init__(self) -> None:
        self._known: OrderedDict[tuple[str, str, str], str] = OrderedDict()

    def get(self, shown: tuple[str, str, str]) -> str | None:
        """Return what an earlier reading answered, empty for "not stated"; None if there is no reading."""
        if shown in self._known:
            self._known.move_to_end(shown)
        return self._known.get(shown)

    def add(self, shown: tuple[str, str, str], text: str) -> None:
        """Cache a reading."""
        self._known[shown] = text
        self._known.move_to_end(shown)
        if len(self._known) > _MAX_READINGS:
            self._known.popitem(last=False)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTools:
    """What every kind of work needs to call models: the budget of one piece of it, and one pace for all."""

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
    """Makes the model calls of one piece of work, whose costs so far are in the ledger."""

    def __init__(self, tools: ModelTools, ledger: Ledger) -> None:
        self._tools = tools
        self._ledger = ledger
        self._in_flight = 0
        self._failed: dict[str, tuple[float, ModelError]] = {}
        self._has_told_of_cut = False

    async def call(
        self,
        request: ChatRequest,
        on_text: Callable[[str], None] | None,
        patience: float | None,
        ceiling: float = math.inf,
    ) -> tuple[Completion, ModelCall]:
        """Make one call.

        Args:
            request: What is asked.
            on_text: Receives the pieces of a streamed reply.
            patience: Seconds beyond the usual time after which the call is abandoned; None: only the budget
                or the client's own limit ends it.
            ceiling: Seconds after which a call with `patience` is abandoned, whatever its usual time.

        Raises:
            BudgetExhaustedError: The budget allows no further call, or its time ran out during this one.
            ModelError: The model gave no usable reply, or exceeded `patience` or `ceiling`.
        """
        left = self._ledger.check(self._in_flight)
        tools, pace, role = self._tools, self._tools.pace, request.role
        model = tools.model_name(request)
        # A repair request is a call as well, so it must not exceed the budget either.
        request = replace(request, repairs=min(request.repairs, left - 1), model=model)
        # A seat can have its own server and settings, so its durations are recorded separately.
        paced = request.seat or model
        self._check_failed(paced)
        seconds_left = tools.budget.seconds - self._ledger.seconds
        limit = math.inf
        if patience is not None:
            usual = pace.expected(role, paced, tools.model_settings.first_patience_seconds)
            limit = min(usual + patience, ceiling)
        started = time.perf_counter()
        self._in_flight += 1
        try:
            async with asyncio.timeout(min(seconds_left, limit)):
                completion = await tools.models.complete(request, on_text)
        except asyncio.CancelledError as exc:
            give_up(exc, _record_lost(request, time.perf_counter() - started))
            raise
        except TimeoutError as exc:
            seconds = time.perf_counter() - started
            pace.give_up(role, paced, seconds)
            error = self._too_slow(role, seconds_left, limit, ceiling)
            error.spent = (_record_lost(request, seconds),)
            raise error from exc
        except ModelError as exc:
            seconds = time.perf_counter() - started
            exc.spent = (_record_lost(request, seconds, exc),)
            if exc.timed_out:
                pace.give_up(role, paced, seconds)
            if isinstance(exc, ModelUnavailableError | ModelRejectedError):
                self._failed[paced] = (time.perf_counter(), exc)
            raise
        finally:
            self._in_flight -= 1
        pace.record(role, paced, completion.seconds)
        cut = None if self._has_told_of_cut else completion.cut
        self._has_told_of_cut = self._has_told_of_cut or cut is not None
        return completion, ModelCall(
            role=role,
            model=completion.model,
            input_tokens=completion.input_tokens,
            output_tokens=completion.output_tokens,
            seconds=completion.seconds,
            calls=completion.calls,
            seat=request.seat,
            purpose=request.purpose,
            cut=cut,
        )

    def _check_failed(self, paced: str) -> None:
        """Raise the recent error of a failed model again: the next role often uses the same model."""
        since, error = self._failed.get(paced, (0.0, None))
        if error is not None and time.perf_counter() - since < _FAILURE_MEMORY_SECONDS:
            raise type(error)(error.reason)

    def _too_slow(self, role: str, left: float, limit: float, ceiling: float) -> ThinkTwiceError:
        if limit >= left:
            return BudgetExhaustedError("seconds", self._ledger.seconds, self._tools.budget.seconds)
        return ModelUnavailableError(
            Reason(
                "model-over-ceiling" if limit == ceiling else "model-slower",
                {"role": role, "seconds": round(limit, 1)},
            )
        )


def _record_lost(request: ChatRequest, seconds: float, error: ModelError | None = None) -> ModelCall:
    """Return the record of a call without a reply, with the costs known so far.

    A server may still charge for the input of a call that was abandoned, or that timed out.
    """
    is_partial = error is None or error.timed_out
    calls, read, written = (error.calls, error.input_tokens, error.output_tokens) if error else (0, 0, 0)
    if is_partial:
        read += estimate_prompt_tokens(request.prompt)
    return ModelCall(
        request.role,
        request.model,
        read,
        written,
        seconds,
        calls + 1 if is_partial else max(calls, 1),
        is_partial=is_partial,
        seat=request.seat,
        purpose=request.purpose,
    )
