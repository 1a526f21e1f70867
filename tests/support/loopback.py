"""The base of the HTTP servers that tests put on loopback."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self


@dataclass(frozen=True)
class Recorded:
    """A received request; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any] = field(default_factory=dict)


class Loopback:
    """A threaded server on a free loopback port; a context manager."""

    def __init__(self, handler: type[BaseHTTPRequestHandler]) -> None:
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True
        )
        self.closing = threading.Event()
        self.asked = threading.Event()
        self.requests: list[Recorded] = []
        self.lock = threading.Lock()

    @property
    def address(self) -> str:
        """URL of the server without a path, ``http://127.0.0.1:PORT``."""
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, format: str, *args: Any) -> None:  # noqa: A002 - the base class named it
        """Log nothing, to keep the test output clean."""

    def record(self, body: dict[str, Any]) -> Recorded:
        return Recorded(
            self.command, self.path, {name.lower(): value for name, value in self.headers.items()}, body
        )

    def send(
        self, status: int, body: bytes, content_type: str, headers: Mapping[str, str] | None = None
    ) -> None:
        self.send_response(status)
        self.send_header("Content-Type", content_type)
        self.send_header("Content-Length", str(len(body)))
        for name, value in (headers or {}).items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        if self.command != "HEAD":
            self.wfile.write(body)
        self.close_connection = True

    def send_json(self, status: int, value: Any, headers: Mapping[str, str] | None = None) -> None:
        self.send(status, json.dumps(value).encode(), "application/json", headers)
