"""Serves HTTP in the bot's event loop: the one server behind the console, the HTTP API and the webhook.

uvicorn reads and writes HTTP. This module adds the limits that uvicorn lacks: of connections, in all and of
one address, and of the time for sending a request. Connections beyond a limit form a small reserve for the
paths that watch over the program: its oldest gives way to the newest, so nobody can keep it occupied.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections import Counter
from collections.abc import AsyncIterator, Callable, Set
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib.util import find_spec
from ipaddress import IPv6Address, ip_address
from typing import Final

import uvicorn
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from rag.errors import OperatorError

_TAKEN = {
    errno.EADDRINUSE: "is taken by another program; end that program, or set {setting}",
    errno.EACCES: "may not be used by this user; set {setting} to a port above 1023",
    errno.EADDRNOTAVAIL: "is no address of this machine; correct {setting}",
}

_IDLE_SECONDS: Final = 75.0
"""How long a connection can stay open between two requests."""

_HEAD_SECONDS: Final = 10.0
"""How long a client can take to send the head of a request, from its connection or from its first byte."""

_RESERVE: Final = 16
"""Connections beyond a limit that are open at a time, for the reserved paths alone."""

_BODY_SECONDS: Final = 30.0
_BODY_BYTES_PER_SECOND: Final = 16_384
"""A request's body must arrive within `_BODY_SECONDS`, or later if it arrives at least this fast."""

_UNREAD_MILLISECONDS: Final = 60_000
"""How long a client can leave sent bytes unread before its connection is closed."""

_OTHER_FILES: Final = 256
"""Open files that the program needs besides connections: databases, documents, models."""

_CLOSING_SECONDS: Final = 2.0
_BACKLOG: Final = 128


class ListenError(OperatorError):
    """The address cannot be used."""


@asynccontextmanager
async def listening(
    app: ASGIApp,
    host: str,
    port: int,
    *,
    setting: str,
    most_connections: int = 100,
    most_of_address: int | None = None,
    is_proxy: Callable[[str], bool] = lambda _: False,
    reserved: Set[str] = frozenset(),
) -> AsyncIterator[int]:
    """Serve HTTP while the context lasts, and yield the port.

    Args:
        port: Port to listen on; 0 means any free port.
        setting: Name of the setting with this address, for messages.
        most_connections: Maximum number of open connections; a further one is closed at once.
        most_of_address: The same for those of one address; None: no limit of its own.
        is_proxy: Whether an address stands for many clients, so that only the limit of all counts.
        reserved: Paths that are served beyond the limits, too.

    Raises:
        ListenError: the address cannot be used.
    """
    listener = _listener(host, port, setting)
    # Bad requests by strangers are not worth a line, and the applications log their own errors.
    logging.getLogger("uvicorn.error").setLevel(logging.CRITICAL)
    config = uvicorn.Config(
        app,
        http=_Connection,
        ws="none",
        lifespan="off",
        log_config=None,
        access_log=False,
        server_header=False,
        proxy_headers=False,
        timeout_keep_alive=round(_IDLE_SECONDS),
    )
    config.load()
    state = ServerState()
    most = _granted(most_connections)
    of_address = max((most_of_address or most_connections) * most // most_connections, 1)
    limits = _Limits(most, of_address, is_proxy, reserved)
    server = await asyncio.get_running_loop().create_server(
        lambda: _Connection(config, state, limits), sock=listener, backlog=_BACKLOG
    )
    try:
        yield listener.getsockname()[1]
    finally:
        server.close()
        await _close(state)


def _granted(connections: int) -> int:
    """Raise the limit of open files for so many connections; return for how many it is high enough."""
    if find_spec("resource") is None:
        return connections  # Windows
    import resource

    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = connections + _RESERVE + _OTHER_FILES
    if limit < wanted and limit != resource.RLIM_INFINITY:
        limit = wanted if most == resource.RLIM_INFINITY else min(wanted, most)
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))
        connections = max(limit - _RESERVE - _OTHER_FILES, 1)
    return connections


