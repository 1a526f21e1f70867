"""Interviews in private chats: which messages belong to one, and how it is shown.

While an interview is open, what somebody writes is taken as said to it, because that is what people expect
after a question. It is a question to the bot instead if it comes after ``/ask``, if it replies to a message
that is not the interview's, or if it ends like a question and the documents clearly cover it. An answer that
is edited is said anew.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog
from telegram import InlineKeyboardButton, InlineKeyboardMarkup

from bot.service.incoming import Asked, Message, Place, Sender
from bot.service.interview_values import Party, View
from bot.service.keys import PeerId
from bot.service.messenger import Posted
from bot.service.plain_questions import is_covered_question
from bot.service.spending import metered
from bot.service.voice_questions import say_what_was_heard
from bot.telegram.ids import keep_those_of_telegram, to_number, to_peer
from bot.telegram.inbound.inbox import answer_job_id
from bot.telegram.outbound.messages import post, send, send_file
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.rendering import draw, draw_one, text_parts
from bot.texts import TEXTS
from bot.views.interviews import File, after_turn, document_files, export_page, report, state
from rag.errors import InputError
from rag.interview.missions import Mission
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)


if TYPE_CHECKING:
    from bot.telegram.services import Services

CHOOSE: Final = "choose"
"""The verb of the buttons under a question."""

SKIP, BACK, FINISH = "skip", "back", "finish"
"""What the buttons under every question do, in place of the number of a choice."""

_LABEL_CHARACTERS: Final = 60
_PREFIX: Final = 8
_CAPTION_CHARACTERS: Final = 1000


@dataclass(frozen=True, slots=True)
class Route:
    """The interview that a message goes to, and whether the message is worked on.

    Args:
        session_id: The interview that it is said to; empty: it is a question to the bot.
        refusal: What is said instead of working on it; empty: nothing.
    """

    session_id: str = ""
    language: str = ""
    refusal: str = ""
    is_refused: bool = False


def party_of(place: Place, sender: Sender) -> Party:
    """Return who is interviewed in a private chat."""
    return Party(sender.id, place.conversation_id)


def message_key(message: Message) -> str:
    """Return the key of the turn that a message is; its first text has one that its edits do not share."""
    key = f"{to_number(message.place.chat_id)}:{message.message_id}"
    return f"{key}:{message.update_id}" if message.is_edit else key


def short_id(session_id: str) -> str:
    """Return what buttons carry of a session."""
    return session_id[:_PREFIX]


class InterviewScreen:
    """Shows interviews: a message with what is known that is kept up to date, and one for each question."""

    def __init__(self, services: Services) -> None:
        self._interviews = services.parts.interviews
        self._delivery = services.delivery
        self._access = services.parts.access
        self._spent = services.parts.spent

    async def show(
        self,
        run_step: RunStep,
        place: Place,
        view: View,
        name: str,
        *,
        after: int,
        heading: str = "",
        first: int = 1,
        is_new: bool = False,
    ) -> None:
        """Show an interview after a turn, and what came of it if that was the last one.

        Args:
            after: The message that brought the turn.
            heading: A sentence above the question, instead of what was noted.
            first: Number of the first message in the names of the steps.
            is_new: Nothing is known yet, so there is nothing to sum up.
        """
        mission = self._interviews.packs.find(view.session.pack)
        if not is_new:
            await run_step("interview summary", partial(self._show_summary, place, view, after))
        await post(
            run_step,
            self._delivery,
            place,
            draw(after_turn(view, mission, heading)),
            after=after,
            keyboard=under_question(view, mission.locale.language),
            first=first,
        )
        if not view.session.is_open:
            await self.conclude(run_step, place, view, name, after=after)

    async def conclude(self, run_step: RunStep, place: Place, view: View, name: str, *, after: int) -> None:
        """Send a person the document of a finished interview, and its report to those who work with it."""
        party = Party(view.session.owner, view.session.conversation_id)
        spending = metered(run_step, self._spent, chat_id=place.chat_id, user_id=PeerId(party.owner))
        view = await self._interviews.word(
            party, view.session.id, key=f"end:{view.session.id}", run_step=spending
        )
        files = await self._document(view)
        for number, file in enumerate(files, 1):
            content = (f"{view.session.pack}-{short_id(view.session.id)}.{file.ending}", file.content)
            caption = TEXTS.text(file.caption, view.state.meta.locale.language)
            sending = partial(send_file, self._delivery, place, *content, caption, after=after)
            posted: Posted = await run_step(f"document {number}", sending)
            after = posted.message_id
        await self._report(run_step, view, name, files)

    async def _document(self, view: View) -> tuple[File, ...]:
        mission, paper = self._interviews.packs.find(view.session.pack), self._interviews.draw_up(view)
        return await asyncio.to_thread(document_files, paper, mission) if paper else ()

    async def _report(self, run_step: RunStep, view: View, name: str, files: tuple[File, ...]) -> None:
        """Send a page and the document to the recipients of the pack, or to the owners."""
        mission = self._interviews.packs.find(view.session.pack)
        language = mission.locale.language
        recipients: tuple[str, ...] = await run_step(
            "interview recipients", partial(self.find_recipients, mission, view.session.owner)
        )
        for number, recipient in enumerate(recipients, 1):
            place = Place(PeerId(recipient), "private")
            base = f"{view.session.pack}-{short_id(view.session.id)}"
            page = export_page(view, mission, language).encode("utf-8", "replace")
            caption = report(view, mission, name, language)[:_CAPTION_CHARACTERS]
            try:
                await run_step(
                    f"interview report {number}",
                    partial(send_file, self._delivery, place, f"{base}.html", page, caption),
                )
                for file in files[:1]:
                    sending = partial(send_file, self._delivery, place, f"{base}.{file.ending}", file.content)
                    await run_step(f"interview report file {number}", sending)
            except (ChatGoneError, DeliveryError) as exc:
                # Somebody who has never written to the bot cannot be written to.
                _log.warning("a report of an interview was not sent", recipient=recipient, reason=str(exc))

    async def find_recipients(self, mission: Mission, owner: str) -> tuple[str, ...]:
        """Return who gets the report: whom the pack names, else the owners; never the person interviewed."""
        people = keep_those_of_telegram(await self._access.admins())
        owners = [person.id for person in people if person.role == "owner"]
        wanted = [to_peer(number) for number in mission.recipients] or owners
        return tuple(one for one in dict.fromkeys(wanted) if one != owner)

    async def _show_summary(self, place: Place, view: View, after: int) -> Posted:
        """Bring the summary up to date; where it is gone, there is a new one."""
        session = await self._interviews.get(
            Party(view.session.owner, view.session.conversation_id), view.session.id
        )
        mission = self._interviews.packs.find(view.session.pack)
        part = draw_one(state(view, mission, mission.locale.language))
        known = session.session.summary_message_id
        if known is not None and await self._delivery.edit(place, known, part):
            return Posted(place.chat_id, known)
        posted = await send(self._delivery, place, part, after=after)
        await self._interviews.set_summary(view.session.id, posted.message_id)
        return posted


def under_question(view: View, language: str) -> InlineKeyboardMarkup | None:
    """Return the buttons of the open question: its choices, skip, back and finish; None if none is open."""
    action = view.next_action if view.next_action.ask_user else view.state.next_action
    question = action.ask_user if action else None
    if question is None or not view.session.is_open:
        return None

    def key(label: str, what: str) -> InlineKeyboardButton:
        data = f"{CHOOSE}:{short_id(view.session.id)}:{question.question_id}:{what}"
        return InlineKeyboardButton(label[:_LABEL_CHARACTERS], callback_data=data)

    has_said = any(turn.role == "user" for turn in view.state.dialogue.history)
    steering = (SKIP, BACK, FINISH) if has_said else (SKIP, FINISH)
    return InlineKeyboardMarkup(
        [
            *([key(choice.label, str(number))] for number, choice in enumerate(question.choices or ())),
            [key(TEXTS.text(f"interview-{what}", language), what) for what in steering],
        ]
    )


class Interviewing:
    """Takes messages of private chats: to the open interview, or as questions to the bot."""

    def __init__(self, services: Services, answering: Callable[[Asked, RunStep], Awaitable[None]]) -> None:
        self._services = services
        self._interviews = services.parts.interviews
        self._answering = answering

    async def is_for_interview(self, asked: Asked) -> bool:
        """Whether a message may be said to an interview; it is decided when its turn has come."""
        message = asked.message
        if message.place.kind != "private" or asked.address != "private" or message.is_forwarded:
            return False
        party = party_of(message.place, message.sender)
        if message.is_edit:
            key = f"{to_number(message.place.chat_id)}:{message.message_id}"
            return await self._interviews.has_turn(party, key)
        return await self._interviews.current(party) is not None

    async def __call__(self, asked: Asked, run_step: RunStep) -> None:
        """Take a message."""
        message = asked.message
        if message.place.kind != "private":
            await self._answering(asked, run_step)
            return
        route: Route = await run_step("interview route", partial(self._route, asked), is_light=True)
        if route.is_refused:
            if route.refusal:
                await self._say(run_step, message, route.refusal)
        elif not route.session_id:
            await self._answering(asked, run_step)
        else:
            await self._take(asked, route, run_step)

    async def _take(self, asked: Asked, route: Route, run_step: RunStep) -> None:
        message = asked.message
        await self._services.delivery.typing(message.place)
        first = 1
        if asked.recording is not None:
            await self._say(run_step, message, say_what_was_heard(asked.text, route.language))
            first = 2
        try:
            view = await self._interviews.post(
                party_of(message.place, message.sender),
                route.session_id,
                asked.text,
                key=message_key(message),
                run_step=metered(
                    run_step,
                    self._services.parts.spent,
                    chat_id=message.place.chat_id,
                    user_id=message.sender.id,
                ),
            )
        except InputError as exc:
            await self._say(run_step, message, TEXTS.reason(exc.reason, route.language), first)
            return
        screen, name, after = self._services.screen, message.sender.name, message.message_id
        await screen.show(run_step, message.place, view, name, after=after, first=first)

    async def _route(self, asked: Asked) -> Route:
        message, services = asked.message, self._services
        work_id = answer_job_id(services.me, asked)
        if asked.unheard is not None:
            return Route()
        # A question that was taken in as one has a row.
        if await services.asks.find_by_workflow(work_id) is not None:
            return Route()
        if not await self.is_for_interview(asked):
            return Route()
        place, sender = message.place, message.sender
        view = await self._interviews.current(party_of(place, sender))
        if view is None or (not message.is_edit and await self._is_question(asked)):
            return Route()
        language = await services.language_of(sender)
        refusal = await services.parts.access.may_ask(place, sender, work_id)
        if refusal is None:
            refusal = await services.limits.check(place, sender, work_id)
        if refusal is None:
            return Route(view.session.id, language)
        text = TEXTS.text(refusal.message_id, language, **refusal.values)
        return Route("", language, text if refusal.is_notice_due else "", is_refused=True)

    async def _is_question(self, asked: Asked) -> bool:
        replied = asked.message.replied
        if replied is not None and replied.is_mine:
            # Under an answer it goes on with that answer; any other message of ours is the interview's.
            place = asked.message.place
            return await self._services.asks.find_by_answer(place.chat_id, replied.message_id) is not None
        return await is_covered_question(asked.text, self._services.parts.app.engine.covers)

    async def _say(self, run_step: RunStep, message: Message, text: str, first: int = 1) -> None:
        delivery, place, above = self._services.delivery, message.place, message.message_id
        await post(run_step, delivery, place, text_parts(text), after=above, first=first)
