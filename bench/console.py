"""Measure how quickly the console answers, and what open event streams cost.

    python -m bench.console

Prints the time to the first byte of a page against a bare FastAPI route on the same server, the weight of a
page, how long an event takes from being recorded to a reader beside 200 others, and the processor time that
200 open event streams take while nothing happens.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import statistics
import tempfile
import time
from contextlib import AsyncExitStack
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI

from bot import http_server
from rag.events import StepStarted
from tests.support.console import OWNER, Served, served
from tests.support.loop import scripted

PAGES = 200
STREAMS = 200
EVENTS = 50
IDLE_SECONDS = 10.0


async def main() -> None:
    """Measure, and print."""
    logging.getLogger("httpx").setLevel(logging.WARNING)
    with tempfile.TemporaryDirectory() as folder, pytest.MonkeyPatch.context() as patch:
        async with served(Path(folder), scripted(), patch) as console:
            async with console.browser(OWNER) as browser:
                await _pages(browser.client)
                await _weight(browser.client)
            await _streams(console)


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
    run = console.parts.runs.recorder("web:41:bench", "answer", f"telegram:{OWNER}", f"web:{OWNER}:1")
    run.feed(StepStarted("draft"))
    await console.parts.runs.flush()
    arrived: dict[int, list[float]] = {}
    link = await console.parts.logins.link(OWNER)
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


if __name__ == "__main__":
    asyncio.run(main())
