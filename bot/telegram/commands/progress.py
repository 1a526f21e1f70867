"""Shows the progress of a sync in one message, as often as Telegram's limits allow."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Final

from bot.telegram.commands.context import Context
from bot.telegram.outbound.live_progress import repeating
from bot.telegram.rendering import text_parts
from rag.knowledge.sync import Progress, SyncReport

_EVERY_SECONDS: Final = 2.0
_WIDTH: Final = 12


def bar(done: int, total: int) -> str:
    """Return a progress bar with its numbers, such as ``▓▓░░ 3/7``."""
    filled = _WIDTH * min(done, total) // total if total else _WIDTH
    return f"{'▓' * filled}{'░' * (_WIDTH - filled)} {done}/{total}"


async def sync(context: Context, **how: bool) -> SyncReport:
    """Read the documents again as `Library.sync` does, and show the progress where the reply will stand."""
    async with watching(context) as tell:
        return await context.parts.library.sync(context.sender.name, on_progress=tell, **how)


@asynccontextmanager
async def watching(context: Context) -> AsyncIterator[Callable[[Progress], None]]:
    """Show the progress of a sync until the context ends; yield what the thread that syncs tells of it."""
    shown = context.shown
    assert shown is not None  # `Context.open` was called
    newest: Progress | None = None
    told: Progress | None = None

    def tell(progress: Progress) -> None:
        nonlocal newest
        newest = progress

    async def look() -> None:
        nonlocal told
        progress = newest
        if progress is None or progress == told:
            return
        heading, phase = context.text("reindex-began"), context.text(f"phase-{progress.phase}")
        part = text_parts(f"{heading}\n{phase} {bar(progress.done, progress.total)}")[0]
        if await context.services.delivery.show(shown.of(context.place), shown.message_id, part):
            told = progress

    async with repeating(look, _EVERY_SECONDS):
        yield tell
