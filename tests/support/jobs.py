"""Jobs of a process that goes on or dies, work that notes what it does, and waiting for states of jobs."""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from bot.jobs import FAILED, Work
from bot.jobs.runner import Jobs, opened
from bot.storage.database import open_database
from rag.runs.run import RunStep

SECONDS = 20.0


@dataclass
class Script:
    """Work that notes what it does; `hold` keeps steps from ending until it is set."""

    done: list[str] = field(default_factory=list)
    told: list[dict[str, str]] = field(default_factory=list)
    hold: asyncio.Event = field(default_factory=asyncio.Event)
    held: set[str] = field(default_factory=set)

    async def work(self, payload: str, run_step: RunStep) -> None:
        for number in (1, 2):
            await run_step(f"draft {number}", partial(self._step, f"{payload}{number}"))

    async def _step(self, name: str) -> str:
        if name in self.held:
            self.done.append(f"({name}")
            await self.hold.wait()
        self.done.append(name)
        return name

    async def failed(self, payload: str, run_step: RunStep) -> None:
        async def tell() -> None:
            self.told.append(json.loads(payload))

        await run_step("apologise", tell)

    @property
    def works(self) -> dict[str, Work]:
        return {"ask": self.work, FAILED: self.failed}


@asynccontextmanager
async def running(
    url: str, folder: Path, works: dict[str, Work], grace_seconds: float = 0.0, **more: Any
) -> AsyncIterator[Jobs]:
    """Jobs of a process that is stopped in an orderly way at the end of the block."""
    async with open_database(folder, url) as database:
        jobs = Jobs(database, folder, **more)
        async with opened(jobs, works, "main", grace_seconds=grace_seconds):
            yield jobs


@asynccontextmanager
async def abandoned(url: str, folder: Path, works: dict[str, Work]) -> AsyncIterator[Jobs]:
    """Jobs of a process that dies at the end of the block."""
    async with running(url, folder, works) as jobs:
        yield jobs
        tasks = list(jobs._tasks.values())
        jobs._is_open = False
        jobs._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def reached(jobs: Jobs, job_id: str, state: str) -> None:
    deadline = time.monotonic() + SECONDS
    while await jobs.state(job_id) != state:
        assert time.monotonic() < deadline, await jobs.state(job_id)
        await asyncio.sleep(0.01)


async def until(condition: Callable[[], Any]) -> None:
    deadline = time.monotonic() + SECONDS
    while not condition():
        assert time.monotonic() < deadline, "it did not come about"
        await asyncio.sleep(0.01)
