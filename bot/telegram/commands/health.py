"""Is everything working? One line a part.

To add a part, write a function that returns its value, raises `ThinkTwiceError` or `TelegramError` with the
reason when it does not work, and list it in `PROBES` with a name ``health-<part>`` in every catalogue.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import shutil
from collections.abc import Awaitable, Callable, Mapping
from typing import Final

from telegram.error import TelegramError

from bot.telegram.commands.context import Context, Reply
from bot.telegram.rendering import code, date_time, duration, size
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, reason_of_os

_LEAST_FREE_BYTES: Final = 500_000_000
_PATIENCE_SECONDS: Final = 10.0


class FaultyError(ThinkTwiceError):
    """A part does not work."""


async def health(context: Context) -> None:
    """Look at every part."""

    async def look() -> Reply:
        found = await asyncio.gather(*(_probed(context, part) for part in PROBES))
        return Reply.of("\n".join([context.text("health-title"), *found]))

    await context.show(await context.do("look", look))


async def _probed(context: Context, part: str) -> str:
    name = context.text(f"health-{part}")
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return f"✔ {name}: {await PROBES[part](context)}"
    except TimeoutError:
        return f"✖ {name}: {context.text('health-silent')}"
    except ThinkTwiceError as exc:
        return f"✖ {name}: {context.reason(exc.reason)}"
    except OSError as exc:
        return f"✖ {name}: {context.reason(reason_of_os(exc))}"
    except TelegramError as exc:
        return f"✖ {name}: {exc}"


async def _database(context: Context) -> str:
    await context.services.chats.get(context.place.chat_id)
    return context.text("health-fine")


async def _jobs(context: Context) -> str:
    if trouble := context.services.jobs.trouble:
        raise FaultyError(trouble)
    return context.text("health-fine")


async def _given_up(context: Context) -> str:
    letters = await context.services.jobs.dead_letters()
    if letters:
        newest = letters[0]
        reason = context.reason(newest.reason)
        raise FaultyError(f"{len(letters)} ({date_time(newest.at)}: {reason})")
    return context.text("health-none")


async def _documents(context: Context) -> str:
    library = context.services.library
    held = await library.held()
    faults = sum(bool(entry.notes) for entry in await library.entries())
    text = context.text(
        "health-held", documents=held.documents, passages=held.passages, generation=str(held.generation)
    )
    lost = [code(str(path) if context.is_private else path.name) for path in await library.lost()]
    if lost:
        # Where the operator keeps files is no matter of a group's.
        gone = "; ".join(context.reason(Reason("corpus-gone", {"path": path})) for path in lost)
        raise FaultyError(f"{text}, {gone}")
    if faults or not held.passages:
        raise FaultyError(f"{text}, {context.text('health-faults', files=faults)}")
    return text


async def _models(context: Context) -> str:
    states = dict.fromkeys(
        (state.name, state.reachable, state.reason) for state in await context.services.models()
    )
    away = [
        f"{code(name)}: {context.reason(reason) if reason else ''}"
        for name, is_reachable, reason in states
        if not is_reachable
    ]
    if away:
        raise FaultyError("; ".join(away))
    return ", ".join(name for name, _, _ in states)


async def _backlog(context: Context) -> str:
    return str(await context.services.backlog())


async def _disk(context: Context) -> str:
    usage = await asyncio.to_thread(shutil.disk_usage, context.services.settings.data_dir)
    text = context.text("health-free", size=size(usage.free, context.language))
    if usage.free < _LEAST_FREE_BYTES:
        raise FaultyError(text)
    return text


async def _uptime(context: Context) -> str:
    services = context.services
    seconds = max((services.clock() - services.started_at).total_seconds(), 0.0)
    return duration(seconds, context.language)


async def _version(_context: Context) -> str:
    return importlib.metadata.version("thinktwice")


PROBES: Final[Mapping[str, Callable[[Context], Awaitable[str]]]] = {
    "database": _database,
    "jobs": _jobs,
    "given-up": _given_up,
    "documents": _documents,
    "models": _models,
    "backlog": _backlog,
    "disk": _disk,
    "uptime": _uptime,
    "version": _version,
}
"""What is looked at, in the order in which it is shown."""
