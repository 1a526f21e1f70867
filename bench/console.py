"""Measure how quickly the console answers, and what open event streams cost.

    python -m bench.console

Prints the time to the first byte of a page against a bare FastAPI route on the same server, the weight of a
page, how long an event takes from being recorded to a reader beside 200 others, the processor time that 200
open event streams take while nothing happens, and how much more `thinktwice run` takes for an answer in
Telegram with 200 open streams beside 60 chats than without, in alternating rounds of one process.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import socket
import statistics
import tempfile
import time
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, ExitStack, asynccontextmanager
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from bench import bots
from bench.slow_model import HELD
from bot import http_server
from bot.telegram.ids import to_peer
from rag.events import StepStarted
from tests.support.console import OWNER, Served, served
from tests.support.loop import scripted
from tests.telegram.server import FakeTelegram

PAGES = 200
STREAMS = 200
EVENTS = 50
IDLE_SECONDS = 10.0
CHATS = 60
EACH = 3
ROUNDS = 3
MODEL_SECONDS = 0.2


async def main() -> None:
    """Measure, and print."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with served(Path(folder), scripted(), patch) as console:
            async with console.browser(OWNER) as browser:
                await _pages(browser.client)
                await _weight(browser.client)
            await _streams(console)
    await _beside_chats()


async def _pages(client: httpx.AsyncClient) -> None:
    bare = FastAPI()

    @bare.get("/")
    async def nothing() -> dict[str, str]:
        return {"a": "b"}

    async with http_server.listening(bare, "127.0.0.1", 0, setting="port") as port:
        baseline = await _first_bytes(client, f"http://127.0.0.1:{port}/")
    for name, path in (("Ask", "/"), ("Documents", "/documents"), ("Statistics", "/statistics")):
        taken = await _first_bytes(client, path)
        print(
            f"first byte of {name}: {taken * 1e3:.1f} ms (aim: 30), "
            f"{taken / baseline:.1f} times a bare route ({baseline * 1e3:.1f} ms)"
        )


async def _first_bytes(client: httpx.AsyncClient, url: str) -> float:
    """The median of the seconds to the first byte."""
    taken = []
    for _ in range(PAGES):
        started = time.perf_counter()
        async with client.stream("GET", url) as reply:
            taken.append(time.perf_counter() - started)
            await reply.aread()
    return statistics.median(taken)


async def _weight(client: httpx.AsyncClient) -> None:
    page = (await client.get("/")).text
    files = set(re.findall(r'"(/static/[^"]+)"', page))
    weight = len(page.encode()) + sum([len((await client.get(file)).content) for file in files])
    print(f"a page with all its files: {weight / 1e3:.0f} kB (aim: 150)")


async def _streams(console: Served) -> None:
    run = console.parts.runs.recorder("web:41:bench", "answer", to_peer(OWNER), f"web:{OWNER}:1")
    run.feed(StepStarted("draft"))
    await console.parts.runs.flush()
    arrived: dict[int, list[float]] = {}
    link = await console.parts.logins.link(to_peer(OWNER))
    limits = httpx.Limits(max_connections=STREAMS + 10)
    async with AsyncExitStack() as stack:
        client = await stack.enter_async_context(
            httpx.AsyncClient(base_url=console.base, trust_env=False, timeout=60, limits=limits)
        )
        await client.post(f"/login/{link}")

        async def read() -> None:
            async with client.stream("GET", "/api/runs/web:41:bench/events") as reply:
                async for line in reply.aiter_lines():
                    if line.startswith("data: "):
                        number = json.loads(line.removeprefix("data: ")).get("number", 0)
                        arrived.setdefault(number, []).append(time.perf_counter())

        readers = [asyncio.create_task(read()) for _ in range(STREAMS)]
        while len(arrived.get(1, ())) < STREAMS:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.05)
        began = time.process_time()
        await asyncio.sleep(IDLE_SECONDS)
        share = (time.process_time() - began) / IDLE_SECONDS
        print(f"{STREAMS} open streams, nothing happens: {share:.1%} of a core, readers included")
        delays = []
        for number in range(2, EVENTS + 2):
            started = time.perf_counter()
            run.feed(StepStarted("draft", number))
            await console.parts.runs.flush()
            recorded = time.perf_counter()
            while len(arrived.get(number, ())) < STREAMS:  # noqa: ASYNC110 - likewise
                await asyncio.sleep(0.002)
            delays.append((arrived[number][0] - recorded, arrived[number][-1] - started))
        first = statistics.median(delay for delay, _ in delays)
        last = statistics.median(delay for _, delay in delays)
        print(f"from recorded to the first reader: {first * 1e3:.0f} ms (aim: 50)")
        print(f"from told to the last of {STREAMS} readers in this process: {last * 1e3:.0f} ms")
        run.end("complete", {})
        await asyncio.wait(readers, timeout=30)


