"""`/reindex`: reads the documents again, and shows progress and result in one message."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply
from bot.telegram.outbound.live_progress import repeating
from bot.telegram.rendering import text_parts
from bot.views.indexing import explain_failure
from bot.views.results import view
from rag.errors import ThinkTwiceError
from rag.knowledge.sync import Progress, SyncReport


@dataclass(frozen=True, slots=True)
class Changes:
    """Numbers of documents that differ between two states of the corpus."""

    added: int
    changed: int
    removed: int
    unchanged: int


def changes(before: Mapping[str, str], after: Mapping[str, str]) -> Changes:
    """Count the differences between two states of the corpus: fingerprints by document key."""
    common = before.keys() & after.keys()
    changed = sum(before[key] != after[key] for key in common)
    return Changes(
        len(after.keys() - before.keys()), changed, len(before.keys() - after.keys()), len(common) - changed
    )


async def reindex(context: Context) -> None:
    """Carry out `/reindex`: read changed documents; ``rebuild`` reads all again, after a confirmation."""
    match context.argument.casefold():
        case "":
            await _run(context, rebuild=False)
        case "rebuild":
            await confirm(context, context.text("reindex-confirm"), {"name": "rebuild"})
        case _:
            await context.say("reindex-how")


async def rebuild_confirmed(context: Context, _command: Mapping[str, Json]) -> None:
    """Read all documents again; runs after the confirmation."""
    await _run(context, rebuild=True)


async def _run(context: Context, *, rebuild: bool) -> None:
    # The state before is recorded in a step: after a kill the sync may find its own work already done.
    before: Mapping[str, str] = await context.do("look", context.parts.library.contents)
    context = await context.open("reindex-began")
    await context.show(await context.do("index", partial(_index, context, before, rebuild=rebuild)))


async def _index(context: Context, before: Mapping[str, str], *, rebuild: bool) -> Reply:
    try:
        report = await sync(context, rebuild=rebuild, refreshes=True)
        after = await context.parts.library.contents()
    except ThinkTwiceError as exc:
        return Reply.of(explain_failure(exc, context.language))
    # After a kill the sync may find its own work done: the state before and after tell what has changed.
    found = changes(before, after)
    counted = replace(
        report, added=found.added, changed=found.changed, removed=found.removed, unchanged=found.unchanged
    )
    return Reply.drawn(view(counted, context.language))


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
