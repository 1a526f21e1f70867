"""Errors, split by who must act.

The docstring of a class is its default message. Fields carry the facts; `str(error)` is one plain
sentence that says what happened and what to do.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rag.values import ModelCall


class ThinkTwiceError(Exception):
    """Something went wrong in Think Twice."""

    exit_code = 1

    # Model calls that were paid for before it was raised. A durable runner records the error of a step,
    # and the question must cost the same when that step is not carried out again.
    spent: tuple[ModelCall, ...] = ()

    def __init__(self, message: str = "") -> None:
        super().__init__(message or inspect.cleandoc(type(self).__doc__ or "").splitlines()[0])


class OperatorError(ThinkTwiceError):
    """The set-up needs a change by the person who runs it."""

    exit_code = 3


class InputError(ThinkTwiceError):
    """What was typed or given cannot be used."""

    exit_code = 2


class ModelError(ThinkTwiceError):
    """A model did not give a usable reply."""

    exit_code = 4

    # What the failed call has cost all the same: replies paid for and their tokens. The ledger wants it.
    calls = 0
    input_tokens = 0
    output_tokens = 0

    # The model was waited for until the time was up: it may have read, and charge for, what it was sent.
    timed_out = False

    # What the model wrote all the same, word for word, reply by reply.
    replies: tuple[str, ...] = ()


class ModelUnavailableError(ModelError):
    """No model answered: the server is down, unreachable or too slow. A later try may work."""


class ModelRejectedError(ModelError):
    """The model server refused the request: check the key, the model name and the settings."""


class ModelReplyError(ModelError):
    """The model answered with something that could not be read."""


class BudgetExhaustedError(ThinkTwiceError):
    """The budget of this question is used up."""

    def __init__(self, limit: str, used: float, allowed: float) -> None:
        super().__init__(f"the budget of this question is used up: {limit} {used:g} of {allowed:g}")
        self.limit = limit
        self.used = used
        self.allowed = allowed

    def __reduce__(self) -> tuple[type[BudgetExhaustedError], tuple[str, float, float], dict[str, object]]:
        # A durable runner records errors; the default would rebuild this one from its sentence alone.
        return type(self), (self.limit, self.used, self.allowed), self.__dict__


class PromptError(OperatorError):
    """A prompt file is wrong, or a prompt was asked for with the wrong values."""


class KnowledgeError(OperatorError):
    """The knowledge base cannot be read or written."""


class KnowledgeBusyError(KnowledgeError):
    """Another process is indexing: wait for it to finish, then try again."""


class DocumentError(ThinkTwiceError):
    """A document could not be read."""
