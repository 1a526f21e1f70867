"""What can go wrong at the ports of the service: the store, and the way out to a channel."""

from __future__ import annotations

from rag.errors import OperatorError, ThinkTwiceError


class StorageError(OperatorError):
    """The database cannot be read or written.

    Args:
        message: One sentence.
        is_passing: The same work may be done later: the database is busy, away, or has no room.
    """

    def __init__(self, message: str = "", *, is_passing: bool = False) -> None:
        super().__init__(message)
        self.is_passing = is_passing


class ChatGoneError(ThinkTwiceError):
    """The chat cannot be written to: the bot was blocked, removed, or has no right to write there."""


class DeliveryError(ThinkTwiceError):
    """The channel did not take a message, and trying again did not help."""
