"""Errors of the protocols that the service calls: the store, and the messenger of a channel."""

from __future__ import annotations

from rag.errors import OperatorError, ThinkTwiceError
from rag.reasons import Reason


class StorageError(OperatorError):
    """The database cannot be read or written.

    Args:
        reason: Why; a sentence for what only the person at the terminal meets.
        is_passing: A later try may succeed: the database is busy, unreachable, or its disk is full.
        is_of_value: The database takes no such value, now or later.
    """

    def __init__(
        self, reason: Reason | str = "", *, is_passing: bool = False, is_of_value: bool = False
    ) -> None:
        super().__init__(reason)
        self.is_passing = is_passing
        self.is_of_value = is_of_value


class ChatGoneError(ThinkTwiceError):
    """The chat cannot be written to: the bot was blocked, removed, or may not write there."""


class DeliveryError(ThinkTwiceError):
    """The channel rejected a message, also when it was sent again."""
