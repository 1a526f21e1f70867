"""Carries out the buttons under answers: rate an answer, explain it, stop it.

A button works only for its own chat; only the asker rates, and only the asker and administrators stop. The
data of a button is in the database, so it works after a restart.
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass
from functools import partial
from typing import Final, Literal

from bot.service.errors import ChatGoneError, DeliveryError
from bot.service.explanations import Subject
from bot.service.incoming import Place, Pressed
from bot.service.keys import is_group
from bot.service.languages import spoken_to
from bot.service.people import Ask, AskId
from bot.service.rights import ADMINS
from bot.statistics.values import Thumb
from bot.telegram.buttons.explanations import Shown
from bot.telegram.buttons.keyboard import under_answer
from bot.telegram.commands.context import Context, Told
from bot.telegram.commands.rights import find_excess
from bot.telegram.ids import read_number
from bot.telegram.inbound.inbox import job_id
from bot.telegram.services import Services
from bot.texts import TEXTS
from bot.views.councils import members

_RECORDED_WITHIN_SECONDS: Final = 3.0
_BETWEEN_LOOKS_SECONDS: Final = 0.05

AnswerRights = Literal["reader", "asker", "stopper"]
"""Who may press: everybody who may ask in the chat, only the asker, or the asker and administrators."""


@dataclass(frozen=True, slots=True)
class Found:
    """The answer that a press is about.

    Args:
        objection: Text for the presser when the press is not carried out; empty otherwise.
        ask: The question; None when there is an objection.
        seats: Names of the council members that answered; empty without a council.
    """

    objection: str
    language: str
    ask: Ask | None = None
    rating: Thumb | None = None
    seats: tuple[str, ...] = ()
    is_admin: bool = False
    can_ask_person: bool = False


async def find(services: Services, pressed: Pressed, rights: AnswerRights, ask_id: AskId | None) -> Found:
    """Return the answer that a button is about, or the objection to the press."""
    language = await services.language_of(pressed.sender)

    def object_with(message: str) -> Found:
        return Found(TEXTS.text(message, language), language)

    by = job_id(services.me, pressed.update_id)
    place = await _place_of_answer(services, pressed, ask_id)
    refusal = await services.parts.access.may_ask(place, pressed.sender, by)
    if refusal is None and rights != "stopper":
        refusal = await find_excess(services, pressed.place, pressed.sender, by)
    if refusal is not None:
        return Found(TEXTS.text(refusal.message_id, language, **refusal.values), language)
    ask = None if ask_id is None else await _load_ask(services, ask_id, is_answer_shown=rights != "stopper")
    chat_id = await services.parts.chats.current_id(place.chat_id)
    if ask is None or ask.chat_id != chat_id:
        return object_with("press-gone")
    try:
        objection = await _objection(services, pressed, rights, ask)
    except DeliveryError:
        return object_with("group-admins-unknown")
    if objection:
        return object_with(objection)
    rating = await services.parts.answers.rating(ask.answered_id) if ask.answered_id else None
    answer = await services.parts.memory.load_answer(ask.exchange) if rights != "stopper" else None
    is_admin = await services.parts.access.role(pressed.sender, pressed.place) in ADMINS
    can_ask = answer is not None and await services.passed.is_offered(ask.chat_id, answer)
    return Found("", language, ask, rating, members(answer.council if answer else None), is_admin, can_ask)


async def _place_of_answer(services: Services, pressed: Pressed, ask_id: AskId | None) -> Place:
    """Return where an answer stands; its sources may have been sent from a group to the presser's chat."""
    place = pressed.place
    shown = await services.asks.find_by_answer(place.chat_id, pressed.message_id)
    if shown is not None and shown.id == ask_id and is_group(shown.chat_id):
        return Place(shown.chat_id, "group", shown.thread_id)
    return place


async def _load_ask(services: Services, ask_id: AskId, *, is_answer_shown: bool) -> Ask | None:
    """Load a question; a press in the moment before a shown answer is recorded waits for the record."""
    deadline = time.monotonic() + (_RECORDED_WITHIN_SECONDS if is_answer_shown else 0.0)
    while True:
        ask = await services.asks.get(ask_id)
        if ask is None or not ask.is_open or time.monotonic() >= deadline:
            return ask
        await asyncio.sleep(_BETWEEN_LOOKS_SECONDS)


async def _objection(services: Services, pressed: Pressed, rights: AnswerRights, ask: Ask) -> str:
    """Return the name of the message that says why a button does nothing; empty if it may be used."""
    sender, place, stopping = pressed.sender, pressed.place, services.stopping
    if rights == "stopper":
        if not await stopping.may_stop(sender, place, ask):
            return "press-not-to-stop"
        return "" if ask.is_open else "press-finished"
    if ask.is_open:
        return "press-working"
    if rights == "reader":
        return ""
    if not await stopping.is_asker(sender, place, ask):
        return "press-not-yours"
    return "press-gone" if ask.answered_id is None else ""


