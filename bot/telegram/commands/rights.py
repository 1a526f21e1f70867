"""Whether a command, or a button that needs the rights of one, is carried out."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from bot.service.incoming import Commanded, Pressed
from bot.service.languages import spoken
from bot.service.people import Refusal, Role
from bot.service.rights import ADMINS
from bot.telegram.commands import Command, command
from bot.telegram.commands.context import language_of
from bot.telegram.inbound.inbox import job_id
from bot.telegram.services import Services
from bot.texts import TEXTS

_ABOUT_COMMANDING: Final = {"refused-admins-only", "refused-owner-only", "refused-named-only"}
"""Refusals of a command alone: its sender may ask."""


@dataclass(frozen=True, slots=True)
class Admission:
    """What becomes of a command.

    Args:
        role: What the sender may do.
        language: ISO 639-1 code of the language in which the sender is spoken to.
        objection: What is said instead of carrying it out; empty: nothing.
        is_refused: It is not carried out.
    """

    role: Role
    language: str
    objection: str = ""
    is_refused: bool = False


async def admit(services: Services, commanded: Commanded, known: Command | None) -> Admission:
    """Decide whether a command is carried out; note who sent it."""
    message = commanded.message
    place, sender = message.place, message.sender
    await services.chats.seen(place)
    person = await services.users.seen(sender)
    language = spoken(sender, person.language)
    role = await services.access.role(sender, place)

    def refused(text: str, **values: str | float) -> Admission:
        return Admission(
            role, language, TEXTS.text(text, language, **values) if text else "", is_refused=True
        )

    # In a group a command that nobody knows may be for another bot.
    if known is None and place.kind != "private" and "@" not in message.text.partition(" ")[0]:
        return refused("")
    refusal = await _refusal(services, commanded, known)
    if refusal is not None and refusal.message_id in _ABOUT_COMMANDING:
        # Whoever commands gets an answer each time, within the limits that hold for all commands.
        refusal = await _excess(services, commanded, role) or replace(refusal, is_notice_due=True)
    is_unclaimed = refusal is not None and await _is_unclaimed(services, commanded, known)
    if refusal is None or is_unclaimed:
        refusal = await _excess(services, commanded, role)
    if refusal is not None and known is not None and known.name == "start":
        by = job_id(services.me, message.update_id)
        refusal = await services.access_requests.ask(place, sender, by, refusal)
    if refusal is not None:
        return refused(refusal.message_id if refusal.is_notice_due else "", **refusal.values)
    if is_unclaimed:
        return refused("start-unclaimed")
    if known is None:
        return refused("chat-unknown-command", command=f"/{commanded.name}")
    if place.kind not in known.places:
        return refused("command-elsewhere", command=f"/{known.name}")
    return Admission(role, language)


async def _refusal(services: Services, commanded: Commanded, known: Command | None) -> Refusal | None:
    message, access = commanded.message, services.access
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


async def _excess(services: Services, commanded: Commanded, role: Role) -> Refusal | None:
    """Why a command is one too many: never for who tends the bot, nor for what ends its work."""
    if role in ADMINS or commanded.name == "stop":
        return None
    message = commanded.message
    by = job_id(services.me, message.update_id)
    return await services.limits.check_command(message.place, message.sender, by)


async def find_press_excess(services: Services, pressed: Pressed) -> Refusal | None:
    """Why a press is one too many; presses count as commands, and never for who tends the bot."""
    if await services.access.role(pressed.sender, pressed.place) in ADMINS:
        return None
    by = job_id(services.me, pressed.update_id)
    return await services.limits.check_command(pressed.place, pressed.sender, by)


async def _is_unclaimed(services: Services, commanded: Commanded, known: Command | None) -> bool:
    is_start = known is not None and known.name in {"start", "help"}
    return is_start and commanded.message.place.kind == "private" and await services.access.is_claimable()


async def admit_press(
    services: Services, pressed: Pressed, name: str, *, is_destructive: bool = False
) -> Admission:
    """Decide whether a button is carried out that needs the rights of a command."""
    known = command(name)
    assert known is not None  # the tables name commands
    language = await language_of(services, pressed.sender)
    role = await services.access.role(pressed.sender, pressed.place)
    refusal = await services.access.may_command(
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
