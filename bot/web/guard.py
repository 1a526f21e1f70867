"""Checks that every request passes first, and headers that every reply carries."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import Final

import structlog
from starlette.datastructures import Headers, MutableHeaders
from starlette.exceptions import HTTPException
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from bot.http_server import whose

_log = structlog.get_logger(__name__)

HEADERS: Final = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
        "form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    ),
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    # Not "no-referrer": browsers would then hide the origin of our own forms from us.
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Permissions-Policy": "camera=(), microphone=(), geolocation=()",
}

_ENCRYPTED: Final = {"Strict-Transport-Security": "max-age=31536000"}

MOST_BYTES: Final = 256 << 10
"""A question and a form have a few kilobytes."""

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_WINDOW_SECONDS: Final = 60.0
_MOST_OF_SESSION: Final = 32
_MOST_OF_ADDRESS: Final = 256
"""Requests at a time of one session, and of one address without one; an event stream is a request."""

_MOST_KEYS: Final = 10_000
_DRAIN_SECONDS: Final = 1.0
_DRAIN_BYTES: Final = 8 << 20

ANY_HOST: Final = frozenset({"/healthz", "/metrics"})
"""Paths that machines ask for, by whatever name they know this one; they carry no cookie."""


class Guard:
    """Rejects requests for unknown hosts, from other sites, with too large a body, or beyond the rate limit.

    Args:
        hosts: Host names that requests may use.
        most_requests: Requests within a minute of one session or address.
        is_encrypted: Browsers always reach it over HTTPS.
        most_bytes: Returns how large the body of a request to a path may be.
        open_paths: Paths that have a lock of their own: the webhook.
        rate_limit_key: Returns what requests to a path are counted by once the application has said that it
            knows the session, with ``is_known`` in the state of a request; till then, or empty: the client's
            address.
    """

    def __init__(
        self,
        app: ASGIApp,
        *,
        hosts: frozenset[str],
        most_requests: int,
        is_encrypted: bool,
        most_bytes: Callable[[str], int],
        rate_limit_key: Callable[[str, Headers], str],
        open_paths: Iterable[str] = (),
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._most_requests = most_requests
        self._is_encrypted = is_encrypted
        self._most_bytes = most_bytes
        self._rate_limit_key = rate_limit_key
        self._open_paths = frozenset(open_paths)
        self._clock = clock
        self._counts: Counter[str] = Counter()
        self._at_work: Counter[str] = Counter()
        self._known: set[str] = set()
        self._window = 0.0

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a request, or refuse it."""
        if scope["type"] != "http" or scope["path"] in self._open_paths:
            await self._app(scope, receive, send)
            return
        headers = Headers(scope=scope)
        limit = self._most_bytes(scope["path"])
        session = self._rate_limit_key(scope["path"], headers)
        key = self._key(scope, session)
        has_begun = is_complete = False

        async def replied(message: Message) -> None:
            nonlocal has_begun, is_complete
            if message["type"] == "http.response.start":
                has_begun = True
                if session and scope.get("state", {}).get("is_known"):
                    self._known.add(session)
                own = MutableHeaders(scope=message)
                is_encrypted = self._is_encrypted or scope["scheme"] == "https"
                for name, value in (HEADERS | (_ENCRYPTED if is_encrypted else {})).items():
                    own[name] = value
                own.setdefault("Cache-Control", "no-store")
            elif message["type"] == "http.response.body":
                is_complete = not message.get("more_body", False)
            await send(message)

        if refusal := self._refusal(scope, headers, limit, key):
            status, text = refusal
            closing = {"Connection": "close"} | ({"Retry-After": "60"} if status == 429 else {})
            await _drain(receive)
            await PlainTextResponse(text + "\n", status, closing)(scope, receive, replied)
            return
        self._at_work[key] += 1
        try:
            await self._app(scope, _limited(receive, limit), replied)
        except Exception:
            _log.exception("a request failed", path=scope["path"])
            # Starlette has answered already, if it could.
            if has_begun and not is_complete:
                raise
            if not has_begun:
                await PlainTextResponse("Something went wrong; the log says what.\n", 500)(
                    scope, receive, replied
                )
        finally:
            self._at_work[key] -= 1
            if not self._at_work[key]:
                del self._at_work[key]

    def _key(self, scope: Scope, session: str) -> str:
        if session in self._known:
            return session
        address = whose(scope["client"][0]) if scope["client"] else ""
        # Apart, so that whoever watches the program is not locked out by somebody with the same address.
        return f"{address} {scope['path']}" if scope["path"] in ANY_HOST else address

    def _refusal(self, scope: Scope, headers: Headers, limit: int, key: str) -> tuple[int, str] | None:
        path = scope["path"]
        if path not in ANY_HOST and _name(headers.get("host", "")) not in self._hosts:
            return 421, "The console is not known by this name: set console.public_url."
        if scope["method"] not in _SAFE and not self._is_own(headers):
            return 403, "This came from another site."
        if not self._has_room(key):
            return 429, "Too many requests: try again in a minute."
        announced = headers.get("content-length", "0")
        if not announced.isdigit():
            return 400, "The length of the body is no number."
        return (413, "The body is too large.") if int(announced) > limit else None

    def _is_own(self, headers: Headers) -> bool:
        """Whether a request that changes something comes from our own page, or from no page at all."""
        if headers.get("sec-fetch-site", "none") not in {"same-origin", "none"}:
            return False
        origin = headers.get("origin")
        return origin is None or _name(origin.partition("://")[2]) in self._hosts

    def _has_room(self, key: str) -> bool:
        now = self._clock()
        if now - self._window >= _WINDOW_SECONDS or len(self._counts) > _MOST_KEYS:
            self._window, self._counts = now, Counter()
        if len(self._known) > _MOST_KEYS:
            self._known.clear()
        self._counts[key] += 1
        most_at_work = _MOST_OF_SESSION if key in self._known else _MOST_OF_ADDRESS
        return self._counts[key] <= self._most_requests and self._at_work[key] < most_at_work


async def _drain(receive: Receive) -> None:
    """Take in, within bounds, what is still being sent: the client of a connection that is closed before
    everything was read is reset, and does not see the reply.
    """
    taken = 0
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAIN_SECONDS):
            while taken < _DRAIN_BYTES:
                message = await receive()
                taken += len(message.get("body", b""))
                if not message.get("more_body", False):
                    return


def _limited(receive: Receive, limit: int) -> Receive:
    """Count a body that came without its length."""
    received = 0

    async def counted() -> Message:
        nonlocal received
        message = await receive()
        received += len(message.get("body", b""))
        if received > limit:
            raise HTTPException(413)
        return message

    return counted


def _name(host: str) -> str:
    """The name in ``name:port`` or ``[address]:port``, in lower case."""
    if host.startswith("["):
        return host[1:].partition("]")[0].casefold()
    return host.partition(":")[0].casefold()
