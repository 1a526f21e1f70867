"""Is everything working? One value a part, for the page, for `/healthz` and for `/metrics`."""

from __future__ import annotations

import asyncio
import importlib.metadata
import shutil
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from typing import Final

from bot.settings.operator_words import in_operator_words
from bot.web.context import TEXTS, Context
from bot.web.numbers import duration, moment, size
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, reason_of_os

_LEAST_FREE_BYTES: Final = 500_000_000
_PATIENCE_SECONDS: Final = 10.0


@dataclass(frozen=True, slots=True)
class Probed:
    """What was found of a part: its name in the catalogues, whether it works, and what there is to say."""

    part: str
    is_fine: bool
    text: str


class _FaultyError(Exception):
    """A part does not work; the text says why, in the reader's language."""


async def probed(context: Context, language: str) -> tuple[Probed, ...]:
    """Look at every part at the same time."""
    return tuple(await asyncio.gather(*(_probed(context, part, language) for part in PROBES)))


async def _probed(context: Context, part: str, language: str) -> Probed:
    try:
        async with asyncio.timeout(_PATIENCE_SECONDS):
            return Probed(part, is_fine=True, text=await PROBES[part](context, language))
    except TimeoutError:
        text = TEXTS.text("health-silent", language)
    except _FaultyError as exc:
        text = str(exc)
    except ThinkTwiceError as exc:
        text = _reason(exc.reason, language)
    except OSError as exc:
        text = _reason(reason_of_os(exc), language)
    return Probed(part, is_fine=False, text=text)


async def _database(context: Context, language: str) -> str:
    await context.parts.users.get(0)
    return TEXTS.text("health-fine", language)


async def _jobs(context: Context, language: str) -> str:
    if trouble := context.jobs.trouble:
        raise _FaultyError(_reason(trouble, language))
    return TEXTS.text("health-fine", language)


async def _given_up(context: Context, language: str) -> str:
    letters = await context.jobs.dead_letters()
    if letters:
        newest = letters[0]
        raise _FaultyError(f"{len(letters)} ({moment(newest.at)}: {_reason(newest.reason, language)})")
    return TEXTS.text("health-none", language)


async def _documents(context: Context, language: str) -> str:
    library = context.parts.library
    held = await library.held()
    faults = sum(bool(entry.notes) for entry in await library.entries())
    text = TEXTS.text(
        "health-held",
        language,
        documents=held.documents,
        passages=held.passages,
        generation=str(held.generation),
    )
    if lost := await library.lost():
        gone = "; ".join(_reason(Reason("corpus-gone", {"path": str(path)}), language) for path in lost)
        raise _FaultyError(f"{text}, {gone}")
    if faults or not held.passages:
        raise _FaultyError(f"{text}, {TEXTS.text('health-faults', language, files=faults)}")
    return text


async def _models(context: Context, language: str) -> str:
    states = dict.fromkeys((state.name, state.reachable, state.reason) for state in await context.models())
    away = [
        f"{name}: {_reason(reason, language) if reason else ''}"
        for name, is_reachable, reason in states
        if not is_reachable
    ]
    if away:
        raise _FaultyError("; ".join(away))
    return ", ".join(name for name, _, _ in states)


async def _disk(context: Context, language: str) -> str:
    usage = await asyncio.to_thread(shutil.disk_usage, context.parts.settings.data_dir)
    text = TEXTS.text("health-free", language, size=size(usage.free, language))
    if usage.free < _LEAST_FREE_BYTES:
        raise _FaultyError(text)
    return text


async def _uptime(context: Context, language: str) -> str:
    return duration(max((context.clock() - context.started_at).total_seconds(), 0.0), language)


async def _version(_context: Context, _language: str) -> str:
    return importlib.metadata.version("thinktwice")


PROBES: Final[Mapping[str, Callable[[Context, str], Awaitable[str]]]] = {
    "database": _database,
    "jobs": _jobs,
    "given-up": _given_up,
    "documents": _documents,
    "models": _models,
    "disk": _disk,
    "uptime": _uptime,
    "version": _version,
}
"""What is looked at, in the order in which it is shown."""


def _reason(reason: Reason, language: str) -> str:
    return in_operator_words(TEXTS.reason(reason, language))
