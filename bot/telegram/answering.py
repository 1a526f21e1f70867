"""One question on its way: admitted, answered by the engine, delivered message by message, remembered.

Everything that has an effect is a step, so that after a kill the work goes on behind the last one that is
recorded; what is decided between the steps follows from what they returned.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Collection
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import Protocol

import structlog

from bot.clock import utcnow
from bot.service.history import Recalled, problem, recalled, wording
from bot.service.incoming import Asked, Overheard
from bot.service.people import Ask
from bot.service.plain_questions import is_covered_question
from bot.statistics.values import Asked as Circumstances
from bot.storage.database import StorageError
from bot.telegram.buttons.keyboard import exchange, exchanges, under_answer, under_placeholder
from bot.telegram.outbound.live_progress import Display, Pace, waiting
from bot.telegram.outbound.messages import Posted, Posting
from bot.telegram.outbound.retries import ChatGoneError
from bot.telegram.outbound.sender import Delivery
from bot.telegram.ports import Stores
from bot.telegram.reception import Admission, Reception
from bot.telegram.rendering import answer_parts, text_parts
from bot.texts import TEXTS
from rag.errors import InputError, OperatorError
from rag.events import Answered, Event
from rag.loop.run import RunStep, Tools
from rag.values import Answer, Question

_log = structlog.get_logger(__name__)

STEPS = (
    "overhear",
    "admit",
    "refuse",
    "recall",
    "placeholder",
    "answer",
    "remember",
    "fail",
    "give up",
)
"""Names of the steps, besides those of the engine and of posting."""


class Engine(Protocol):
    """What answers questions."""

    @property
    def tools(self) -> Tools:
        """What its steps work with."""
        ...

    def stream(self, question: Question, *, run_step: RunStep | None = None) -> AsyncIterator[Event]:
        """Answer a question; the last event holds the answer."""
        ...


class Answering:
    """Answers questions from Telegram.

    Args:
        engine: Answers.
        stores: Everything that is kept.
        delivery: The way out.
        reception: Takes questions in.
        abandon: Stops all work for a chat, but for the work with this id.
        link_hosts: Hosts whose addresses a reader may tap in an answer.
        pace: How often progress is shown.
        clock: Tells the time.
    """

    def __init__(
        self,
        engine: Engine,
        stores: Stores,
        delivery: Delivery,
        reception: Reception,
        abandon: Callable[[int, str], Awaitable[None]],
        *,
        link_hosts: Collection[str] = (),
        pace: Pace | None = None,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._engine = engine
        self._stores = stores
        self._delivery = delivery
        self._posting = Posting(delivery, stores.asks)
        self._reception = reception
        self._abandon = abandon
        self._link_hosts = link_hosts
        self._pace = pace
        self._clock = clock

    async def __call__(self, asked: Asked, run_step: RunStep) -> None:
        """Answer a question, or say why not.

        Raises:
            DeliveryError: Telegram does not take the answer.
            OperatorError: something cannot be kept.
        """
        await self._begin(asked, run_step)

    async def overhear(self, overheard: Overheard, run_step: RunStep) -> None:
        """Answer a group message that addresses nobody if it is a question that the documents clearly cover.

        Whoever did not ask the bot gets no refusal either, and whoever corrects such a message no second
        answer. Raises as a call does.
        """
        if overheard.message.is_edit:
            return
        asked = Asked(overheard.message, overheard.message.text, "mention")
        if await run_step("overhear", partial(is_covered_question, asked.text, self._engine.tools)):
            await self._begin(asked, run_step, is_addressed=False)

    async def _begin(self, asked: Asked, run_step: RunStep, *, is_addressed: bool = True) -> None:
        admission: Admission | None = None
        try:
            admission = await run_step("admit", partial(self._reception.receive, asked))
            if admission is None:
                return
            if admission.ask is not None:
                await self._carry_out(asked, admission.ask, admission, run_step)
            elif is_addressed:
                await run_step("refuse", partial(self._reception.refuse, asked, admission))
        except ChatGoneError:
            await run_step("give up", partial(self._give_up, asked, admission.ask if admission else None))

    async def _carry_out(self, asked: Asked, ask: Ask, admission: Admission, run_step: RunStep) -> None:
        language = admission.language
        before: Recalled = await run_step("recall", partial(self._recall, asked))
        opening = partial(
            self._posting.open,
            asked,
            ask,
            admission.known,
            waiting(language),
            under_placeholder(ask.id, language),
        )
        opened: Posted | None = await run_step("placeholder", opening)
        deliver = partial(
            self._posting.deliver,
            run_step,
            asked,
            ask,
            known=() if opened is None else (opened, *admission.known[1:]),
        )
        question = Question(
            wording(asked),
            before.history,
            before.summary,
            mode=admission.mode,
            is_quoted=admission.is_quoted,
        )
        try:
            answer = await self._answered(question, asked, ask, language, opened, run_step)
        except InputError:
            notice = problem(question.text, self._engine.tools.budget.question_characters).text(language)
        except StorageError:
            raise
        except OperatorError as exc:
            _log.exception("a question could not be answered", ask=ask.id, reason=str(exc))
            notice = TEXTS.text("answer-failed", language)
        else:
            is_unread = asked.message.is_caption and asked.text in asked.message.text
            note = TEXTS.text("answer-caption", language) if is_unread else ""
            parts = answer_parts(answer, language, note=note, allowed_hosts=self._link_hosts)
            await deliver(parts, keyboard=under_answer(ask.id, language))
            await run_step("remember", partial(self._remember, asked, ask, question, answer))
            return
        await deliver(text_parts(notice))
        await run_step("fail", partial(self._stores.asks.set_state, ask.id, "failed"))

    async def _recall(self, asked: Asked) -> Recalled:
        return await recalled(asked, await self._conversation(asked), self._stores.memory, self._stores.asks)

    async def _answered(
        self,
        question: Question,
        asked: Asked,
        ask: Ask,
        language: str,
        opened: Posted | None,
        run_step: RunStep,
    ) -> Answer:
        """Let the engine work and show what it does."""
        place = asked.message.place
        display = Display(
            self._delivery,
            opened.of(place) if opened else place,
            language,
            message_id=opened.message_id if opened else None,
            draft_id=ask.id,
            buttons=under_placeholder(ask.id, language),
            pace=self._pace,
        )
        found: Answer | None = None
        async with display:
            async for event in self._engine.stream(question, run_step=display.watching(run_step)):
                display.feed(event)
                if isinstance(event, Answered):
                    found = event.answer

        async def kept() -> Answer | None:
            # From now on the message may hold the answer, also when the end of the work is an apology.
            await self._stores.asks.end_placeholder(ask.id)
            return found

        # Its times are measured, not recorded: told again after a kill they would be others.
        answer: Answer = await run_step("answer", kept)
        if answer.failure is not None:
            _log.warning("a model failed", ask=ask.id, reason=answer.failure.message)
        return answer

    async def _remember(self, asked: Asked, ask: Ask, question: Question, answer: Answer) -> None:
        stores, message = self._stores, asked.message
        conversation_id = await self._conversation(asked)
        await stores.memory.remember(
            conversation_id,
            question.text,
            answer,
            author="" if message.place.kind == "private" else message.sender.name,
            user_key=message.sender.key,
            exchange=exchange(ask),
            replaces=exchanges(ask),
        )
        seconds = max((self._clock() - message.sent_at).total_seconds(), 0.0)
        await stores.answers.record(
            answer, Circumstances("telegram", conversation_id, message.sender.key, seconds, ask.workflow_id)
        )
        await stores.asks.set_answered(ask.id, ask.workflow_id)

    async def _conversation(self, asked: Asked) -> str:
        place = asked.message.place
        return replace(place, chat_id=await self._stores.chats.current_id(place.chat_id)).conversation_id

    async def _give_up(self, asked: Asked, ask: Ask | None) -> None:
        """Nobody can be told anything there: end this work and all other work for the chat."""
        if ask is not None:
            await self._stores.asks.set_state(ask.id, "stopped")
        await self._abandon(asked.message.place.chat_id, ask.workflow_id if ask else "")
