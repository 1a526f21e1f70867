"""Serves HTTP in the bot's event loop: the one server behind the console, the HTTP API and the webhook.

uvicorn reads and writes HTTP. This module adds the limits that uvicorn lacks: a maximum number of
connections, time limits for sending a request, and a pause when the system has no file descriptor left for a
connection.
"""

from __future__ import annotations

import asyncio
import errno
import logging
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import partial
from typing import Any, Final

import structlog
import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol, RequestResponseCycle
from uvicorn.server import ServerState

from rag.errors import OperatorError

_log = structlog.get_logger(__name__)

_TAKEN = {
    errno.EADDRINUSE: "is taken by another program; end that program, or set {setting}",
    errno.EACCES: "may not be used by this user; set {setting} to a port above 1023",
    errno.EADDRNOTAVAIL: "is no address of this machine; correct {setting}",
}

_PAUSE_SECONDS: Final = 1.0
"""How long to accept no connection after the system had no file descriptor left."""

_IDLE_SECONDS: Final = 75.0
"""How long a connection can stay open between two requests."""

_HEAD_SECONDS: Final = 30.0
"""How long a client can take to send the head of its first request."""

_BODY_SECONDS: Final = 30.0
_BODY_BYTES_PER_SECOND: Final = 16_384
"""A request's body must arrive within `_BODY_SECONDS`, or later if it arrives at least this fast."""

_UNREAD_MILLISECONDS: Final = 60_000
"""How long a client can leave sent bytes unread before its connection is closed."""

_CLOSING_SECONDS: Final = 2.0


class ListenError(OperatorError):
    """The address cannot be used."""


@asynccontextmanager
async def listening(
    app: ASGIApp, host: str, port: int, *, setting: str, most_connections: int = 100
) -> AsyncIterator[int]:
    """Serve HTTP while the context lasts.

    Args:
        app: Answers the requests.
        host: Address to listen on.
        port: Port to listen on; 0 means any free port.
        setting: Name of the setting with this address, for messages.
        most_connections: Maximum number of open connections; a further one is closed at once.

    Yields:
        The port.

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
    door = _Door(listener, partial(_Connection, config, state, {}), state, most_connections)
    try:
        yield listener.getsockname()[1]
    finally:
        door.close()
        await _close(state)


def _listener(host: str, port: int, setting: str) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        listener = socket.create_server((host, port), family=family, backlog=128)
    except OSError as exc:
        reason = _TAKEN.get(exc.errno or 0, f"cannot be used ({exc.strerror}); correct {{setting}}")
        raise ListenError(f"the address {host}:{port} {reason.format(setting=setting)}") from exc
    listener.setblocking(False)
    return listener


async def _close(state: ServerState) -> None:
    """Shut connections down, cancel their requests, and wait at most `_CLOSING_SECONDS` for their end."""
    connections, tasks = list(state.connections), list(state.tasks)
    for connection in connections:
        connection.shutdown()
    for task in tasks:
        task.cancel()
    if tasks:
        await asyncio.wait(tasks, timeout=_CLOSING_SECONDS)
    for connection in connections:
        connection.transport.abort()


class _Connection(H11Protocol):
    """A connection whose client must send its requests in time."""

    _timer: asyncio.TimerHandle | None = None
    _waits_for: str = ""
    _since = 0.0
    _received = 0

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as theirs
        super().connection_made(transport)
        self._wait("head", _HEAD_SECONDS)

    def data_received(self, data: bytes) -> None:
        super().data_received(data)
        self._received += len(data)
        self._watch()

    def on_response_complete(self) -> None:
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop()
        super().connection_lost(exc)

    def _watch(self) -> None:
        cycle: RequestResponseCycle | None = (
            self.cycle
        )  # None before the first request, whatever its type says
        if cycle is None:
            self._wait("head", _HEAD_SECONDS)
        elif cycle.response_complete:
            self._wait("head", _IDLE_SECONDS)
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


class _Door:
    """Accepts connections up to a maximum, and pauses when the system has no file descriptor left.

    asyncio would instead write the same log line each second while there is none.
    """

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[[], asyncio.Protocol],
        state: ServerState,
        most_connections: int,
    ) -> None:
        self._listener = listener
        self._protocol = protocol
        self._state = state
        self._most = most_connections
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._coming: set[asyncio.Task[Any]] = set()
        self._has_told = False
        self._open()

    def close(self) -> None:
        """Accept no more connections."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._listener)
        self._listener.close()
        for task in self._coming:
            task.cancel()

    def _open(self) -> None:
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        try:
            connection, _ = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as exc:
            if not self._has_told:
                _log.error("no connection can be taken", reason=exc.strerror)
                self._has_told = True
            self._loop.remove_reader(self._listener)
            self._pause = self._loop.call_later(_PAUSE_SECONDS, self._open)
            return
        self._has_told = False
        if len(self._state.connections) + len(self._coming) >= self._most:
            connection.close()
            return
        connection.setblocking(False)
        with suppress(OSError, AttributeError):  # Linux has it
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, _UNREAD_MILLISECONDS)
        task = self._loop.create_task(self._let_in(connection))
        self._coming.add(task)
        task.add_done_callback(self._coming.discard)

    async def _let_in(self, connection: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:
            connection.close()
