"""What the buttons under answers do: rate, show what stands behind an answer, stop it.

A button is bound to the chat it stands in; rating and stopping also to the asker. What a button needs is in
the database, so it works after a restart.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bot.service.admission import Access
from bot.service.errors import DeliveryError
from bot.service.explanations import Subject
from bot.service.incoming import Pressed
from bot.service.languages import spoken
from bot.service.people import Ask
from bot.service.stopping import Stopping
from bot.service.stores import Stores
from bot.statistics.values import Thumb
from bot.telegram.buttons.explanations import Showing, Shown
from bot.telegram.buttons.keyboard import Button, read, under_answer
from bot.telegram.outbound.sender import Delivery
from bot.texts import TEXTS
from rag.loop.run import RunStep

STEPS = ("find", "rate", "mark", "stop", "reply")


@dataclass(frozen=True, slots=True)
class _Found:
    """What a press is about.

    Args:
        objection: Why nothing is done, as it is told; empty when something is.
        language: ISO 639-1 code of the language in which the presser is spoken to.
        button: The button.
        ask: The question.
        rating: What the asker says of the answer so far.
    """

    objection: str
    language: str
    button: Button | None = None
    ask: Ask | None = None
    rating: Thumb | None = None


class Presses:
    """Carries out pressed buttons.

    Args:
        stores: Everything that is kept.
        delivery: The way out.
        access: Who may use the bot.
        showing: Shows what stands behind answers.
        stopping: Ends work.
        job_id: Returns the id of the work for a press.
    """

    def __init__(
        self,
        stores: Stores,
        delivery: Delivery,
        access: Access,
        showing: Showing,
        stopping: Stopping,
        job_id: Callable[[Pressed], str],
    ) -> None:
        self._stores = stores
        self._delivery = delivery
        self._access = access
        self._showing = showing
        self._stopping = stopping
        self._job_id = job_id

    async def __call__(self, pressed: Pressed, run_step: RunStep) -> None:
        """Carry out a press, or say politely why not.

        Raises:
            ChatGoneError: the chat cannot be written to.
            OperatorError: something cannot be kept.
        """
        found: _Found = await run_step("find", partial(self._find, pressed))
        if found.button is None or found.ask is None:
            await self._say(pressed, found.objection, run_step, alert=True)
            return
        match found.button.verb:
            case "useful" | "wrong" as verb:
                await self._rate(
                    pressed, found.ask, None if found.rating == verb else verb, found.language, run_step
                )
            case "stop":
                await self._stop(pressed, found.ask, found.language, run_step)
            case "sources" | "why" as subject:
                await self._show(pressed, found.ask, subject, found.language, run_step)

    async def _find(self, pressed: Pressed) -> _Found:
        stores, sender = self._stores, pressed.sender
        language = spoken(sender, (await stores.users.get(sender.id)).language)

        def objected(message: str) -> _Found:
            return _Found(TEXTS.text(message, language), language)

        refusal = await self._access.may_ask(pressed.place, sender, self._job_id(pressed))
        if refusal is not None:
            return _Found(TEXTS.text(refusal.message_id, language, **refusal.values), language)
        button = read(pressed.payload)
        ask = await stores.asks.get(button.ask_id) if button else None
        chat_id = await stores.chats.current_id(pressed.place.chat_id)
        if button is None or ask is None or ask.chat_id != chat_id:
            return objected("press-gone")
        try:
            objection = await self._objection(pressed, button, ask)
        except DeliveryError:
            return objected("group-admins-unknown")
        if objection:
            return objected(objection)
        rating = await stores.answers.rating(ask.answered_id) if ask.answered_id else None
        return _Found("", language, button, ask, rating)

    async def _objection(self, pressed: Pressed, button: Button, ask: Ask) -> str:
        """Return the text that says why a button does nothing, or an empty one.

        Raises:
            DeliveryError: Telegram does not tell now whether the presser may press it.
        """
        sender, place = pressed.sender, pressed.place
        if button.verb == "stop":
            if not await self._stopping.may_stop(sender, place, ask):
                return "press-not-to-stop"
            return "" if ask.is_open else "press-finished"
        if ask.is_open:
            return "press-working"
        if button.verb in {"sources", "why"}:
            return ""
        if not await self._stopping.is_asker(sender, place, ask):
            return "press-not-yours"
        return "press-gone" if ask.answered_id is None else ""

    async def _rate(
        self, pressed: Pressed, ask: Ask, rating: Thumb | None, language: str, run_step: RunStep
    ) -> None:
        async def rate() -> bool:
            useful = None if rating is None else rating == "useful"
            return await self._stores.answers.feedback(ask.answered_id or "", useful)

        if not await run_step("rate", rate):
            await self._say(pressed, TEXTS.text("press-gone", language), run_step, alert=True)
            return
        # The answer speaks to its asker, who is the one that presses.
        keyboard = under_answer(ask.id, language, rating)
        await run_step("mark", partial(self._delivery.mark, pressed.place, pressed.message_id, keyboard))
        message = f"press-{rating}" if rating else "press-taken-back"
        await self._say(pressed, TEXTS.text(message, language), run_step)

    async def _stop(self, pressed: Pressed, ask: Ask, language: str, run_step: RunStep) -> None:
        is_stopped: bool = await run_step(
            "stop", partial(self._stopping.stop, ask, pressed.place, pressed.sender)
        )
        message = "answer-stopped" if is_stopped else "press-finished"
        await self._say(pressed, TEXTS.text(message, language), run_step, alert=not is_stopped)

    async def _show(
        self, pressed: Pressed, ask: Ask, subject: Subject, language: str, run_step: RunStep
    ) -> None:
        looking = partial(self._showing.look_up, ask, subject, language, self._job_id(pressed))
        shown: Shown = await run_step("look up", looking)
        if shown.parts:
            await self._showing.show(shown.parts, pressed.place, pressed.message_id, run_step)
        await self._say(pressed, shown.alert, run_step, alert=bool(shown.alert))

    async def _say(self, pressed: Pressed, text: str, run_step: RunStep, *, alert: bool = False) -> None:
        answer = partial(self._delivery.answer_press, pressed.callback_id, text, alert=alert)
        await run_step("reply", answer)