async def rate(context: Context, found: Found, *, thumb: Thumb) -> Told:
    """Store the asker's rating of an answer; pressing the same button again removes the rating."""
    ask = _ask(found)
    rating = None if found.rating == thumb else thumb

    async def keep() -> bool:
        useful = None if rating is None else rating == "useful"
        return await context.parts.answers.feedback(ask.answered_id or "", useful)

    if not await context.do("rate", keep):
        return Told(context.text("press-gone"), is_alert=True)
    await _mark(context, found, rating)
    if rating == "wrong" and found.is_admin:
        return Told(context.text("press-wrong-admin"), is_alert=True)
    return Told(context.text(f"press-{rating}" if rating else "press-taken-back"))


async def show_members(context: Context, found: Found, *, is_open: bool) -> Told:
    """Show or hide the buttons for what the members of a council wrote."""
    if not found.seats:
        return Told(context.text("press-gone"), is_alert=True)
    await _mark(context, found, found.rating, shows_members=is_open)
    return Told()


async def _mark(context: Context, found: Found, rating: Thumb | None, *, shows_members: bool = False) -> None:
    """Change the buttons under an answer; they are in the asker's language, whoever presses."""
    ask, services = _ask(found), context.services

    async def mark() -> bool:
        language = spoken_to(await services.parts.users.get(ask.user_id))
        keyboard = under_answer(
            ask.id,
            language,
            rating,
            found.seats,
            shows_members=shows_members,
            can_ask_person=found.can_ask_person,
        )
        return await services.delivery.mark(context.place, context.asked_in, keyboard)

    await context.do("mark", mark)


async def stop(context: Context, found: Found) -> Told:
    """Stop the answer to a question."""
    stopping = partial(context.services.stopping.stop, _ask(found), context.place, context.sender)
    if await context.do("stop", stopping):
        return Told(context.text("answer-stopped"))
    return Told(context.text("press-finished"), is_alert=True)


async def ask_person(context: Context, found: Found) -> Told:
    """Pass a question on to the people who know."""
    ask = _ask(found)
    place = Place(ask.chat_id, context.place.kind, ask.thread_id)
    passing = partial(
        context.services.passed.pass_on,
        ask.exchange,
        ask.user_id,
        place,
        place.conversation_id,
        message_id=ask.message_id,
    )
    outcome: str = await context.do("pass", passing)
    return Told(context.text("press-gone" if outcome == "gone" else f"press-person-{outcome}"), is_alert=True)


async def explain(context: Context, found: Found, *, subject: Subject) -> Told:
    """Show the sources of an answer, how it was produced, or the text of a council member.

    What one person asks for in a group is sent to that person alone.
    """
    showing, ask, place = context.services.showing, _ask(found), context.place
    member = _member(context.request.payload) if isinstance(context.request, Pressed) else None
    looking = partial(showing.look_up, ask, subject, context.language, context.job_id, place, member)
    shown: Shown = await context.do("look up", looking)
    if shown.parts and context.is_private:
        await showing.show(shown, place, context.asked_in, context.run_step)
    elif shown.parts:
        try:
            sent = await showing.show(shown, Place(context.sender.id, "private"), 0, context.run_step)
        except ChatGoneError:
            return Told(shown.alert, is_alert=True)
        # Its buttons, and commands in reply to it, are about this answer.
        marking = partial(context.services.asks.add_message, ask.id, context.sender.id, sent[-1].message_id)
        await context.do("mark", marking)
        return Told(context.text("press-sent"))
    return Told(shown.alert, is_alert=bool(shown.alert))


async def send_source(context: Context, found: Found) -> Told:
    """Send the file of a source that the answer cites to the chat."""
    assert isinstance(context.request, Pressed)  # a button
    number = read_number(context.request.payload.rpartition(":")[2])
    if number is None:
        return Told(context.text("press-too-late"), is_alert=True)
    sending = partial(
        context.services.showing.send_file,
        _ask(found),
        number,
        context.place,
        context.asked_in,
        context.language,
        context.job_id,
    )
    alert = await context.do("document", sending)
    return Told(alert, is_alert=bool(alert))


def _member(payload: str) -> int | None:
    """Return the member number behind the question id in a button's payload, or None."""
    return read_number(payload.partition(":")[2].partition(":")[2])


def _ask(found: Found) -> Ask:
    assert found.ask is not None  # a press with an objection does not get here
    return found.ask
