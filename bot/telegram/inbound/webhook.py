"""Lets Telegram send updates. Whoever does not know the secret gets no further than the headers."""

from __future__ import annotations

import asyncio
import errno
import hmac
import json
import socket
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any, Final, Protocol

import structlog
from tornado.httpserver import HTTPServer
from tornado.iostream import IOStream
from tornado.web import Application, HTTPError, RequestHandler, stream_request_body

from rag.errors import OperatorError

_log = structlog.get_logger(__name__)

SECRET_HEADER: Final = "X-Telegram-Bot-Api-Secret-Token"  # noqa: S105 - the name of a header

MOST_BYTES: Final = 1 << 20
"""Telegram's updates have a few kilobytes; a larger body is somebody else's."""

_TAKEN = {
    errno.EADDRINUSE: "is taken by another program; end that program, or set telegram.webhook_listen",
    errno.EACCES: "may not be used by this user; set telegram.webhook_listen to a port above 1023",
    errno.EADDRNOTAVAIL: "is no address of this machine; correct telegram.webhook_listen",
}


_PAUSE_SECONDS: Final = 1.0
"""How long no connection is taken after the system had no file left for one."""

CLOCKS_DIFFER: Final = timedelta(minutes=10)
"""An update that comes in live is as old as it says only beyond this."""

Taken = Callable[[dict[str, Any]], Awaitable[None]]
"""Records an update; raises `OperatorError` when it cannot."""


class Take(Protocol):
    """Records an update of some age; see `bot.telegram.inbound.inbox.Intake`."""

    async def __call__(self, raw: dict[str, Any], *, is_backlog: bool, tolerance: timedelta) -> None:
        """Record it; an age up to `tolerance` is none."""
        ...


class Aged:
    """Tells the updates that waited at Telegram when the bot began from those that come in live.

    What waited comes first. A later one comes at once, whatever a clock says, unless Telegram could not reach
    the bot for longer than clocks differ.

    Args:
        take: Records an update.
        waiting: How many waited.
    """

    def __init__(self, take: Take, waiting: int) -> None:
        self._take = take
        self._waiting = waiting

    async def __call__(self, raw: dict[str, Any]) -> None:
        """Record an update; raises as `take` does."""
        tolerance = timedelta(0) if self._waiting > 0 else CLOCKS_DIFFER
        await self._take(raw, is_backlog=True, tolerance=tolerance)
        self._waiting = max(self._waiting - 1, 0)


class ListenError(OperatorError):
    """The address for the webhook cannot be used."""


@asynccontextmanager
async def listening(
    host: str, port: int, secret: str, take: Taken, *, most_connections: int = 100
) -> AsyncIterator[int]:
    """Take requests.

    Args:
        host: Address to listen on.
        port: Port; 0 takes any that is free.
        secret: What every request must carry.
        take: Records an update.
        most_connections: Connections at a time; a further one is closed at once.

    Yields:
        The port.

    Raises:
        ListenError: the address cannot be used.
    """
    try:
        listener = socket.create_server(
            (host, port), family=socket.AF_INET6 if ":" in host else socket.AF_INET, backlog=128
        )
    except OSError as exc:
        reason = _TAKEN.get(
            exc.errno or 0, f"cannot be used ({exc.strerror}); correct telegram.webhook_listen"
        )
        raise ListenError(f"the address {host}:{port} {reason}") from exc
    listener.setblocking(False)
    application = Application(
        [(r"/.*", _Updates, {"secret": secret.encode(), "take": take})], log_function=lambda _handler: None
    )
    # A connection says nothing in this time when somebody only holds it open.
    server = _Server(application, idle_connection_timeout=75.0, body_timeout=30.0)
    door = _Door(listener, server, most_connections)
    try:
        yield listener.getsockname()[1]
    finally:
        door.close()
        await server.close_all_connections()


class _Server(HTTPServer):
    """Counts the connections that are open."""

    open_connections = 0

    def handle_stream(self, stream: IOStream, address: tuple[str, int]) -> None:
        self.open_connections += 1
        super().handle_stream(stream, address)

    def on_close(self, server_conn: object) -> None:
        self.open_connections -= 1
        super().on_close(server_conn)


class _Door:
    """Accepts connections, so many at a time, and waits when the system has none left.

    Tornado would try again at once, and fill the log with the same line, for as long as files run out.
    """

    def __init__(self, listener: socket.socket, server: _Server, most_connections: int) -> None:
        self._listener = listener
        self._server = server
        self._most = most_connections
        self._loop = asyncio.get_running_loop()
        self._pause: asyncio.TimerHandle | None = None
        self._has_told = False
        self._open()

    def close(self) -> None:
        """Take no connection any more."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._listener)
        self._listener.close()

    def _open(self) -> None:
        self._loop.add_reader(self._listener, self._accept)

    def _accept(self) -> None:
        try:
            connection, address = self._listener.accept()
        except (BlockingIOError, InterruptedError, ConnectionAbortedError):
            return
        except OSError as exc:
            if not self._has_told:
                _log.error("no connection for updates can be taken", reason=exc.strerror)
                self._has_told = True
            self._loop.remove_reader(self._listener)
            self._pause = self._loop.call_later(_PAUSE_SECONDS, self._open)
            return
        self._has_told = False
        if self._server.open_connections >= self._most:
            connection.close()
            return
        connection.setblocking(False)
        self._server.handle_stream(IOStream(connection), address[:2])


@stream_request_body
class _Updates(RequestHandler):
    """Takes an update: 403, 413 and 400 before anything is read or parsed, 200 when it is recorded."""

    def initialize(self, secret: bytes, take: Taken) -> None:
        self._secret = secret
        self._take = take
        self._body = bytearray()

    def prepare(self) -> None:
        given = self.request.headers.get(SECRET_HEADER, "").encode("utf-8", "surrogateescape")
        # In constant time, and never logged.
        if not hmac.compare_digest(given, self._secret):
            raise HTTPError(403)
        if self.request.method != "POST":
            raise HTTPError(405)
        kind = self.request.headers.get("Content-Type", "").partition(";")[0].strip().casefold()
        if kind != "application/json":
            raise HTTPError(403)
        announced = self.request.headers.get("Content-Length", "0")
        if not announced.isdigit() or int(announced) > MOST_BYTES:
            raise HTTPError(413)

    def data_received(self, chunk: bytes) -> None:
        self._body += chunk
        if len(self._body) > MOST_BYTES:
            raise HTTPError(413)

    async def post(self) -> None:
        try:
            raw: Any = json.loads(self._body)
        except (ValueError, RecursionError) as exc:
            raise HTTPError(400) from exc
        if not isinstance(raw, dict):
            raise HTTPError(400)
        try:
            await self._take(raw)
        except OperatorError as exc:
            # Not recorded, so not accepted: Telegram will send it again.
            raise HTTPError(503) from exc

    def write_error(self, status_code: int, **_more: object) -> None:  # noqa: ARG002 - tornado's signature
        self.set_header("Connection", "close")
        self.finish()

    def log_exception(self, _kind: object, value: BaseException | None, _trace: object) -> None:
        # A stranger knocking is no news; what goes wrong behind the secret is.
        if not isinstance(value, HTTPError):
            _log.error("an update was not taken", reason=repr(value))
