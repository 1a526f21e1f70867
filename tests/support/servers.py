"""A chat server on loopback whose behaviour a test decides.

    with FakeOpenAI([Say("Java 17.")]) as server:
        ...  # talk to server.base_url; read server.requests

Behaviours are used in order, and the last one repeats; a function of the request is possible as well.
"""

from __future__ import annotations

import email
import json
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

from tests.support.loopback import Handler, Loopback, Recorded


@dataclass(frozen=True)
class Say:
    """Answer with a text, whole or streamed as the request asks.

    Args:
        text: The reply; a mapping is sent as JSON text.
        usage: (prompt tokens, completion tokens); None leaves the usage out.
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


class FakeOpenAI(Loopback):
    """Speaks ``/v1/chat/completions``, ``/v1/models`` and ``/v1/audio/transcriptions``.

    Args:
        behaviours: The behaviour for each chat request, or a function that returns it.
        key: When given, any other bearer key is answered with 401.
        listing: The behaviour for requests of the list of models; None: return the list.
        hearing: The behaviour for recordings, or a function that returns it for the content of one.
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

        class Answering(_ChatHandler):
            server_double = fake

        super().__init__(Answering)

    @property
    def base_url(self) -> str:
        return f"{self.address}/v1"

    def behaviour_for(self, request: Recorded) -> Behaviour:
        with self.lock:
            self.requests.append(request)
            number = len(self.requests)
            self.asked.set()
        # Outside the lock: a function may make one request wait without making all others wait.
        if callable(self._behaviours):
            return self._behaviours(request)
        return self._behaviours[min(number, len(self._behaviours)) - 1]


class _ChatHandler(Handler):
    server_double: FakeOpenAI

    def _refuse(self) -> bool:
        key = self.server_double.key
        if key and self.headers.get("Authorization") != f"Bearer {key}":
            self.send_json(
                401, {"error": {"message": "Incorrect API key provided", "code": "invalid_api_key"}}
            )
            return True
        return False

    def do_GET(self) -> None:  # noqa: N802 - the name that http.server calls
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

    def do_POST(self) -> None:  # noqa: N802 - the name that http.server calls
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
