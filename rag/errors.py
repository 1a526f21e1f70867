"""Errors, split by who must act.

An error has a `Reason`: a code and values. `str(error)` is its English sentence, which says what happened and
what to do; a channel renders it in the reader's language. The docstring of a class is its default message.
Errors that only the person at the terminal sees can be raised with an English sentence.
"""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING

from rag.reasons import Reason, as_written

if TYPE_CHECKING:
    from rag.values import ModelCall


class ThinkTwiceError(Exception):
    """Something went wrong in Think Twice."""

    exit_code = 1

    # Model calls that were made before the error. A durable runner records the error of a step, and a replay
    # of the question must report the same cost without repeating the step.
    spent: tuple[ModelCall, ...] = ()

    def __init__(self, reason: Reason | str = "") -> None:
        if not isinstance(reason, Reason):
            reason = as_written(reason or inspect.cleandoc(type(self).__doc__ or "").splitlines()[0])
        # A durable runner records the arguments that are passed on here.
        super().__init__(reason)
        self.reason = reason

    def __str__(self) -> str:
        return str(self.reason)


class OperatorError(ThinkTwiceError):
    """The set-up needs a change by the person who runs it."""

    exit_code = 3


class InputError(ThinkTwiceError):
    """A command, a path or a value that was given cannot be used."""

    exit_code = 2


class ModelError(ThinkTwiceError):
    """A model did not give a usable reply."""

    exit_code = 4

    # Cost of the failed call for the ledger: number of replies, and their tokens.
    calls = 0
    input_tokens = 0
    output_tokens = 0

    # The call timed out: the server may have processed, and may charge for, the input.
    timed_out = False

    # The replies of the model, verbatim.
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
        super().__init__(Reason("budget", {"limit": limit, "used": used, "allowed": allowed}))
        self.limit = limit
        self.used = used
        self.allowed = allowed

    def __reduce__(self) -> tuple[type[BudgetExhaustedError], tuple[str, float, float], dict[str, object]]:
        # A durable runner records errors; by default it would rebuild this one from its sentence alone.
        return type(self), (self.limit, self.used, self.allowed), self.__dict__


class PromptError(OperatorError):
    """A prompt file is wrong, or a prompt was asked for with the wrong values."""


class KnowledgeError(OperatorError):
    """The knowledge base cannot be read or written."""


class KnowledgeBusyError(KnowledgeError):
    """Another process is indexing: wait for it to finish, then try again."""


class DocumentError(ThinkTwiceError):
    """A document could not be read."""
