"""Rights first, then the function that carries a command or one of its buttons out."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

import structlog

from bot.service.incoming import Commanded, Pressed
from bot.service.languages import spoken
from bot.service.people import Json, Refusal, Role
from bot.service.rights import ADMINS
from bot.telegram.buttons import choices
from bot.telegram.buttons.confirming import NO, YES, Taken, take
from bot.telegram.commands import (
    Command,
    additions,
    basics,
    command,
    documents,
    figures,
    health,
    people,
    personal,
    reindexing,
    removals,
)
from bot.telegram.commands.context import Context, Reply, language_of
from bot.telegram.inbound.inbox import job_id
from bot.telegram.outbound.messages import Posted
from bot.telegram.outbound.retries import ChatGoneError
from bot.telegram.services import Services
from bot.texts import TEXTS
from rag.loop.run import RunStep

_log = structlog.get_logger(__name__)

STEPS: Final = (
    "obey",
    "look",
    "open",
    "carry out",
    "index",
    "fetch",
    "keep",
    "confirm",
    "take",
    "picture",
    "clear",
    "count",
    "document",
    "menus",
    "reply",
)
"""Names of the steps, besides those of posting."""

HANDLERS: Final[Mapping[str, Callable[[Context], Awaitable[None]]]] = {
    "start": basics.start,
    "help": basics.show_help,
    "ask": basics.ask,
    "reset": basics.reset,
    "why": basics.why,
    "sources": basics.sources,
    "stop": basics.stop,
    "mode": choices.mode,
    "language": choices.language,
    "privacy": personal.privacy,
    "claim": people.claim,
    "allow": people.allow,
    "deny": people.deny,
    "admins": people.admins,
    "documents": documents.documents,
    "add": additions.add,
    "remove": removals.remove,
    "reindex": reindexing.reindex,
    "stats": figures.stats,
    "unanswered": figures.unanswered,
    "health": health.health,
}
"""What carries out each command."""


@dataclass(frozen=True, slots=True)
class Button:
    """What a button does.

    Args:
        command: The command whose rights it needs.
        press: Carries it out with the argument of the button, and returns what is told to the presser.
    """

    command: str
    press: Callable[[Context, str], Awaitable[str]]


BUTTONS: Final[Mapping[str, Button]] = {
    choices.MODE: Button("mode", choices.press_mode),
    choices.LANGUAGE: Button("language", choices.press_language),
    personal.PRIVACY: Button("privacy", personal.press_privacy),
    documents.PAGE: Button("documents", documents.press_page),
    figures.DAYS: Button("stats", figures.press_days),
}
"""Buttons by the verb that they carry, besides yes and no."""

CONFIRMED: Final[Mapping[str, tuple[str, Callable[[Context, Mapping[str, Json]], Awaitable[None]]]]] = {
    "reset": ("reset", basics.reset_confirmed),
    "erase": ("privacy", personal.erase),
    "add": ("add", additions.replace_confirmed),
    "remove": ("remove", removals.remove_confirmed),
    "rebuild": ("reindex", reindexing.rebuild_confirmed),
    "appoint": ("admins", people.appoint_confirmed),
}
"""What is done after a yes, with the command whose rights it needs."""


_ABOUT_COMMANDING: Final = {"refused-admins-only", "refused-owner-only", "refused-named-only"}
"""Refusals of a command alone: its sender may ask."""


@dataclass(frozen=True, slots=True)
class _Admission:
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


class Commands:
    """Carries out commands and the buttons under what they say.

    Args:
        services: The running parts.
    """

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, commanded: Commanded, run_step: RunStep) -> None:
        """Carry out a command, or say why not.

        Raises:
            DeliveryError: Telegram does not take the reply.
            OperatorError: something cannot be kept.
        """
        known = command(commanded.name)
        try:
            admission: _Admission = await run_step("obey", partial(self._admit, commanded, known))
            context = Context(self._services, commanded, admission.role, admission.language, run_step)
            if known is not None and not admission.is_refused:
                await HANDLERS[known.name](context)
            elif admission.objection:
                await context.show(Reply.of(admission.objection))
        except ChatGoneError:
            _log.info("nobody is told what came of a command", command=commanded.name)

    def knows(self, pressed: Pressed) -> bool:
        """Whether a button belongs to a command."""
        return pressed.payload.partition(":")[0] in {YES, NO, *BUTTONS}

    async def press(self, pressed: Pressed, run_step: RunStep) -> None:
        """Carry out a press on a button that it `knows`, or say politely why not.

        Raises:
            DeliveryError: Telegram does not take the reply.
            OperatorError: something cannot be kept.
        """
        try:
            await self._press(pressed, run_step)
        except ChatGoneError:
            _log.info("nobody is told what came of a press")

    async def _press(self, pressed: Pressed, run_step: RunStep) -> None:
        verb, _, argument = pressed.payload.partition(":")
        if verb in {YES, NO}:
            await self._confirmed(pressed, argument, run_step, is_wanted=verb == YES)
            return
        button = BUTTONS[verb]
        admission = await run_step("obey", partial(self._admit_press, pressed, button.command))
        told = admission.objection
        if not admission.is_refused:
            told = await button.press(self._context(pressed, admission, run_step), argument)
        await self._answer(pressed, told, run_step, is_alert=admission.is_refused)

    async def _confirmed(self, pressed: Pressed, number: str, run_step: RunStep, *, is_wanted: bool) -> None:
        services = self._services
        taken: Taken = await run_step("take", partial(take, services, pressed, number))
        name = str(taken.command.get("name", ""))
        if name not in CONFIRMED:
            await self._answer(pressed, taken.objection, run_step, is_alert=True)
            return
        known, carry_out = CONFIRMED[name]
        admission = await run_step("obey", partial(self._admit_press, pressed, known, is_destructive=True))
        await self._answer(pressed, admission.objection, run_step, is_alert=admission.is_refused)
        context = self._context(pressed, admission, run_step)
        if not is_wanted or admission.is_refused:
            await context.say("confirm-dropped")
        else:
            await carry_out(context, taken.command)

    def _context(self, pressed: Pressed, admission: _Admission, run_step: RunStep) -> Context:
        shown = Posted(pressed.place.chat_id, pressed.message_id)
        return Context(self._services, pressed, admission.role, admission.language, run_step, shown)

    async def _answer(self, pressed: Pressed, text: str, run_step: RunStep, *, is_alert: bool) -> None:
        delivery = self._services.delivery
        await run_step(
            "reply", partial(delivery.answer_press, pressed.callback_id, text, alert=is_alert and bool(text))
        )

    async def _admit(self, commanded: Commanded, known: Command | None) -> _Admission:
        services, message = self._services, commanded.message
        place, sender = message.place, message.sender
        await services.chats.seen(place)
        person = await services.users.seen(sender)
        language = spoken(sender, person.language)
        role = await services.access.role(sender, place)

        def refused(text: str, **values: str | float) -> _Admission:
            return _Admission(
                role, language, TEXTS.text(text, language, **values) if text else "", is_refused=True
            )

        # In a group a command that nobody knows may be for another bot.
        if known is None and place.kind != "private" and "@" not in message.text.partition(" ")[0]:
            return refused("")
        refusal = await self._refusal(commanded, known)
        if refusal is not None and refusal.message_id in _ABOUT_COMMANDING:
            # Whoever commands gets an answer each time, within the limits that hold for all commands.
            refusal = await self._excess(commanded, role) or replace(refusal, is_notice_due=True)
        is_unclaimed = refusal is not None and await self._is_unclaimed(commanded, known)
        if refusal is None or is_unclaimed:
            refusal = await self._excess(commanded, role)
        if refusal is not None:
            return refused(refusal.message_id if refusal.is_notice_due else "", **refusal.values)
        if is_unclaimed:
            return refused("start-unclaimed")
        if known is None:
            return refused("chat-unknown-command", command=f"/{commanded.name}")
        if place.kind not in known.places:
            return refused("command-elsewhere", command=f"/{known.name}")
        return _Admission(role, language)

    async def _refusal(self, commanded: Commanded, known: Command | None) -> Refusal | None:
        message, access = commanded.message, self._services.access
        by = job_id(self._services.me, message.update_id)
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

    async def _excess(self, commanded: Commanded, role: Role) -> Refusal | None:
        """Why a command is one too many: never for who tends the bot, nor for what ends its work."""
        if role in ADMINS or commanded.name == "stop":
            return None
        message = commanded.message
        by = job_id(self._services.me, message.update_id)
        return await self._services.limits.check_command(message.place, message.sender, by)

    async def _is_unclaimed(self, commanded: Commanded, known: Command | None) -> bool:
        is_start = known is not None and known.name in {"start", "help"}
        return (
            is_start
            and commanded.message.place.kind == "private"
            and await self._services.access.is_claimable()
        )

    async def _admit_press(self, pressed: Pressed, name: str, *, is_destructive: bool = False) -> _Admission:
        services, known = self._services, command(name)
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
            return _Admission(role, language)
        return _Admission(
            role, language, TEXTS.text(refusal.message_id, language, **refusal.values), is_refused=True
        )
