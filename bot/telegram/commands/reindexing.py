"""`/reindex`: reads the documents again, and shows progress and result in one message."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

from bot.service.people import Json
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Reply
from bot.telegram.commands.progress import sync
from bot.views.indexing import explain_failure
from bot.views.results import view
from rag.errors import ThinkTwiceError


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
