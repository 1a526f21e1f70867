"""Shows passed questions to the people who know, takes their replies, and brings these to whoever asked."""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final

import structlog

from bot.service.incoming import Asked, Place
from bot.service.keys import PeerId, is_group
from bot.service.languages import spoken_to
from bot.service.passed_questions import REMINDED_AFTER, PassedQuestion
from bot.service.voice_questions import say_what_was_heard
from bot.storage.passed_questions import StoredPassedQuestions
from bot.telegram.commands.context import Context, Key, Keys, Told, keyboard
from bot.telegram.ids import keep_those_of_telegram
from bot.telegram.inbound.inbox import answer_job_id
from bot.telegram.outbound.messages import post
from bot.telegram.outbound.retries import ChatGoneError, DeliveryError
from bot.telegram.rendering import draw, text_parts
from bot.telegram.services import Services
from bot.texts import TEXTS
from bot.views import answers, markdown
from bot.views.blocks import Blocks, Quote, message, paragraph
from rag.language.detect import detect
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

KEEP: Final = "keep-reply"
"""Verb of the button that keeps a reply as an answer; the question's number stands behind it."""

SIGN: Final = "sign-reply"
"""Verb of the button by which an expert shows or hides their name in one reply, against the setting."""

_BETWEEN: Final = 100
"""Numbers of messages in the names of the steps that one of those who know may take up."""


