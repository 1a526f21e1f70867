"""What is kept of a person: shown, handed out as a file, erased."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from functools import partial
from typing import Final

from bot.telegram.commands.confirming import confirm
from bot.telegram.commands.context import Context, Key, Reply
from bot.telegram.commands.work import stop_work
from bot.telegram.records import Json

PRIVACY: Final = "privacy"

_EXPORT: Final = "export"
_ERASE: Final = "erase"
_FILE_NAME: Final = "thinktwice-{user}.json"


async def privacy(context: Context) -> None:
    """Say in numbers what is kept of the sender."""
    await context.show(await context.do("look", partial(_kept, context)))


async def press_privacy(context: Context, argument: str) -> str:
    """Hand out what is kept of the presser as a file, or ask whether to erase it."""
    if argument == _EXPORT and context.is_private:
        await context.do("document", partial(_hand_out, context))
        return context.text("privacy-exported")
    if argument == _ERASE and context.is_private:
        await confirm(context, context.text("privacy-confirm"), {"name": "erase"})
        return ""
    return context.text("press-too-late")


async def erase(context: Context, _command: Mapping[str, Json]) -> None:
    """Erase what is kept of whoever confirmed it."""
    services, user_id = context.services, context.sender.id
    # First, because afterwards nothing is there to be counted; a repetition must say the same.
    counts: tuple[int, int] = await context.do("count", partial(_counts, context))

    async def carry_out() -> None:
        await stop_work(services, await services.asks.open_of(user_id))
        await services.memory.reset(context.place.conversation_id)
        await services.privacy.erase(user_id)

    await context.do("carry out", carry_out)
    await context.say("privacy-erased", messages=counts[0], questions=counts[1], days=_days(context))


async def _counts(context: Context) -> tuple[int, int]:
    kept = await context.services.privacy.export(context.sender.id)
    return _number(kept, "messages"), _number(kept, "questions")


async def _kept(context: Context) -> Reply:
    kept = await context.services.privacy.export(context.sender.id)
    text = context.text(
        "privacy-kept",
        messages=_number(kept, "messages"),
        questions=_number(kept, "questions"),
        others=sum(_number(kept, name) for name in ("requests", "arrivals", "notices", "confirmations")),
        days=_days(context),
    )
    return Reply.of(
        text,
        (
            (Key(context.text("privacy-export"), f"{PRIVACY}:{_EXPORT}"),),
            (Key(context.text("privacy-erase"), f"{PRIVACY}:{_ERASE}"),),
        ),
    )


async def _hand_out(context: Context) -> int:
    kept = await context.services.privacy.export(context.sender.id)
    content = json.dumps(kept, ensure_ascii=False, indent=2).encode("utf-8", "replace")
    return await context.services.delivery.send_file(
        context.place,
        _FILE_NAME.format(user=context.sender.id),
        content,
        context.text("privacy-file"),
    )


def _days(context: Context) -> int:
    """How long the durable work keeps the updates that it was done for, begun days included."""
    return math.ceil(context.services.settings.telegram.keep_days)


def _number(kept: Mapping[str, Json], name: str) -> int:
    rows = kept.get(name)
    return len(rows) if isinstance(rows, list) else 0
