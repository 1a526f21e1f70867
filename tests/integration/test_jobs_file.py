"""The file that the work in progress is recorded in."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path

from bot.jobs import Job
from bot.jobs.runner import Jobs, opened
from rag.runs.run import RunStep

SECONDS = 20.0


async def test_who_reads_the_file_does_not_hold_up_what_is_recorded(tmp_path: Path) -> None:
    done = asyncio.Event()

    async def work(payload: str, run_step: RunStep) -> None:
        async def step() -> str:
            return payload

        assert await run_step("only", step) == "a question"
        done.set()

    file, jobs = tmp_path / "jobs.sqlite3", Jobs(tmp_path)
    async with opened(jobs, {"ask": work}, f"sqlite:///{file}", "main"):
        with closing(sqlite3.connect(file)) as reader:
            reader.execute("BEGIN")
            reader.execute("SELECT count(*) FROM workflow_status").fetchone()
            async with asyncio.timeout(SECONDS):
                await jobs.submit(Job("1", "ask", "a question"))
                await done.wait()
