"""Waits for states of jobs."""

from __future__ import annotations

import asyncio
import time

from bot.jobs.runner import Jobs

SECONDS = 20.0


async def reached(jobs: Jobs, job_id: str, state: str) -> None:
    """Wait until a job is in a given state."""
    deadline = time.monotonic() + SECONDS
    while await jobs.state(job_id) != state:
        assert time.monotonic() < deadline, await jobs.state(job_id)
        await asyncio.sleep(0.01)
