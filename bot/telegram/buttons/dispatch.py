"""Checks the rights for a pressed button, then calls the function that carries it out."""

from __future__ import annotations

from functools import partial

import structlog

from bot.service.incoming import Pressed
from bot.service.people import Role
from bot.telegram.buttons.answers import Found, find
from bot.telegram.buttons.confirming import Taken, take
from bot.telegram.buttons.table import BUTTONS, CONFIRMED, UNKNOWN, Button
from bot.telegram.commands.context import Context, Told
from bot.telegram.commands.rights import Admission, admit_press
from bot.telegram.outbound.messages import Posted
from bot.telegram.outbound.retries import ChatGoneError
from bot.telegram.services import Services
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


class Buttons:
    """Carries out pressed buttons."""

    def __init__(self, services: Services) -> None:
        self._services = services

    async def __call__(self, pressed: Pressed, run_step: RunStep) -> None:
        """Carry out a press, or tell the presser why it is not carried out."""
        verb, _, rest = pressed.payload.partition(":")
        button = BUTTONS.get(verb, UNKNOWN)
        try:
            match button.rights:
                case "command":
                    await self._press_of_command(button, pressed, rest, run_step)
                case "confirmed":
                    await self._press_of_confirmation(button, pressed, rest, run_step)
                case "reader" | "asker" | "stopper" as rights:
                    finding = partial(find, self._services, pressed, rights, button.parse(rest))
                    found: Found = await run_step("find", finding)
                    told = Told(found.objection, is_alert=True)
                    if found.ask is not None:
                        context = self._context(pressed, "none", found.language, run_step, is_reply=True)
                        told = await button.press(context, found)
                    await self._answer(pressed, told, run_step)
        except ChatGoneError:
            _log.info("nobody is told what came of a press")

    async def _press_of_command(self, button: Button, pressed: Pressed, rest: str, run_step: RunStep) -> None:
        obeying = partial(admit_press, self._services, pressed, button.command)
        admission: Admission = await run_step("obey", obeying)
        context = self._context(pressed, admission.role, admission.language, run_step)
        told = Told(admission.objection, is_alert=True)
        if not admission.is_refused:
            argument = button.parse(rest)
            told = Told(context.text("press-too-late"))
            if argument is not None:
                told = await button.press(context, argument)
        await self._answer(pressed, told, run_step)

    async def _press_of_confirmation(
        self, button: Button, pressed: Pressed, rest: str, run_step: RunStep
    ) -> None:
        taken: Taken = await run_step("take", partial(take, self._services, pressed, button.parse(rest)))
        name = str(taken.command.get("name", ""))
        if name not in CONFIRMED:
            await self._answer(pressed, Told(taken.objection, is_alert=True), run_step)
            return
        obeying = partial(admit_press, self._services, pressed, CONFIRMED[name][0], is_destructive=True)
        admission: Admission = await run_step("obey", obeying)
        # Answer the press first, so that the button stops blinking: the command may take long.
        await self._answer(pressed, Told(admission.objection, is_alert=admission.is_refused), run_step)
        context = self._context(pressed, admission.role, admission.language, run_step)
        if admission.is_refused:
            await context.say("confirm-dropped")
        else:
            await button.press(context, taken.command)

    def _context(
        self, pressed: Pressed, role: Role, language: str, run_step: RunStep, *, is_reply: bool = False
    ) -> Context:
        """Build the context of a press: its reply replaces the message of the button, unless `is_reply`."""
        shown = None if is_reply else Posted(pressed.place.chat_id, pressed.message_id)
        services, place, sender = self._services, pressed.place, pressed.sender
        return Context(
            services, services.stopping, place, sender, role, language, "", run_step, pressed, shown
        )

    async def _answer(self, pressed: Pressed, told: Told, run_step: RunStep) -> None:
        answer = self._services.delivery.answer_press
        is_alert = told.is_alert and bool(told.text)
        await run_step("reply", partial(answer, pressed.callback_id, told.text, alert=is_alert))