async def _beside_chats() -> None:
    """Compare answers in Telegram with and without open streams, by the processor time of the bot."""
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        model = stack.enter_context(bots.documents_and_model(folder, MODEL_SECONDS))
        telegram = stack.enter_context(FakeTelegram())
        owner = telegram.user("Owner", language_code="en")
        variables = {
            "THINKTWICE_ADMINS": str(owner.id),
            "THINKTWICE_BUDGET__SECONDS": "900",
            "THINKTWICE_CONSOLE__ENABLED": "true",
            "THINKTWICE_CONSOLE__PORT": str(_find_port()),
            "THINKTWICE_MODELS__TIMEOUT_SECONDS": "900",
        }
        bot = stack.enter_context(bots.thinktwice(folder / "data", model, telegram, variables))

        def ask() -> float:
            return bots.load(telegram, [bot], model, CHATS, EACH).milliseconds

        chat = telegram.private(owner)
        owner.says(chat, "/console")
        await asyncio.to_thread(telegram.wait_until, lambda: "http" in "".join(chat.texts), 30.0)
        link = re.findall(r"http://[^\s`]+", "".join(chat.texts))[0]
        base = link.partition("/login/")[0]
        limits = httpx.Limits(max_connections=STREAMS + 10)
        async with httpx.AsyncClient(base_url=base, trust_env=False, timeout=600, limits=limits) as client:
            await client.post(link)
            await asyncio.to_thread(ask)  # not counted: caches fill
            alone, beside = [], []
            for number in range(ROUNDS):
                alone.append(await asyncio.to_thread(ask))
                async with _open_streams(client, number):
                    beside.append(await asyncio.to_thread(ask))
    less, more = statistics.median(alone), statistics.median(beside)
    print(
        f"an answer beside {STREAMS} open streams, {CHATS} chats: {more:.0f} ms of processor, "
        f"{more / less:.2f} times that without streams ({less:.0f} ms; aim: 1.10)"
    )


def _find_port() -> int:
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        port: int = one.getsockname()[1]
        return port


@asynccontextmanager
async def _open_streams(client: httpx.AsyncClient, number: int) -> AsyncIterator[None]:
    """Keep streams of one run open that does not end before it is cancelled."""
    csrf = re.findall(r'name="csrf" value="([^"]+)"', (await client.get("/")).text)[0]
    headers = {"X-CSRF-Token": csrf, "Idempotency-Key": f"bench-{number}"}
    asked = {"question": f"What is a {HELD} for?", "kind": "answer"}
    reply = await client.post("/api/runs", json=asked, headers=headers)
    run = reply.raise_for_status().json()["id"]
    opened = 0

    async def read() -> None:
        nonlocal opened
        async with client.stream("GET", f"/api/runs/{run}/events") as stream:
            opened += 1
            async for _ in stream.aiter_bytes():
                pass

    readers = [asyncio.create_task(read()) for _ in range(STREAMS)]
    try:
        while opened < STREAMS:  # noqa: ASYNC110 - nothing tells
            await asyncio.sleep(0.05)
        yield
        if ended := sum(reader.done() for reader in readers):
            raise SystemExit(f"{ended} of {STREAMS} streams ended early")
    finally:
        await client.post(f"/api/runs/{run}/cancel", headers=headers)
        await asyncio.wait(readers, timeout=30)


if __name__ == "__main__":
    asyncio.run(main())
