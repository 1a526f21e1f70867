"""Loopback HTTP servers whose behaviour a test decides: a chat server and a file server.

    with FakeOpenAI([Say("Java 17.")]) as server:
        ...  # talk to server.base_url; read server.requests

Behaviours are used in order, and the last one repeats; a function of the request is possible as well.
"""

from __future__ import annotations

import email
import json
import threading
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Any, Self, TypeAlias


@dataclass(frozen=True)
class Recorded:
    """A received request; header names are in lower case."""

    method: str
    path: str
    headers: Mapping[str, str]
    body: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class Say:
    """Answer with a text, whole or streamed as the request asks.

    Args:
        text: The reply; a mapping is sent as JSON text.
        finish_reason: The ``finish_reason`` of the response.
        usage: (prompt tokens, completion tokens); None leaves the usage out.
        reasoning: Text of the ``reasoning`` field beside the content.
        pieces: How a stream cuts the text; by default every seven characters.
    """

    text: str | Mapping[str, Any]
    finish_reason: str | None = "stop"
    usage: tuple[int, int] | None = (11, 7)
    reasoning: str = ""
    pieces: tuple[str, ...] = ()


@dataclass(frozen=True)
class Fail:
    """Answer with a status and an error object (or another body)."""

    status: int
    message: str = "it failed"
    code: str | None = None
    param: str | None = None
    headers: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Raw:
    """Answer with these bytes, whatever was asked."""

    body: bytes
    content_type: str = "application/json"
    status: int = 200


@dataclass(frozen=True)
class Hang:
    """Take the request and never answer (until the server closes)."""


@dataclass(frozen=True)
class HangUp:
    """Close the connection without an answer."""


@dataclass(frozen=True)
class CutStream:
    """Stream these pieces and stop: by breaking the connection, or by closing it without a final event."""

    pieces: tuple[str, ...]
    politely: bool = False


Behaviour: TypeAlias = Say | Fail | Raw | Hang | HangUp | CutStream


class _Loopback:
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
        """Return the address, ``http://127.0.0.1:PORT``."""
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


class FakeOpenAI(_Loopback):
    """Speaks ``/v1/chat/completions``, ``/v1/models`` and ``/v1/audio/transcriptions``.

    Args:
        behaviours: The behaviour for each chat request, or a function that returns it.
        models: Names that ``/v1/models`` lists.
        key: When given, any other bearer key is answered with 401.
        listing: The behaviour for requests of the list of models; None: return the list.
        hearing: The behaviour for recordings, or a function that returns it for the content of one.

    Attributes:
        requests: Every chat request.
        recordings: Every recording as it came in, with the fields of its form.
        asked: Set when the first one has come in.
        listings: How often the list of models was asked for.
    """

    def __init__(
        self,
        behaviours: Sequence[Behaviour] | Callable[[Recorded], Behaviour] = (Say("Hello."),),
        models: Sequence[str] = ("test-model",),
        key: str = "",
        listing: Behaviour | None = None,
        hearing: Behaviour | Callable[[bytes], Behaviour] = Say("Hello."),
    ) -> None:
        self.models = tuple(models)
        self.listing = listing
        self.hearing = hearing
        self.recordings: list[dict[str, bytes]] = []
        self.key = key
        self.listings = 0
        self._behaviours = behaviours
        fake = self

        class Handler(_ChatHandler):
            server_double = fake

        super().__init__(Handler)

    @property
    def base_url(self) -> str:
        """Return the address for the settings."""
        return f"{self.address}/v1"

    def behaviour_for(self, request: Recorded) -> Behaviour:
        """Record the request and return the behaviour for it."""
        with self.lock:
            self.requests.append(request)
            number = len(self.requests)
            self.asked.set()
        # Outside the lock: a function may make one request wait without making all others wait.
        if callable(self._behaviours):
            return self._behaviours(request)
        return self._behaviours[min(number, len(self._behaviours)) - 1]


