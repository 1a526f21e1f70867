"""Plays a process that dies over its jobs, and waits for states of jobs."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from bot.jobs import Work
from bot.jobs.runner import Jobs, opened

SECONDS = 20.0


@asynccontextmanager
async def abandoned(url: str, folder: Path, works: dict[str, Work]) -> AsyncIterator[Jobs]:
    """Jobs of a process that dies at the end of the block."""
    jobs = Jobs(folder)
    async with opened(jobs, works, url, "main"):
        yield jobs
        tasks = list(jobs._tasks.values())
        jobs._tasks.clear()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)


async def reached(jobs: Jobs, job_id: str, state: str) -> None:
    """Wait until a job is in a given state."""
    deadline = time.monotonic() + SECONDS
    while await jobs.state(job_id) != state:
        assert time.monotonic() < deadline, await jobs.state(job_id)
        await asyncio.sleep(0.01)
