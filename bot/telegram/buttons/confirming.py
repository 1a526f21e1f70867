"""Confirmation of destructive commands: by the same person, in the same chat, once, and in time."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from bot.service.incoming import Pressed
from bot.service.people import Json
from bot.telegram.commands.context import Context, Key, Reply
from bot.telegram.inbound.inbox import job_id
from bot.telegram.services import Services
from bot.texts import TEXTS

YES: Final = "yes"
NO: Final = "no"


@dataclass(frozen=True, slots=True)
class Taken:
    """The confirmed or dropped command; it is empty when there is an objection to tell the presser."""

    command: Mapping[str, Json]
    objection: str = ""


async def confirm(context: Context, question: str, command: Mapping[str, Json]) -> None:
    """Ask the sender to confirm a command: a name of `table.CONFIRMED` under ``name``, and its arguments."""
    if context.sender.kind != "person":
        await context.say("refused-named-only")
        return

    async def ask() -> Reply:
        kept = await context.services.confirmations.ask(context.sender.id, context.place.chat_id, command)
        keys = (
            Key(context.text("confirm-yes"), f"{YES}:{kept.id}"),
            Key(context.text("confirm-no"), f"{NO}:{kept.id}"),
        )
        return Reply.of(question, (keys,))

    await context.show(await context.do("confirm", ask))


async def take(services: Services, pressed: Pressed, number: int | None) -> Taken:
    """Use up the confirmation of a pressed yes or no and return its command; the same press gets it again."""
    language = await services.language_of(pressed.sender)
    by = job_id(services.me, pressed.update_id)
    if number is None:
        return Taken({}, TEXTS.text("press-too-late", language))
    confirmations, user_id = services.confirmations, pressed.sender.id
    found = await confirmations.take(number, user_id=user_id, chat_id=pressed.place.chat_id, by=by)
    if found is not None:
        return Taken(found.command)
    owner = await confirmations.owner(number)
    reason = "press-too-late" if owner in {None, user_id} else "press-not-asked"
    return Taken({}, TEXTS.text(reason, language))