class _Handler(BaseHTTPRequestHandler):
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


class _ChatHandler(_Handler):
    server_double: FakeOpenAI

    def _refuse(self) -> bool:
        key = self.server_double.key
        if key and self.headers.get("Authorization") != f"Bearer {key}":
            self.send_json(
                401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
            )
            return True
        return False

    def do_GET(self) -> None:
        if self._refuse():
            return
        if self.path.endswith("/models"):
            self.server_double.listings += 1
            if self.server_double.listing is not None:
                self._behave(self.server_double.listing, {})
                return
            listed = [{"id": name, "object": "model"} for name in self.server_double.models]
            self.send_json(200, {"object": "list", "data": listed})
        else:
            self.send_json(404, {"error": {"message": "no such path"}})

    def do_POST(self) -> None:
        length = int(self.headers.get("Content-Length", "0"))
        content = self.rfile.read(length)
        if self._refuse():
            return
        if self.path.endswith("/audio/transcriptions"):
            self._hear(content)
            return
        body = json.loads(content or b"{}")
        request = self.record(body)
        try:
            self._behave(self.server_double.behaviour_for(request), body)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True  # the client gave up, as some tests intend

    def _hear(self, content: bytes) -> None:
        head = f"Content-Type: {self.headers['Content-Type']}\r\n\r\n".encode()
        form = email.message_from_bytes(head + content)
        fields: dict[str, bytes] = {}
        for part in form.walk():
            if not part.is_multipart():
                content_of_part = part.get_payload(decode=True)
                assert isinstance(content_of_part, bytes)
                fields[str(part.get_param("name", header="content-disposition"))] = content_of_part
        with self.server_double.lock:
            self.server_double.recordings.append(fields)
        hearing = self.server_double.hearing
        match hearing(fields["file"]) if callable(hearing) else hearing:
            case Say() as say:
                usage = {} if say.usage is None else {"usage": _transcription_usage(say.usage)}
                self.send_json(200, {"text": _text(say), **usage})
            case other:
                self._behave(other, {})

    def _behave(self, behaviour: Behaviour, body: dict[str, Any]) -> None:
        match behaviour:
            case Say() if body.get("stream"):
                self._stream(behaviour, body)
            case Say():
                self.send_json(200, _completion(behaviour, body))
            case Fail(status, message, code, param, headers):
                error = {"message": message, "type": "error", "code": code, "param": param}
                self.send_json(status, {"error": error}, headers)
            case Raw(raw, content_type, status):
                self.send(status, raw, content_type)
            case Hang():
                self.server_double.closing.wait()
                self.close_connection = True
            case HangUp():
                self.close_connection = True
            case CutStream(pieces, politely):
                self._start_stream()
                for piece in pieces:
                    self._event(_chunk(body, {"content": piece}))
                if politely:
                    self._end_stream()
                self.close_connection = True

    def _stream(self, say: Say, body: dict[str, Any]) -> None:
        self._start_stream()
        if say.reasoning:
            self._event(_chunk(body, {"reasoning": say.reasoning}))
        text = _text(say)
        for piece in say.pieces or [text[start : start + 7] for start in range(0, len(text), 7)]:
            self._event(_chunk(body, {"content": piece}))
        self._event(_chunk(body, {}, say.finish_reason))
        if say.usage is not None and body.get("stream_options", {}).get("include_usage"):
            self._event({**_chunk(body, {}), "choices": [], "usage": _usage(say.usage)})
        self._write_chunk(b"data: [DONE]\n\n")
        self._end_stream()

    def _start_stream(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.send_header("Connection", "close")
        self.end_headers()

    def _event(self, value: dict[str, Any]) -> None:
        self._write_chunk(f"data: {json.dumps(value)}\n\n".encode())

    def _write_chunk(self, content: bytes) -> None:
        self.wfile.write(f"{len(content):x}\r\n".encode() + content + b"\r\n")
        self.wfile.flush()

    def _end_stream(self) -> None:
        self.wfile.write(b"0\r\n\r\n")
        self.close_connection = True


def _text(say: Say) -> str:
    return say.text if isinstance(say.text, str) else json.dumps(say.text)


def _usage(tokens: tuple[int, int]) -> dict[str, int]:
    return {"prompt_tokens": tokens[0], "completion_tokens": tokens[1], "total_tokens": sum(tokens)}


def _transcription_usage(tokens: tuple[int, int]) -> dict[str, Any]:
    return {
        "type": "tokens",
        "input_tokens": tokens[0],
        "output_tokens": tokens[1],
        "total_tokens": sum(tokens),
    }


def _completion(say: Say, body: dict[str, Any]) -> dict[str, Any]:
    message: dict[str, Any] = {"role": "assistant", "content": _text(say)}
    if say.reasoning:
        message["reasoning"] = say.reasoning
    completion: dict[str, Any] = {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "created": int(time.time()),
        "model": body.get("model", ""),
        "choices": [{"index": 0, "message": message, "finish_reason": say.finish_reason}],
    }
    if say.usage is not None:
        completion["usage"] = _usage(say.usage)
    return completion


def _chunk(body: dict[str, Any], delta: dict[str, Any], finish_reason: str | None = None) -> dict[str, Any]:
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion.chunk",
        "created": int(time.time()),
        "model": body.get("model", ""),
        "choices": [{"index": 0, "delta": delta, "finish_reason": finish_reason}],
    }


