"""`/privacy`: shows, exports and erases the data stored about a person."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Final

from bot.jobs.plain import plain_job
from bot.jobs.values import Kept
from bot.service import keys
from bot.service.people import Json
from bot.storage.erasure import count_kept
from bot.talk.orders import erase
from bot.telegram.buttons.confirming import confirm
from bot.telegram.commands.context import Context, Key, Reply, Told
from bot.telegram.outbound.messages import Posted, send_file

PRIVACY: Final = "privacy"

_EXPORT: Final = "export"
_ERASE: Final = "erase"
_FILE_NAME: Final = "thinktwice-{user}.json"


async def privacy(context: Context) -> None:
    """Carry out `/privacy`: show how much data is stored about the sender."""
    await context.show(await context.do("look", partial(_render_kept, context)))


async def press_privacy(context: Context, argument: str) -> Told:
    """Carry out a press under `/privacy`: send the presser's data as a file, or ask whether to erase it."""
    if argument == _EXPORT and context.is_private:
        await context.do("document", partial(_hand_out, context))
        return Told(context.text("privacy-exported"))
    if argument == _ERASE and context.is_private:
        await confirm(context, context.text("privacy-confirm"), {"name": "erase"})
        return Told()
    return Told(context.text("press-too-late"))


async def erase_confirmed(context: Context, _command: Mapping[str, Json]) -> None:
    """Erase the data stored about the sender; runs after the confirmation."""
    await erase(context)


async def _render_kept(context: Context) -> Reply:
    services = context.services
    counts = await count_kept(services.privacy, services.personal_jobs, context.sender.id)
    text = context.text("privacy-kept", **counts, days=services.days_of_work)
    return Reply.of(
        text,
        (
            (Key(context.text("privacy-export"), f"{PRIVACY}:{_EXPORT}"),),
            (Key(context.text("privacy-erase"), f"{PRIVACY}:{_ERASE}"),),
        ),
    )


async def _hand_out(context: Context) -> Posted:
    services = context.services
    kept: dict[str, object] = {**await services.privacy.export(context.sender.id)}
    work = await services.personal_jobs.kept(context.sender.id)
    kept["work"] = [plain_job(_drop_others(job, context.sender.id)) for job in work]
    content = json.dumps(kept, ensure_ascii=False, indent=2).encode("utf-8", "replace")
    return await send_file(
        services.delivery,
        context.place,
        _FILE_NAME.format(user=keys.name_in_channel(context.sender.id)),
        content,
        context.text("privacy-file"),
        after=context.asked_in,
    )


def _drop_others(job: Kept, user_id: keys.PeerId) -> Kept:
    """Return a job; for a group, without the recalled conversation, which holds messages of others."""
    if keys.is_lane_of_one(job.lane, user_id):
        return job
    return replace(job, outcomes={name: each for name, each in job.outcomes.items() if name != "recall"})
