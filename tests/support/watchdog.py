"""Notices what keeps the event loop from everything else."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest


@dataclass
class Watched:
    """What was noticed.

    Args:
        longest_seconds: Processor time of the longest stretch that nothing else could interrupt.
        what: What ran then.
    """

    longest_seconds: float = 0.0
    what: str = ""


@contextmanager
def watched_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """Measure every callback of the event loop in processor time, which other programs do not change."""
    watched = Watched()
    run = asyncio.events.Handle._run

    def measured(handle: asyncio.Handle) -> None:
        started = time.thread_time()
        run(handle)
        if (seconds := time.thread_time() - started) > watched.longest_seconds:
            watched.longest_seconds, watched.what = seconds, repr(handle)

    with monkeypatch.context() as patched:
        patched.setattr(asyncio.events.Handle, "_run", measured)
        yield watched
