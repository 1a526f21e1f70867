"""Finds code that blocks the event loop."""

from __future__ import annotations

import asyncio
import gc
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import pytest


@dataclass
class Watched:
    """The longest callback of the event loop."""

    longest_seconds: float = 0.0
    what: str = ""


@contextmanager
def watched_loop(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """Measure every callback of the event loop in processor time, which does not depend on other programs.

    Garbage collection is off meanwhile: it would search the objects of all earlier tests, which takes some 50 ms.
    """
    watched = Watched()
    run = asyncio.events.Handle._run

    def measure(handle: asyncio.Handle) -> None:
        started = time.thread_time()
        run(handle)
        if (seconds := time.thread_time() - started) > watched.longest_seconds:
            watched.longest_seconds, watched.what = seconds, repr(handle)

    was_enabled = gc.isenabled()
    gc.disable()
    try:
        with monkeypatch.context() as patched:
            patched.setattr(asyncio.events.Handle, "_run", measure)
            yield watched
    finally:
        if was_enabled:
            gc.enable()
