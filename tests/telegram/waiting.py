"""Waits for a condition, with a deadline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_INTERVAL = 0.01


def wait_until(predicate: Callable[[], T], timeout: float = 15.0, says: Callable[[], str] = str) -> T:
    """Call a predicate until its value is true, and return that; `says` describes the state for a failure."""
    deadline = time.monotonic() + timeout
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not true within {timeout} s\n{says()}")
        time.sleep(_INTERVAL)
    return answer


async def until(predicate: Callable[[], T], timeout: float = 15.0, says: Callable[[], str] = str) -> T:  # noqa: ASYNC109 - a deadline with a report
    """Do the same as `wait_until`, without blocking the event loop."""
    deadline = time.monotonic() + timeout
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not true within {timeout} s\n{says()}")
        await asyncio.sleep(_INTERVAL)
    return answer