class FileServer(_Loopback):
    """Serves one file at every path.

    Args:
        content: The file.
        ranges: Whether ``Range`` is honoured (206); otherwise the whole file is sent every time.
        etag: The entity tag of the file; an empty string leaves it out.
        cuts: Number of bytes after which the connection breaks, for the first, second … response.
        status: Answer with this status instead.
        redirect: Answer with a redirect to this address instead.
    """

    def __init__(
        self,
        content: bytes,
        *,
        ranges: bool = True,
        etag: str = '"one"',
        cuts: Sequence[int] = (),
        status: int = 200,
        redirect: str = "",
    ) -> None:
        self.content = content
        self.ranges = ranges
        self.etag = etag
        self.cuts = list(cuts)
        self.status = status
        self.redirect = redirect
        fake = self

        class Handler(_FileHandler):
            server_double = fake

        super().__init__(Handler)

    @property
    def url(self) -> str:
        """Return the address of the file."""
        return f"{self.address}/model.gguf"


class _FileHandler(_Handler):
    server_double: FileServer

    def do_GET(self) -> None:
        double = self.server_double
        with double.lock:
            double.requests.append(self.record({}))
            cut = double.cuts.pop(0) if double.cuts else None
        if double.redirect:
            self.send(302, b"", "text/plain", {"Location": double.redirect})
            return
        if double.status != 200:
            self.send(double.status, b"not here", "text/plain")
            return
        content, total = double.content, len(double.content)
        headers = {"ETag": double.etag} if double.etag else {}
        status, start = 200, 0
        wanted = self.headers.get("Range", "")
        condition = self.headers.get("If-Range")
        if double.ranges and wanted and condition in {None, double.etag}:
            start = int(wanted.removeprefix("bytes=").removesuffix("-"))
            if start >= total:
                self.send(416, b"", "text/plain", {"Content-Range": f"bytes */{total}"})
                return
            status = 206
            headers["Content-Range"] = f"bytes {start}-{total - 1}/{total}"
        self._send_cut(status, content[start:], headers, cut)

    def _send_cut(self, status: int, body: bytes, headers: Mapping[str, str], cut: int | None) -> None:
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        for name, value in headers.items():
            self.send_header(name, value)
        self.send_header("Connection", "close")
        self.end_headers()
        self.wfile.write(body if cut is None else body[:cut])
        self.close_connection = True
