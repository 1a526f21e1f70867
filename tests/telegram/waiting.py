"""Waiting for something to become true, with a deadline."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

_INTERVAL = 0.01


def wait_until(predicate: Callable[[], T], timeout: float = 15.0, says: Callable[[], str] = str) -> T:
    """Ask again and again until the answer is true.

    Args:
        timeout: Seconds.
        says: Describes the state for the report of a failure.

    Returns:
        The first true answer.

    Raises:
        AssertionError: it did not become true in time.
    """
    deadline = time.monotonic() + timeout
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not true within {timeout} s\n{says()}")
        time.sleep(_INTERVAL)
    return answer


async def until(predicate: Callable[[], T], timeout: float = 15.0, says: Callable[[], str] = str) -> T:  # noqa: ASYNC109 - a deadline with a report
    """The same without holding up the event loop."""
    deadline = time.monotonic() + timeout
    while not (answer := predicate()):
        if time.monotonic() > deadline:
            raise AssertionError(f"not true within {timeout} s\n{says()}")
        await asyncio.sleep(_INTERVAL)
    return answer