def whose(address: str) -> str:
    """Return what stands for all the addresses that one client can choose from: of IPv6, their network."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if isinstance(found, IPv6Address):
        return str(found.ipv4_mapped) if found.ipv4_mapped else found.exploded[:19]
    return address


def _listener(host: str, port: int, setting: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=_BACKLOG)
    except OSError as exc:
        reason = _TAKEN.get(exc.errno or 0, f"cannot be used ({exc.strerror}); correct {{setting}}")
        raise ListenError(f"the address {host}:{port} {reason.format(setting=setting)}") from exc
    # Connections take these over. The first, because the body would wait 40 ms for the receipt of the head;
    # Linux alone has the second.
    listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with suppress(OSError, AttributeError):
        listener.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_MILLISECONDS)
    return listener


async def _close(state: ServerState) -> None:
    connections, tasks = list(state.connections), list(state.tasks)
    for connection in connections:
        connection.shutdown()
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CLOSING_SECONDS)
    for connection in connections:
        connection.transport.abort()


@dataclass(slots=True)
class _Limits:
    most: int
    most_of_address: int
    is_proxy: Callable[[str], bool]
    reserved: Set[str]
    by_address: Counter[str] = field(default_factory=Counter)
    reserve: dict[_Connection, None] = field(default_factory=dict)


class _Connection(H11Protocol):
    """A connection within the limits, whose client must send its requests in time."""

    _timer: asyncio.TimerHandle | None = None
    _waits_for: str = ""
    _since = 0.0
    _received = 0

    def __init__(self, config: uvicorn.Config, state: ServerState, limits: _Limits) -> None:
        super().__init__(config, state, {})
        self._limits = limits

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as theirs
        super().connection_made(transport)
        limits, host = self._limits, self._host()
        limits.by_address[whose(host)] += 1
        is_beyond = limits.by_address[whose(host)] > limits.most_of_address and not limits.is_proxy(host)
        if is_beyond or len(self.connections) - len(limits.reserve) > limits.most:
            if not limits.reserved:
                transport.abort()
                return
            if len(limits.reserve) >= _RESERVE:
                next(iter(limits.reserve)).leave()
            limits.reserve[self] = None
            self.app = self._serve_reserved  # theirs describes the same protocol
        self._wait("head", _HEAD_SECONDS)

    def leave(self) -> None:
        """Give the place in the reserve to another connection."""
        self._limits.reserve.pop(self, None)
        self.transport.abort()

    async def _serve_reserved(self, scope: Scope, receive: Receive, send: Send) -> None:
        app: ASGIApp = self.config.loaded_app
        if scope["path"] not in self._limits.reserved:
            headers = {"Connection": "close", "Retry-After": "10"}
            app = PlainTextResponse("Too many connections: try again in a moment.\n", 503, headers)
        await app(scope, receive, send)

    def _host(self) -> str:
        return self.client[0] if self.client else ""

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._received += len(data)
        self._watch(has_begun=True)

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        limits, client = self._limits, whose(self._host())
        limits.by_address[client] -= 1
        if not limits.by_address[client]:
            del limits.by_address[client]
        limits.reserve.pop(self, None)
        super().connection_lost(exc)

    def _watch(self, *, has_begun: bool = False) -> None:
        cycle: RequestResponseCycle | None = (
            self.cycle
        )  # None before the first request, whatever its type says
        if cycle is None or (cycle.response_complete and has_begun):
            self._wait("head", _HEAD_SECONDS)
        elif cycle.response_complete:
            self._wait("next request", _IDLE_SECONDS)
        elif cycle.more_body:
            self._wait("body", _BODY_SECONDS)
        else:
            self._stop()

    def _wait(self, what: str, seconds: float) -> None:
        if self._waits_for != what:
            self._stop()
            self._waits_for, self._since, self._received = what, self.loop.time(), 0
            self._timer = self.loop.call_later(seconds, self._too_late)

    def _stop(self) -> None:
        self._waits_for = ""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _too_late(self) -> None:
        if self._waits_for == "body":
            deadline = self._since + _BODY_SECONDS + self._received / _BODY_BYTES_PER_SECOND
            if deadline > self.loop.time():
                self._timer = self.loop.call_at(deadline, self._too_late)
                return
        self.transport.abort()