class Experts:
    """Talks to the people who know; as a handler, takes their replies and hands on every other message."""

    def __init__(self, services: Services, others: Callable[[Asked, RunStep], Awaitable[None]]) -> None:
        self._services = services
        self._questions = services.passed
        self._users = services.parts.users
        self._stored = StoredPassedQuestions(services.parts.database)
        self._others = others

    async def tell(self, payload: str, run_step: RunStep) -> None:
        """Show a passed question to everybody who knows; carries out `PASSED`."""
        number = int(json.loads(payload)["number"])
        asked = await self._questions.get(number)
        if asked is None or asked.reply or not asked.question:
            return
        experts: tuple[PeerId, ...] = await run_step("experts", partial(self._find_experts, asked))
        name = await self._name(asked.person)
        title = "title" if self._services.clock() - asked.asked_at < REMINDED_AFTER else "again"
        sign = "button-reply-nameless" if self._questions.are_named else "button-reply-named"
        for place_number, expert in enumerate(experts):
            place = Place(expert, "group" if is_group(expert) else "private")
            language = await self._language(expert, asked)
            parts = draw(_told(asked, name, language, title))
            keys = keyboard(((Key(TEXTS.text(sign, language), f"{SIGN}:{number}"),),))
            first = 1 + place_number * _BETWEEN
            try:
                posted = await post(
                    run_step, self._services.delivery, place, parts, first=first, keyboard=keys
                )
            except (ChatGoneError, DeliveryError) as exc:
                # Somebody who has never written to the bot cannot be written to.
                _log.warning("somebody who knows could not be asked", expert=expert, reason=str(exc))
                continue
            for offset, one in enumerate(posted):
                noting = partial(self._stored.add_message, number, one.chat_id, one.message_id)
                await run_step(f"passed {first + offset}", noting)

    async def bring(self, payload: str, run_step: RunStep) -> None:
        """Bring a reply to whoever asked, into the chat where that was; carries out `REPLIED`."""
        number = int(json.loads(payload)["number"])
        await run_step("brought", partial(self._questions.bring, number))
        done = await self._questions.get(number)
        if done is None or not done.reply:
            return
        if not done.run_id:
            await self._answer(done, run_step)
        await run_step("marked", partial(self._mark, done))

    async def _answer(self, done: PassedQuestion, run_step: RunStep) -> None:
        language, after = spoken_to(await self._users.get(done.person)), done.message_id or 0
        parts = draw(answers.view(await self._questions.answer(done), language))
        try:
            await post(run_step, self._services.delivery, done.place, parts, after=after, is_reply=True)
        except (ChatGoneError, DeliveryError) as exc:
            _log.info("nobody is told what a person answered", chat=done.place.chat_id, reason=str(exc))

    async def is_reply(self, asked: Asked) -> bool:
        """Return whether a message replies to a passed question."""
        return await self._find(asked) is not None

    async def __call__(self, asked: Asked, run_step: RunStep) -> None:
        """Take the reply of somebody who knows; hand on what is none."""
        sent = asked.message
        number = await run_step("passed", partial(self._find, asked)) if sent.replied else None
        if number is None:
            await self._others(asked, run_step)
            return
        language = await self._services.language_of(sent.sender)
        if sent.file is not None or sent.is_caption or not asked.text.strip():
            unheard = TEXTS.reason(asked.unheard, language) if asked.unheard else ""
            await self._say(run_step, asked, unheard or TEXTS.text("passed-empty", language))
            return
        name: str | None = await run_step("replied", partial(self._reply, number, asked))
        key = Key(TEXTS.text("button-keep-reply", language), f"{KEEP}:{number}")
        told = "passed-late" if name is None else "passed-sent"
        heard = f"{say_what_was_heard(asked.text, language)}\n" if asked.recording else ""
        text = heard + TEXTS.text(told, language, name=name or "")
        await self._say(run_step, asked, text, ((key,),) if name is not None else ())

    async def _say(self, run_step: RunStep, asked: Asked, text: str, keys: Keys = ()) -> None:
        sent = asked.message
        await post(
            run_step,
            self._services.delivery,
            sent.place,
            text_parts(text),
            after=sent.message_id,
            keyboard=keyboard(keys),
        )

    async def _find(self, asked: Asked) -> int | None:
        """Return the number of the question that a message answers, if it comes from those who know."""
        sent = asked.message
        if sent.replied is None or not sent.replied.message_id or asked.address == "command":
            return None
        if not self._questions.named:  # most replies are to answers: they need not be looked up
            return None
        found = await self._stored.shown_in(sent.place.chat_id, sent.replied.message_id)
        if found is None:
            return None
        experts = self._questions.experts(found.set_name)
        if sent.place.chat_id not in [
            await self._services.parts.chats.current_id(expert) for expert in experts
        ]:
            return None
        # Whoever may not ask is told so as for any other message.
        by = answer_job_id(self._services.me, asked)
        refusal = await self._services.parts.access.may_ask(sent.place, sent.sender, by)
        return found.number if refusal is None else None

    async def _reply(self, number: int, asked: Asked) -> str | None:
        """Bring a reply to whoever asked, and return their name; None if the question has been answered."""
        sent = asked.message
        by = answer_job_id(self._services.me, asked)
        above = sent.replied.message_id if sent.replied else 0
        shown = await self._stored.shown_in(sent.place.chat_id, above)
        is_named = shown.is_named if shown else None
        done = await self._questions.reply(number, asked.text, sent.sender.id, by, is_named=is_named)
        return None if done is None else await self._name(done.person)

    async def _mark(self, done: PassedQuestion) -> None:
        """Show the reply wherever a question was shown to those who know, so that nobody else writes one."""
        name, text = await self._name(done.person), (await self._questions.answer(done)).text
        for chat_id, message_id in await self._stored.messages(done.number):
            told = message(TEXTS.text("passed-done", await self._language(chat_id, done), name=name))
            part = draw((told, Quote((paragraph(done.question),)), Quote(markdown.parse(text))))[0]
            try:
                await self._services.delivery.edit(Place(chat_id, "private"), message_id, part)
            except (ChatGoneError, DeliveryError) as exc:
                _log.warning("somebody who knows does not see the reply", chat=chat_id, reason=str(exc))

    async def _find_experts(self, asked: PassedQuestion) -> tuple[PeerId, ...]:
        return self._questions.experts(asked.set_name, asked.person, asked.place.chat_id)

    async def _name(self, person: PeerId) -> str:
        return (await self._users.get(person)).name or "?"

    async def _language(self, expert: PeerId, asked: PassedQuestion) -> str:
        """Return the language of somebody who knows; to a group, that of the question."""
        if is_group(expert) or not keep_those_of_telegram([await self._users.get(expert)]):
            return detect(asked.question, "en")
        return spoken_to(await self._users.get(expert))


async def press_sign(context: Context, number: int) -> Told:
    """Send a message; a reply to it shows or hides the name of its writer, against the setting."""
    passed, stored = context.services.passed, StoredPassedQuestions(context.parts.database)
    shown = await stored.shown_in(context.place.chat_id, context.asked_in)
    if shown is None or shown.number != number or shown.reply or not shown.question:
        return Told(context.text("passed-late"), is_alert=True)
    name = (await context.parts.users.get(shown.person)).name or "?"
    text = context.text("passed-nameless" if passed.are_named else "passed-named", name=name)
    delivery, above = context.services.delivery, context.asked_in
    (posted,) = await post(context.run_step, delivery, context.place, text_parts(text), after=above)
    noting = partial(stored.add_message, number, posted.chat_id, posted.message_id, not passed.are_named)
    await context.do("noted", noting)
    return Told()


def _told(asked: PassedQuestion, name: str, language: str, title: str) -> Blocks:
    return (
        message(TEXTS.text(f"passed-{title}", language, name=name)),
        Quote((paragraph(asked.question),)),
        message(TEXTS.text("passed-said", language)),
        Quote(markdown.parse(asked.answer)),
        message(TEXTS.text("passed-how", language, name=name)),
    )
