"""The webhook over real sockets: strangers get no further than the headers."""

from __future__ import annotations

import asyncio
import json
import logging
import os
import resource
import socket
from collections.abc import AsyncIterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import httpx
import pytest
from starlette.responses import PlainTextResponse

from bot import http_server
from bot.http_server import ListenError
from bot.service.errors import StorageError
from bot.telegram.inbound.webhook import CLOCKS_DIFFER, MOST_BYTES, SECRET_HEADER, Aged, Updates

SECRET = "swordfish-for-telegram"
JSON = "application/json"


@dataclass
class Taken:
    """Records updates, unless it is full."""

    updates: list[dict[str, Any]] = field(default_factory=list)
    is_full: bool = False

    async def __call__(self, raw: dict[str, Any]) -> None:
        if self.is_full:
            raise StorageError("the disk is full", is_passing=True)
        self.updates.append(raw)


def listening(host: str, port: int, taken: Taken, *, most: int = 100) -> AbstractAsyncContextManager[int]:
    updates = Updates(SECRET, taken)
    return http_server.listening(
        updates, host, port, setting="telegram.webhook_listen", most_connections=most
    )


@dataclass
class Hook:
    port: int
    taken: Taken

    async def post(self, body: bytes, headers: dict[str, str], method: str = "POST") -> int:
        async with httpx.AsyncClient(trust_env=False) as client:
            reply = await client.request(
                method, f"http://127.0.0.1:{self.port}/any/path", content=body, headers=headers
            )
        assert reply.content == b""
        return reply.status_code

    async def raw(self, request: bytes) -> bytes:
        """Send bytes and return what comes back until the connection closes."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port)
        try:
            writer.write(request)
            await writer.drain()
            return await asyncio.wait_for(reader.read(), 10)
        finally:
            writer.close()


@pytest.fixture
async def hook() -> AsyncIterator[Hook]:
    taken = Taken()
    async with listening("127.0.0.1", 0, taken) as port:
        yield Hook(port, taken)


def headers(**others: str) -> dict[str, str]:
    return {SECRET_HEADER: SECRET, "Content-Type": JSON} | others


async def test_update_is_recorded_before_it_is_accepted(hook: Hook) -> None:
    assert await hook.post(b'{"update_id": 7}', headers()) == 200
    assert hook.taken.updates == [{"update_id": 7}]


async def test_content_type_may_name_its_characters(hook: Hook) -> None:
    kind = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert await hook.post(b'{"update_id": 7}', headers() | kind) == 200


@pytest.mark.parametrize(
    ("given", "method", "body", "status"),
    [
        ({"Content-Type": JSON}, "POST", b"{}", 403),
        ({"Content-Type": JSON, SECRET_HEADER: ""}, "POST", b"{}", 403),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET[:-1]}, "POST", b"{}", 403),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET + "x"}, "POST", b"{}", 403),
        ({SECRET_HEADER: SECRET, "Content-Type": "text/plain"}, "POST", b"{}", 403),
        ({SECRET_HEADER: SECRET}, "POST", b"{}", 403),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "GET", b"", 405),
        ({"Content-Type": JSON}, "GET", b"", 403),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "POST", b"", 400),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "POST", b"{", 400),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "POST", b"[1]", 400),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "POST", b"\xff\xfe{}", 400),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "POST", b"[" * 100_000, 400),
        ({"Content-Type": JSON, SECRET_HEADER: SECRET}, "POST", b" " * (MOST_BYTES + 1), 413),
        ({"Content-Type": JSON}, "POST", b" " * (MOST_BYTES + 1), 403),
    ],
    ids=[
        "no secret", "empty secret", "part of the secret", "more than the secret", "another content type",
        "no content type", "another method", "another method without secret", "no body", "no JSON", "a list",
        "no UTF-8", "nested deeply", "too large", "too large without secret",
    ],
)  # fmt: skip
async def test_what_is_not_telegrams_is_refused(
    hook: Hook, given: dict[str, str], method: str, body: bytes, status: int
) -> None:
    assert await hook.post(body, given, method) == status
    assert hook.taken.updates == []
    # And the next one from Telegram is taken.
    assert await hook.post(b"{}", headers()) == 200


@pytest.mark.parametrize(
    "size", ["Content-Length: 52428800", "Content-Length: x", "Transfer-Encoding: chunked"]
)
async def test_large_body_is_refused_before_it_is_read(hook: Hook, size: str) -> None:
    head = (
        f"POST / HTTP/1.1\r\nHost: h\r\n{SECRET_HEADER}: {SECRET}\r\nContent-Type: {JSON}\r\n{size}\r\n\r\n"
    )
    # Chunks have no length in front: they are counted as they come.
    chunks = b"80000\r\n" + b" " * 0x80000 + b"\r\n"
    body = chunks * 3 if "chunked" in size else b""
    try:
        reply = await hook.raw(head.encode() + body)
    except ConnectionError:
        reply = b""
    assert not reply or b" 413 " in reply.splitlines()[0] or b" 400 " in reply.splitlines()[0]
    assert hook.taken.updates == []
    assert await hook.post(b"{}", headers()) == 200


async def test_what_cannot_be_recorded_is_not_accepted_so_that_it_comes_again(hook: Hook) -> None:
    hook.taken.is_full = True
    assert await hook.post(b'{"update_id": 7}', headers()) == 503
    hook.taken.is_full = False
    assert await hook.post(b'{"update_id": 7}', headers()) == 200
    assert hook.taken.updates == [{"update_id": 7}]


async def test_no_secret_and_no_body_gets_into_the_log(hook: Hook, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.DEBUG)
    await hook.post(json.dumps({"text": "private words"}).encode(), {SECRET_HEADER: "guessed-secret"})
    await hook.post(b"private words", headers())
    assert not {"guessed-secret", SECRET, "private words"} & set(caplog.text.split())
    assert "private words" not in caplog.text


async def test_slow_client_does_not_keep_others_waiting(hook: Hook) -> None:
    _, writer = await asyncio.open_connection("127.0.0.1", hook.port)
    writer.write(b"POST / HTTP/1.1\r\nHost: h\r\n")
    await writer.drain()
    assert await hook.post(b"{}", headers()) == 200
    writer.close()


@pytest.mark.parametrize(
    "begun",
    [
        b"",
        b"POST / HTTP/1.1\r\nHost: h\r\n",
        f"POST / HTTP/1.1\r\nHost: h\r\n{SECRET_HEADER}: {SECRET}\r\nContent-Type: {JSON}\r\n"
        "Content-Length: 10\r\n\r\n{".encode(),
    ],
    ids=["nothing", "half a head", "half a body"],
)
async def test_client_that_does_not_go_on_is_cut_off(
    hook: Hook, begun: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("_HEAD_SECONDS", "_BODY_SECONDS"):
        monkeypatch.setattr(http_server, name, 0.2)
    with suppress(ConnectionError):
        assert await hook.raw(begun) == b""
    assert hook.taken.updates == []
    assert await hook.post(b"{}", headers()) == 200


async def test_taken_port_is_one_sentence(hook: Hook) -> None:
    with pytest.raises(ListenError, match=f"127.0.0.1:{hook.port} is taken by another program; end that"):
        async with listening("127.0.0.1", hook.port, hook.taken):
            pass


async def test_address_of_another_machine_is_one_sentence(hook: Hook) -> None:
    with pytest.raises(ListenError, match=r"is no address of this machine; correct telegram\.webhook_listen"):
        async with listening("192.0.2.1", 8443, hook.taken):
            pass


async def test_only_what_waited_at_the_start_is_as_old_as_it_says() -> None:
    taken: list[tuple[int, timedelta]] = []
    is_full = True

    async def take(raw: dict[str, Any], *, is_backlog: bool, tolerance: timedelta) -> None:
        if is_full:
            raise StorageError("the disk is full", is_passing=True)
        assert is_backlog
        taken.append((raw["update_id"], tolerance))

    aged = Aged(take, waiting=2)
    with pytest.raises(StorageError):
        await aged({"update_id": 1})
    is_full = False
    for number in range(1, 5):
        await aged({"update_id": number})
    assert taken == [(1, timedelta(0)), (2, timedelta(0)), (3, CLOCKS_DIFFER), (4, CLOCKS_DIFFER)]


async def test_further_connection_is_closed_while_as_many_are_open_as_may_be() -> None:
    async with listening("127.0.0.1", 0, Taken(), most=2) as port:
        held = [await asyncio.open_connection("127.0.0.1", port) for _ in range(2)]
        hook = Hook(port, Taken())
        with pytest.raises(httpx.TransportError):
            await hook.post(b"{}", headers())
        for _, writer in held:
            writer.close()
            await writer.wait_closed()
        async with asyncio.timeout(10):
            while True:
                try:
                    assert await hook.post(b"{}", headers()) == 200
                    break
                except httpx.TransportError:
                    await asyncio.sleep(0.01)


@dataclass
class Watched:
    """A server whose path /watch is served beyond the limits."""

    port: int

    async def get(self, path: str) -> int:
        async with httpx.AsyncClient(trust_env=False) as client:
            return (await client.get(f"http://127.0.0.1:{self.port}{path}")).status_code

    async def hold(self, number: int, begun: bytes = b"GET / HTTP/1.1\r\nHost: h\r\n") -> list[Any]:
        """Open connections that send half a head."""
        held = [await asyncio.open_connection("127.0.0.1", self.port) for _ in range(number)]
        for _, writer in held:
            with suppress(ConnectionError):
                writer.write(begun)
                await writer.drain()
        return held


@asynccontextmanager
async def watched(**limits: Any) -> AsyncIterator[Watched]:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await PlainTextResponse(scope["path"])(scope, receive, send)

    async with http_server.listening(
        app, "127.0.0.1", 0, setting="port", reserved=frozenset({"/watch"}), **limits
    ) as port:
        yield Watched(port)


@pytest.mark.parametrize(
    "limits", [{"most_connections": 20}, {"most_of_address": 20}], ids=["all", "address"]
)
async def test_half_sent_heads_leave_room_for_whoever_watches(limits: dict[str, int]) -> None:
    async with watched(**limits) as server:
        held = await server.hold(100)
        assert [await server.get("/watch") for _ in range(3)] == [200] * 3
        assert await server.get("/other") == 503
        for _, writer in held:
            writer.close()
        async with asyncio.timeout(10):
            while await server.get("/other") != 200:  # noqa: ASYNC110 - nothing tells when it is closed
                await asyncio.sleep(0.01)


async def test_as_many_connections_as_may_be_do_not_run_out_of_open_files() -> None:
    limit, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, most))
        async with watched(most_connections=300) as server:
            # Here both ends are files of this process.
            held = await server.hold(200)
            assert await server.get("/other") == 200
            for _, writer in held:
                writer.close()
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (limit, most))


async def test_limit_of_an_address_does_not_count_for_a_proxy() -> None:
    async with watched(most_of_address=2, is_proxy=lambda address: address == "127.0.0.1") as server:
        held = await server.hold(20)
        assert await server.get("/other") == 200
        for _, writer in held:
            writer.close()


async def test_second_head_must_come_as_soon_as_the_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_server, "_HEAD_SECONDS", 0.2)
    async with watched() as server:
        whole = b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n"
        ((reader, writer),) = await server.hold(1, whole)
        await reader.readuntil(b"/a")
        writer.write(whole[:10])
        assert await asyncio.wait_for(reader.read(), 10) == b""
        writer.close()


async def test_reply_is_sent_without_waiting_for_a_receipt() -> None:
    async with watched() as server:
        ((reader, writer),) = await server.hold(1, b"GET /a HTTP/1.1\r\nHost: h\r\n\r\n")
        await reader.readuntil(b"/a")
        ours = writer.get_extra_info("sockname")
        for number in range(1000):
            with suppress(OSError), closing(socket.socket(fileno=os.dup(number))) as opened:
                if opened.getpeername() == ours:
                    assert opened.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
                    break
        else:
            pytest.fail("the connection of the server was not found")
        writer.close()
