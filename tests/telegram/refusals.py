"""The refusals of the Bot API, in its own words.

The sentences are those that bots receive and match on: ``Bad Request: message is not modified: …`` and
the like, with ``parameters`` where the reference page of the Bot API lists them (``ResponseParameters``:
``retry_after`` in seconds, ``migrate_to_chat_id``).
"""

from __future__ import annotations

from typing import Any


class Refusal(Exception):  # noqa: N818 - an answer of the server, not an error of ours
    """A call that is answered with ``ok: false``; the status is also the ``error_code``."""

    def __init__(self, status: int, description: str, parameters: dict[str, Any] | None = None) -> None:
        super().__init__(description)
        self.status = status
        self.description = description
        self.parameters = parameters or {}

    def wire(self) -> dict[str, Any]:
        body: dict[str, Any] = {"ok": False, "error_code": self.status, "description": self.description}
        if self.parameters:
            body["parameters"] = self.parameters
        return body


def bad_request(reason: str, **parameters: Any) -> Refusal:
    return Refusal(400, f"Bad Request: {reason}", parameters)


def forbidden(reason: str) -> Refusal:
    return Refusal(403, f"Forbidden: {reason}")


def conflict(reason: str) -> Refusal:
    """Build a refusal with status 409: two clients want to receive the updates."""
    return Refusal(409, f"Conflict: {reason}")


def too_many_requests(retry_after: int) -> Refusal:
    return Refusal(429, f"Too Many Requests: retry after {retry_after}", {"retry_after": retry_after})


def migrated(new_chat_id: int) -> Refusal:
    """Build the refusal with status 400 of calls to a group that has become a supergroup."""
    return bad_request("group chat was upgraded to a supergroup chat", migrate_to_chat_id=new_chat_id)


UNAUTHORIZED = (401, "Unauthorized")
NOT_FOUND = (404, "Not Found")
TOO_LARGE = (413, "Request Entity Too Large")

_DEFAULTS = {
    400: "Bad Request: can't parse entities: Can't find end of the entity starting at byte offset 0",
    401: "Unauthorized",
    403: "Forbidden: bot was blocked by the user",
    404: "Not Found",
    409: "Conflict: terminated by other getUpdates request; make sure that only one bot instance is running",
    413: "Request Entity Too Large",
    429: "Too Many Requests",
    500: "Internal Server Error",
    502: "Bad Gateway",
    503: "Service Unavailable",
    504: "Gateway Timeout",
}


def scripted(
    status: int, description: str = "", retry_after: int | None = None, migrate_to: int | None = None
) -> Refusal:
    """Build a refusal that a test ordered; missing fields are filled in as by Telegram."""
    if migrate_to is not None:
        return migrated(migrate_to)
    if retry_after is not None:
        refusal = too_many_requests(retry_after)
        return Refusal(status, description or refusal.description, refusal.parameters)
    return Refusal(status, description or _DEFAULTS.get(status, "Internal Server Error"))
