"""A site on this machine, for tests of fetching pages: it has replies by path, and records its requests."""

from __future__ import annotations

import ipaddress
import threading
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self

from bot.documents.fetching import IPAddress

LOOPBACK = ipaddress.ip_address("127.0.0.1")


def only_this_site(address: IPAddress) -> bool:
    """Allow only the loopback address that the site listens on, and no other address of this machine."""
    return address == LOOPBACK


@dataclass(frozen=True)
class Reply:
    body: bytes = b""
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    kind: str = "text/html; charset=utf-8"


Answers = Reply | Callable[[Mapping[str, str]], Reply]


class Site:
    """A site at ``http://127.0.0.1:PORT``; it answers unknown paths with 404."""

    def __init__(self, **pages: Answers) -> None:
        self.pages: dict[str, Answers] = {f"/{name}": page for name, page in pages.items()}
        self.asked: list[tuple[str, dict[str, str]]] = []
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                headers = {name.lower(): value for name, value in self.headers.items()}
                site.asked.append((self.path, headers))
                page = site.pages.get(self.path, Reply(b"no", 404))
                reply = page if isinstance(page, Reply) else page(headers)
                self.send_response(reply.status)
                self.send_header("Content-Type", reply.kind)
                for name, value in reply.headers.items():
                    self.send_header(name, value)
                self.send_header("Content-Length", str(len(reply.body)))
                self.end_headers()
                self.wfile.write(reply.body)

            def log_message(self, format: str, *args: object) -> None:  # noqa: A002 - theirs
                pass

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.01,))
        self._thread.start()
        return self

    def __exit__(
        self,
        error_type: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()

    def paths(self) -> list[str]:
        return [path for path, _ in self.asked]
