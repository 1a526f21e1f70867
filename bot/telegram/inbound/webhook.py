"""Receives updates from Telegram. Requests without the secret are rejected before the body is read."""

from __future__ import annotations

import hmac
import json
from collections.abc import Awaitable, Callable
from datetime import timedelta
from typing import Any, Final

import structlog
from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from rag.errors import OperatorError

_log = structlog.get_logger(__name__)

SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header

MOST_BYTES: Final = 1 << 20
"""Largest body in bytes: Telegram's updates have a few kilobytes, so a larger body is not Telegram's."""

CLOCKS_DIFFER: Final = timedelta(minutes=10)
"""Tolerated clock skew: a live update counts as old only when it is older than this."""

Taken = Callable[[dict[str, Any]], Awaitable[None]]
"""Records an update; raises `OperatorError` when it cannot."""


class Aged:
    """Distinguishes the updates that waited at Telegram at the start, `waiting` many, from live updates.

    Waiting updates arrive first. Later updates are live, unless they are older than the tolerated clock skew
    because Telegram could not reach the bot.
    """

    def __init__(self, take: Callable[..., Awaitable[None]], waiting: int) -> None:
        self._take = take
        self._waiting = waiting

    async def __call__(self, raw: dict[str, Any]) -> None:
        """Record an update; raises what `take` raises."""
        tolerance = timedelta(0) if self._waiting > 0 else CLOCKS_DIFFER
        await self._take(raw, is_backlog=True, tolerance=tolerance)
        self._waiting = max(self._waiting - 1, 0)


class Updates:
    """Accepts updates, as an ASGI application mounted at the path that Telegram sends to.

    It answers 403, 405 or 413 before the body is read, 413 also while it is read, 400 for an unusable body,
    200 when the update is recorded, and 500 or 503 when it is not, so that Telegram sends it again.
    """

    def __init__(self, secret: str, take: Taken) -> None:
        self._secret = secret.encode()
        self._take = take

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, always without a body."""
        request = Request(scope, receive)
        status = self._refusal(request.method, request.headers) or await self._take_body(request)
        # The body of a refused request is not read.
        headers = {} if status == 200 else {"Connection": "close"}
        await Response(status_code=status, headers=headers)(scope, receive, send)

    def _refusal(self, method: str, headers: Headers) -> int:
        """Return the status for a request that is not Telegram's, or 0."""
        given = headers.get(SECRET_HEADER, "").encode("latin-1", "replace")
        # Compared in constant time, and never logged.
        if not hmac.compare_digest(given, self._secret):
            return 403
        if method != "POST":
            return 405
        if headers.get("Content-Type", "").partition(";")[0].strip().casefold() != "application/json":
            return 403
        announced = headers.get("Content-Length", "0")
        return 413 if not announced.isdigit() or int(announced) > MOST_BYTES else 0

    async def _take_body(self, request: Request) -> int:
        body = bytearray()
        try:
            async for chunk in request.stream():
                body += chunk
                if len(body) > MOST_BYTES:
                    return 413
            raw: Any = json.loads(body)
        except (ValueError, RecursionError, ClientDisconnect):
            return 400
        if not isinstance(raw, dict):
            return 400
        try:
            await self._take(raw)
        except OperatorError as exc:
            # The update is not recorded, so it is not accepted, and Telegram will send it again.
            _log.error("an update was not taken", reason=str(exc))
            return 503
        except Exception:  # noqa: BLE001 - the outermost edge: Telegram sends it again
            _log.exception("an update was not taken")
            return 500
        return 200
