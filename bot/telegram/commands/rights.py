"""Decides whether a command, or a button that needs the rights of a command, is carried out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.service.incoming import Commanded, Place, Pressed, Sender
from bot.service.languages import spoken
from bot.service.people import Refusal, Role
from bot.service.rights import ADMINS
from bot.telegram.commands import Command, command
from bot.telegram.inbound.inbox import job_id
from bot.telegram.services import Services
from bot.texts import TEXTS

_ABOUT_COMMANDING: Final = {"refused-admins-only", "refused-owner-only", "refused-named-only"}
"""Message ids of refusals that concern only the command: its sender may ask questions."""


@dataclass(frozen=True, slots=True)
class Admission:
    """The decision on a command."""

    role: Role
    language: str
    objection: str = ""
    is_refused: bool = False


async def admit(services: Services, commanded: Commanded, known: Command | None) -> Admission:
    """Decide whether a command is carried out, and store its sender's present name."""
    message, access = commanded.message, services.parts.access
    place, sender = message.place, message.sender
    by = job_id(services.me, message.update_id)
    await services.parts.chats.seen(place)
    person = await services.parts.users.seen(sender)
    language = spoken(sender, person.language)
    role = await access.role(sender, place)

    def refuse(text: str, **values: str | float) -> Admission:
        return Admission(
            role, language, TEXTS.text(text, language, **values) if text else "", is_refused=True
        )

    # In a group an unknown command may be for another bot.
    if known is None and place.kind != "private" and "@" not in message.text.partition(" ")[0]:
        return refuse("")
    if known is None:
        refusal = await access.may_ask(place, sender, by)
    else:
        refusal = await access.may_command(
            place, sender, by, known.name, known.audience, is_destructive=known.is_destructive
        )
    is_newcomers = place.kind == "private" and known is not None and known.name in {"start", "help"}
    is_unclaimed = refusal is not None and is_newcomers and await access.is_claimable()
    is_about_commanding = refusal is not None and refusal.message_id in _ABOUT_COMMANDING
    if refusal is None or is_unclaimed or is_about_commanding:
        # `/stop` has no limit.
        excess = None if commanded.name == "stop" else await find_excess(services, place, sender, by)
        if refusal is not None and is_about_commanding:
            # A refused command gets a reply every time, unlike a question.
            excess = excess or replace(refusal, is_notice_due=True)
        refusal = excess
    if refusal is not None and known is not None and known.name == "start":
        refusal = await services.access_requests.ask(place, sender, by, refusal, commanded.argument)
    if refusal is not None:
        return refuse(refusal.message_id if refusal.is_notice_due else "", **refusal.values)
    if is_unclaimed:
        return refuse("start-unclaimed")
    if known is None:
        return refuse("chat-unknown-command", command=f"/{commanded.name}")
    if place.kind not in known.places:
        return refuse("command-elsewhere", command=f"/{known.name}")
    return Admission(role, language)


async def find_excess(services: Services, place: Place, sender: Sender, by: str) -> Refusal | None:
    """Return the limit that a command or a press exceeds, or None; administrators have none."""
    if await services.parts.access.role(sender, place) in ADMINS:
        return None
    return await services.limits.check_command(place, sender, by)


async def admit_press(
    services: Services, pressed: Pressed, name: str, *, is_destructive: bool = False
) -> Admission:
    """Decide whether a button that needs the rights of the command `name` is carried out."""
    known, access = command(name), services.parts.access
    assert known is not None  # the tables name commands
    place, sender, by = pressed.place, pressed.sender, job_id(services.me, pressed.update_id)
    language, role = await services.language_of(sender), await access.role(sender, place)
    refusal = await access.may_command(
        place, sender, by, known.name, known.audience, is_destructive=is_destructive
    )
    refusal = refusal or await find_excess(services, place, sender, by)
    text = TEXTS.text(refusal.message_id, language, **refusal.values) if refusal else ""
    return Admission(role, language, text, is_refused=refusal is not None)
