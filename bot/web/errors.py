"""What goes wrong at a request, as a status and a message of the catalogues."""

from __future__ import annotations

from rag.reasons import Value


class ConsoleError(Exception):
    """A request is not carried out.

    Args:
        status: The status of the reply.
        message: Its reason, in the message catalogues.
        values: What the message names.
    """

    def __init__(self, status: int, message: str, **values: Value) -> None:
        super().__init__(message)
        self.status = status
        self.message = message
        self.values = values


def not_found() -> ConsoleError:
    """There is nothing at that address, or nothing that this visitor may know of."""
    return ConsoleError(404, "web-error-404")
