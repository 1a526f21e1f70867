"""Every client of a model server stops reading a reply that never ends, and raises a `ModelError`."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

import pytest

from rag.errors import ModelError, ModelReplyError
from rag.knowledge.embeddings.server import ServerEmbedder
from rag.models.chat import ChatRequest, Message
from rag.models.endpoint import MAX_REPLY_BYTES
from rag.models.roles import RoleModels
from rag.models.transcription import Transcriber
from rag.settings import Models

_PIECE = b"x" * 65_536
_MOST_ON_THE_WAY = 16 * 1024 * 1024
"""What the buffers of both ends of a connection may hold besides what was read."""


def in_pieces(content: bytes) -> bytes:
    pieces = (content[start : start + 500] for start in range(0, len(content), 500))
    return b"".join(b"%x\r\n%s\r\n" % (len(piece), piece) for piece in pieces)


@dataclass
class Endless:
    """Answers every request with a line that has no end: as it is, packed, or in small pieces."""

    encoding: str = "identity"
    url: str = ""
    connections: int = 0
    sent: int = 0

    async def respond(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.connections += 1
        with suppress(ConnectionError):
            await reader.readuntil(b"\r\n\r\n")
            heads = f"Content-Type: application/json\r\nContent-Encoding: {self.encoding}"
            pack: Callable[[bytes], bytes] = bytes
            if self.encoding == "gzip":
                pack = zlib.compressobj(wbits=31).compress
            if self.encoding == "chunked":
                heads, pack = "Content-Type: text/event-stream\r\nTransfer-Encoding: chunked", in_pieces
            writer.write(f"HTTP/1.1 200 OK\r\n{heads}\r\n\r\n".encode())
            piece = pack(b'{"text": "')
            while True:
                writer.write(piece)
                await writer.drain()
                self.sent += len(piece)
                piece = pack(_PIECE)
        writer.close()


@pytest.fixture(params=["identity", "gzip"])
async def endless(request: pytest.FixtureRequest) -> AsyncIterator[Endless]:
    fake = Endless(request.param)
    server = await asyncio.start_server(fake.respond, "127.0.0.1", 0)
    fake.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    yield fake
    server.close()


async def _complete(default: str, settings: dict[str, object]) -> object:
    models = RoleModels(
        Models.model_validate({"default": default, "attempts": 1, "timeout_seconds": 20, **settings}), Path()
    )
    request = ChatRequest("draft", "Answer.", (Message("user", "Which Java?"),), 200, purpose="draft")
    return await models.complete(request)


async def _chat(url: str) -> object:
    return await _complete("openai:m", {"openai_base_url": f"{url}/v1"})


async def _provider(_url: str) -> object:
    return await _complete("anthropic:claude-test", {})


async def _transcribe(url: str) -> object:
    return await Transcriber(f"{url}/v1", "m", "a-key", 20).transcribe(b"OggS", "a.ogg")


async def _embed(url: str) -> object:
    settings = Models(openai_base_url=f"{url}/v1", attempts=1)
    return await asyncio.to_thread(ServerEmbedder.named("openai:m", settings).embed_queries, ["Java"])


@pytest.mark.parametrize("ask", [_chat, _provider, _transcribe, _embed])
async def test_reply_without_end_breaks_off(
    endless: Endless, ask: Callable[[str], Awaitable[object]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("ANTHROPIC_BASE_URL", endless.url)
    monkeypatch.setenv("ANTHROPIC_API_KEY", "a-key")
    with pytest.raises(ModelError):
        await ask(endless.url)
    most = MAX_REPLY_BYTES if endless.encoding == "identity" else 0
    assert 0 < endless.sent <= endless.connections * (most + _MOST_ON_THE_WAY)


@pytest.mark.parametrize("endless", ["chunked"], indirect=True)
async def test_line_without_end_in_small_pieces_is_read_up_to_the_limit_in_time(endless: Endless) -> None:
    with pytest.raises(ModelReplyError):
        await _chat(endless.url)
    assert endless.sent >= MAX_REPLY_BYTES
