"""Tells code in a step of a job the name of the step, and whether an earlier process may have begun it."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime
from typing import TypeAlias

_may_have_run: ContextVar[bool] = ContextVar("may_have_run", default=False)
_recorded_at: ContextVar[datetime | None] = ContextVar("recorded_at", default=None)
_step_key: ContextVar[str] = ContextVar("step_key", default="")


Write: TypeAlias = Callable[[], Awaitable[object]]

_along: ContextVar[list[Write] | None] = ContextVar("along", default=None)


def may_have_run() -> bool:
    """Return whether a process that died may have begun this step, so that only its record is missing."""
    return _may_have_run.get()


def recorded_at() -> datetime | None:
    """Return when the job of a step that may have run before was recorded; None if the step is new.

    An earlier effect of the step cannot be older than that moment.
    """
    return _recorded_at.get()


def step_key() -> str:
    """Return the unique name of the step that is carried out now; empty outside steps."""
    return _step_key.get()


def run_id() -> str:
    """Return the id of the run whose step is carried out now; empty outside steps."""
    return _step_key.get().rpartition("/")[0]


async def write_with_record(write: Write) -> None:
    """Write in the transaction that records the step which is carried out now; outside steps, write now.

    For a light step, that is the one that records the next step or the end of the work. The step does not see
    what it has written this way.
    """
    if (along := _along.get()) is None:
        await write()
    else:
        along.append(write)


@contextmanager
def carrying_out(
    *, again: bool, since: datetime | None = None, key: str = "", along: list[Write] | None = None
) -> Iterator[None]:
    """Run the code inside as a part of a step, which `may_have_run`, `recorded_at` and `step_key` describe.

    `again` says that the step may have been begun before, but not before `since`. What it has to write with
    its record is added to `along`.
    """
    tokens = _may_have_run.set(again), _recorded_at.set(since if again else None), _step_key.set(key)
    writing = _along.set(along)
    try:
        yield
    finally:
        _may_have_run.reset(tokens[0])
        _recorded_at.reset(tokens[1])
        _step_key.reset(tokens[2])
        _along.reset(writing)
