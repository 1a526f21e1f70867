"""The thread in which the server lives: a loopback socket and an event loop of its own."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable

from tornado.httpserver import HTTPServer

from tests.telegram.calls import Switchboard
from tests.telegram.webhook import Delivery

_MAX_BODY = 64 * 1024 * 1024
_CLOSING_SECONDS = 5


class ServerThread:
    """Serves from construction until ``close``; the delivery is made in the thread, whose event loop it uses."""

    def __init__(self, board: Switchboard, delivery: Callable[[], Delivery]) -> None:
        self._board = board
        self._make_delivery = delivery
        self._delivery: Delivery | None = None
        self._socket = socket.create_server(("127.0.0.1", 0))
        self._socket.setblocking(False)
        self.port: int = self._socket.getsockname()[1]
        self._loop = asyncio.new_event_loop()
        self._stop = asyncio.Event()
        self._started = threading.Event()
        self._thread = threading.Thread(target=self._run, name="fake-telegram", daemon=True)
        self._thread.start()
        self._started.wait()

    def close(self) -> None:
        self.call(self._stop.set)
        self._thread.join()

    def call(self, function: Callable[[], object]) -> None:
        if not self._loop.is_closed():
            self._loop.call_soon_threadsafe(function)

    def look(self) -> None:
        """Make polls and deliveries look again, after updates or the webhook have changed."""
        self.call(self._look)

    def _look(self) -> None:
        if self._board.world.webhook.url:
            self._board.refuse_polls_for_webhook()
        self._board.wake()
        if self._delivery is not None:
            self._delivery.look()

    def _run(self) -> None:
        asyncio.set_event_loop(self._loop)
        try:
            self._loop.run_until_complete(self._serve())
        finally:
            self._loop.close()
            asyncio.set_event_loop(None)

    async def _serve(self) -> None:
        self._delivery = self._make_delivery()
        server = HTTPServer(self._board.application(), max_buffer_size=_MAX_BODY, max_body_size=_MAX_BODY)
        server.add_socket(self._socket)
        self._started.set()
        await self._stop.wait()
        self._board.closing.set()
        server.stop()
        await self._delivery.close()
        await server.close_all_connections()
        # Let waiting calls notice that the server closes.
        rest = asyncio.all_tasks() - {asyncio.current_task()}
        if rest:
            await asyncio.wait(rest, timeout=_CLOSING_SECONDS)
