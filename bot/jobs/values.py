"""A job, and what became of it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Final, Literal, TypeAlias

from rag.reasons import Reason
from rag.runs.run import RunStep

JobState = Literal["waiting", "running", "done", "failed", "cancelled"]

MOST: Final = 2**31 - 1
"""The largest number that orders the jobs of a lane."""

FAILED: Final = "failed"
"""The kind of job that tells a person that another one failed; its payload is JSON: the id, kind and
payload of that job, and the reason."""


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do.

    Args:
        id: Who submits the same id again means the same job.
        kind: Which work carries it out.
        payload: What that work needs, as text: it must be readable by later versions.
        lane: Jobs of a lane are carried out one at a time; empty: at once, beside all others.
        order: Which job of a lane is first; equal numbers in the order they came in. From 1 to `MOST`.
        person: Whose words its payload and its records hold, so that they are found; empty: nobody's.
    """

    id: str
    kind: str
    payload: str
    lane: str = ""
    order: int = 1
    person: str = ""


@dataclass(frozen=True, slots=True)
class DeadLetter:
    """A job that was given up, at the time `at`."""

    id: str
    kind: str
    payload: str
    reason: Reason
    at: datetime


@dataclass(frozen=True, slots=True)
class Kept:
    """The stored record of a job, submitted at `at`, with the outcomes or errors of its steps by name."""

    id: str
    kind: str
    state: JobState
    payload: str
    at: datetime
    outcomes: Mapping[str, object]
    lane: str = ""


Work: TypeAlias = Callable[[str, RunStep], Awaitable[None]]
"""Carries out the jobs of a kind: ``await work(payload, run_step)``."""
