"""Decides whether a command, or a button that needs the rights of a command, is carried out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.service.incoming import Commanded, Pressed
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
    """The decision on a command.

    Args:
        role: The sender's role.
        language: ISO 639-1 code of the sender's language.
        objection: Text for the sender when the command is refused; empty: nothing is said.
        is_refused: The command is not carried out.
    """

    role: Role
    language: str
    objection: str = ""
    is_refused: bool = False


async def admit(services: Services, commanded: Commanded, known: Command | None) -> Admission:
    """Decide whether a command is carried out, and store its sender's present name."""
    message = commanded.message
    place, sender = message.place, message.sender
    await services.parts.chats.seen(place)
    person = await services.parts.users.seen(sender)
    language = spoken(sender, person.language)
    role = await services.parts.access.role(sender, place)

    def refuse(text: str, **values: str | float) -> Admission:
        return Admission(
            role, language, TEXTS.text(text, language, **values) if text else "", is_refused=True
        )

    # In a group an unknown command may be for another bot.
    if known is None and place.kind != "private" and "@" not in message.text.partition(" ")[0]:
        return refuse("")
    refusal = await _find_refusal(services, commanded, known)
    if refusal is not None and refusal.message_id in _ABOUT_COMMANDING:
        # A refused command gets a reply every time, unlike a question; the limits on commands still apply.
        refusal = await _find_excess(services, commanded, role) or replace(refusal, is_notice_due=True)
    is_unclaimed = refusal is not None and await _is_unclaimed(services, commanded, known)
    if refusal is None or is_unclaimed:
        refusal = await _find_excess(services, commanded, role)
    if refusal is not None and known is not None and known.name == "start":
        by = job_id(services.me, message.update_id)
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


async def _find_refusal(services: Services, commanded: Commanded, known: Command | None) -> Refusal | None:
    message, access = commanded.message, services.parts.access
    by = job_id(services.me, message.update_id)
    if known is None:
        return await access.may_ask(message.place, message.sender, by)
    return await access.may_command(
        message.place,
        message.sender,
        by,
        known.name,
        known.audience,
        is_destructive=known.is_destructive,
    )


async def _find_excess(services: Services, commanded: Commanded, role: Role) -> Refusal | None:
    """Return the limit that a command exceeds, or None; administrators and `/stop` have no limit."""
    if role in ADMINS or commanded.name == "stop":
        return None
    message = commanded.message
    by = job_id(services.me, message.update_id)
    return await services.limits.check_command(message.place, message.sender, by)


async def find_press_excess(services: Services, pressed: Pressed) -> Refusal | None:
    """Return the limit that a press exceeds, or None; presses count as commands, administrators have none."""
    if await services.parts.access.role(pressed.sender, pressed.place) in ADMINS:
        return None
    by = job_id(services.me, pressed.update_id)
    return await services.limits.check_command(pressed.place, pressed.sender, by)


async def _is_unclaimed(services: Services, commanded: Commanded, known: Command | None) -> bool:
    is_start = known is not None and known.name in {"start", "help"}
    return (
        is_start and commanded.message.place.kind == "private" and await services.parts.access.is_claimable()
    )


async def admit_press(
    services: Services, pressed: Pressed, name: str, *, is_destructive: bool = False
) -> Admission:
    """Decide whether a button that needs the rights of the command `name` is carried out."""
    known = command(name)
    assert known is not None  # the tables name commands
    language = await services.language_of(pressed.sender)
    role = await services.parts.access.role(pressed.sender, pressed.place)
    refusal = await services.parts.access.may_command(
        pressed.place,
        pressed.sender,
        job_id(services.me, pressed.update_id),
        known.name,
        known.audience,
        is_destructive=is_destructive,
    )
    if refusal is None:
        refusal = await find_press_excess(services, pressed)
    if refusal is None:
        return Admission(role, language)
    return Admission(
        role, language, TEXTS.text(refusal.message_id, language, **refusal.values), is_refused=True
    )
