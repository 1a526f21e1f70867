"""A run as server-sent events.

Every recorded event has its number as id, so that a reader that comes back says with ``Last-Event-ID`` what
it has. Pieces of text have none: they are not recorded. The type stands in the JSON, not in a field
``event``, so that one handler reads them all. The stream ends behind the event that ends the run.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator
from contextlib import suppress
from typing import Any, Final

from bot.service.runs import ENDS, RunEvent, Runs
from rag.events import SCHEMA

HEARTBEAT_SECONDS: Final = 10.0
"""Proxies close what says nothing for longer."""

BEAT: Final = b": still here\n\n"
_OPENING: Final = b"retry: 1000\n\n"


def to_json(event: RunEvent) -> dict[str, Any]:
    """Return an event as plain data: what the engine told, with its number, its time and its type."""
    return {
        **event.data,
        "type": event.type,
        "schema": SCHEMA,
        "seq": event.seq,
        "run": event.run_id,
        "at": event.at.isoformat(),
    }


def frame(event: RunEvent) -> bytes:
    """Return an event as it goes over the wire. JSON has no line break, so one line holds it."""
    number = f"id: {event.seq}\n" if event.seq else ""
    return f"{number}data: {json.dumps(to_json(event), ensure_ascii=False)}\n\n".encode("utf-8", "replace")


async def stream(
    runs: Runs, run_id: str, after: int, heartbeat_seconds: float = HEARTBEAT_SECONDS
) -> AsyncGenerator[bytes, None]:
    """Yield the events of a run behind the one with the number `after`, until it ends."""
    events = runs.follow(run_id, after)
    coming: asyncio.Task[RunEvent] | None = None
    yield _OPENING
    try:
        while True:
            coming = coming or asyncio.ensure_future(anext(events))
            done, _ = await asyncio.wait({coming}, timeout=heartbeat_seconds)
            if not done:
                yield BEAT
                continue
            try:
                event = coming.result()
            except StopAsyncIteration:
                return
            coming = None
            yield frame(event)
            if event.type in ENDS:
                return
    finally:
        if coming is not None:
            coming.cancel()
            with suppress(asyncio.CancelledError, StopAsyncIteration):
                await coming
        await events.aclose()
