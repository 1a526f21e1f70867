"""Turns the faults of a request into a status and a message of the catalogues."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from bot.service.interview_ports import (
    InterviewBusyError,
    InterviewLimitError,
    InterviewOverError,
    InterviewUnknownError,
)
from rag.errors import InputError
from rag.interview.workflow import WrongQuestionError
from rag.reasons import Value

_STATUSES: Final[Mapping[type[InputError], int]] = {
    InterviewUnknownError: 404,
    WrongQuestionError: 409,
    InterviewOverError: 409,
    InterviewBusyError: 409,
    InterviewLimitError: 429,
}
"""The status of a reply that says what is wrong with what was given; 422 for what is not listed."""


class ConsoleError(Exception):
    """A request is not carried out."""

    def __init__(self, status: int, message: str, **values: Value) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.values = values


def not_found() -> ConsoleError:
    """There is nothing at that address, or nothing that this visitor may know of."""
    return ConsoleError(404, "web-error-404")


def status_of(error: InputError) -> int:
    """Return the status of a reply to input that cannot be used."""
    return _STATUSES.get(type(error), 422)
