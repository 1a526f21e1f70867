"""One question on its way: admitted, answered by the engine, delivered, remembered.

Everything that has an effect is a step, so that after a kill the work goes on behind the last step that is
recorded; what is decided between the steps follows from what they returned. The answer is recorded before any
of it is shown: from then on a repetition shows no progress, and giving up means to deliver that answer.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Final

import structlog

from bot.clock import utcnow
from bot.current_step import write_with_record
from bot.service.admission import Admission, Reception
from bot.service.answer_log import summarise_for_log
from bot.service.errors import ChatGoneError, StorageError
from bot.service.history import Recalled, problem, recalled, wording
from bot.service.incoming import Asked, Overheard
from bot.service.keys import PeerId
from bot.service.messenger import Messenger, Posted
from bot.service.people import Ask
from bot.service.plain_questions import is_covered_question
from bot.service.runs import Recorder
from bot.service.spending import metered
from bot.service.stores import Stores
from bot.service.voice_questions import say_what_was_heard
from bot.statistics.values import Circumstances
from bot.texts import TEXTS
from rag.errors import InputError, ModelError, OperatorError
from rag.events import Answered
from rag.runs.run import RunStep
from rag.values import Answer, Question

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

_log = structlog.get_logger(__name__)

ANSWER: Final = "answer"
"""The step whose outcome is the answer."""

STEPS = ("overhear", "admit", "recall", "placeholder", ANSWER, "remember", "fail", "give up")
"""Names of the steps, besides those of the engine and of the messenger."""


class Answering:
    """Answers questions; `abandon` stops all work for a chat, but for the work with the given id."""

    def __init__(
        self,
        engine: AnswerEngine,
        stores: Stores,
        messenger: Messenger,
        reception: Reception,
        abandon: Callable[[PeerId, str], Awaitable[None]],
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._engine = engine
        self._stores = stores
        self._messenger = messenger
        self._reception = reception
        self._abandon = abandon
        self._clock = clock

    async def __call__(self, asked: Asked, run_step: RunStep) -> None:
        """Answer a question, or say why not.

        Raises:
            DeliveryError: the channel does not take the answer.
            OperatorError: something cannot be kept.
        """
        await self._admit_and_answer(asked, run_step)

    async def overhear(self, overheard: Overheard, run_step: RunStep) -> None:
        """Answer a group message that addresses nobody if it is a question that the documents clearly cover.

        Whoever did not ask the bot gets no refusal either, and whoever corrects such a message no second
        answer. Raises as a call does.
        """
        if overheard.message.is_edit:
            return
        asked = Asked(overheard.message, overheard.message.text, "mention")
        covered = partial(self._is_covered, asked)
        step = self._counted(asked, run_step)
        if await step("overhear", covered, is_light=True):
            await self._admit_and_answer(asked, run_step, is_addressed=False)

    async def finish(
        self,
        asked: Asked,
        ask: Ask,
        answer: Answer,
        language: str,
        known: Sequence[Posted],
        run_step: RunStep,
    ) -> None:
        """Deliver an answer and remember it.

        Args:
            known: Messages of the bot that become the answer.

        Raises:
            ChatGoneError: the chat cannot be written to.
            DeliveryError: the channel does not take the answer.
            OperatorError: something cannot be kept.
        """
        is_unread = asked.message.is_caption and asked.text in asked.message.text
        note = TEXTS.text("answer-caption", language) if is_unread else ""
        if asked.recording is not None:
            note = say_what_was_heard(answer.question, language)
        await self._messenger.deliver(run_step, asked, ask, answer, language, known=known, note=note)
        # Kept with the end of the work.
        remembering = partial(self._remember, asked, ask, answer)
        await run_step("remember", partial(write_with_record, remembering), is_light=True)

    async def _is_covered(self, asked: Asked) -> bool:
        documents = await self._stores.document_sets.of_chat(asked.message.place.chat_id)
        return await is_covered_question(asked.text, partial(self._engine.covers, documents=documents))

    async def _admit_and_answer(self, asked: Asked, run_step: RunStep, *, is_addressed: bool = True) -> None:
        admission: Admission | None = None
        try:
            admission = await run_step("admit", partial(self._reception.begin, asked), is_light=True)
            if admission is None:
                return
            if admission.ask is not None:
                await self._carry_out(asked, admission.ask, admission, run_step)
            elif is_addressed:
                message = asked.message
                await self._messenger.say(
                    run_step,
                    message.place,
                    admission.refusal,
                    reply_to=message.message_id,
                    known=admission.known,
                )
        except ChatGoneError:
            await run_step("give up", partial(self._give_up, asked, admission.ask if admission else None))

    async def _carry_out(self, asked: Asked, ask: Ask, admission: Admission, run_step: RunStep) -> None:
        place, language = asked.message.place, admission.language
        if asked.unheard is not None:
            await self._fail(
                asked, ask, TEXTS.reason(asked.unheard, language), language, admission.known, run_step
            )
            return
        before: Recalled = await run_step("recall", partial(self._recall, asked), is_light=True)
        opening = partial(
            self._messenger.open,
            place,
            ask,
            language,
            known=admission.known,
        )
        # Light: a second time it is found and stays, and from the draft on it is on record.
        opened: Posted | None = await run_step("placeholder", opening, is_light=True)
        known = () if opened is None else (opened, *admission.known[1:])
        question = Question(
            before.question or wording(asked),
            before.history,
            before.summary,
            mode=admission.mode,
            quote_only=admission.is_quoted,
            # Not recorded: work that goes on after a kill obeys what was decided meanwhile.
            documents=await self._stores.document_sets.of_chat(place.chat_id),
            model=admission.model,
            documents_only=admission.documents_only,
            spoken=asked.message.sender.language,
        )
        run = await self._recorder(asked, ask)
        try:
            answer = await self._answer(question, asked, ask, language, opened, run, run_step)
        except InputError as exc:
            run.end("error", {"code": exc.reason.code})
            if exc.reason.code == "council-no-seats":
                # The settings have changed since the question was admitted.
                notice = TEXTS.text("council-no-members", language)
            else:
                notice = problem(question.text, self._engine.question_characters).text(language)
        except ModelError as exc:
            # A single model that fails is no error: the answer says so. Here no member answered.
            _log.warning("no member of the council answered", ask=ask.id, reason=str(exc))
            run.end("error", {"code": exc.reason.code})
            notice = TEXTS.text("council-no-answer", language)
        except StorageError:
            raise
        except OperatorError as exc:
            _log.exception("a question could not be answered", ask=ask.id, reason=str(exc))
            run.end("error", {"code": exc.reason.code})
            notice = TEXTS.text("answer-failed", language)
        else:
            await self.finish(asked, ask, answer, language, known, run_step)
            return
        await self._fail(asked, ask, notice, language, known, run_step)

    async def _fail(
        self,
        asked: Asked,
        ask: Ask,
        notice: str,
        language: str,
        known: Sequence[Posted],
        run_step: RunStep,
    ) -> None:
        await self._messenger.deliver(run_step, asked, ask, notice, language, known=known)
        await run_step("fail", partial(self._stores.asks.set_state, ask.id, "failed"))

    async def _recorder(self, asked: Asked, ask: Ask) -> Recorder:
        person, conversation_id = asked.message.sender.id, await self._conversation(asked)
        return self._stores.runs.recorder(ask.workflow_id, asked.work, person, conversation_id)

    def _counted(self, asked: Asked, run_step: RunStep) -> RunStep:
        message = asked.message
        return metered(run_step, self._stores.spent, chat_id=message.place.chat_id, user_id=message.sender.id)

    async def _recall(self, asked: Asked) -> Recalled:
        return await recalled(asked, await self._conversation(asked), self._stores.memory, self._stores.asks)

    async def _answer(
        self,
        question: Question,
        asked: Asked,
        ask: Ask,
        language: str,
        opened: Posted | None,
        run: Recorder,
        run_step: RunStep,
    ) -> Answer:
        found: Answer | None = None
        counted = self._counted(asked, run_step)
        async with self._messenger.show(asked.message.place, ask, language, opened) as progress:
            # A chat that has used up its day gets passages, and for these nobody need confer.
            is_council = asked.work == "council" and not question.quote_only
            answering = self._engine.council if is_council else self._engine.stream
            async for event in answering(question, run_step=progress.watching(counted)):
                progress.feed(event)
                run.feed(event)
                if isinstance(event, Answered):
                    found = event.answer

        async def kept() -> Answer | None:
            return found

        # Its times are measured, not recorded: told again after a kill they would be others.
        answer: Answer = await run_step(ANSWER, kept)
        if answer.failure is not None:
            _log.warning("a model failed", ask=ask.id, reason=str(answer.failure.reason))
        _log.info("a question was answered", ask=ask.id, **summarise_for_log(answer))
        return answer

    async def _remember(self, asked: Asked, ask: Ask, answer: Answer) -> None:
        stores, message = self._stores, asked.message
        conversation_id = await self._conversation(asked)
        seconds = max((self._clock() - message.sent_at).total_seconds(), 0.0)
        circumstances = Circumstances(
            self._messenger.channel, conversation_id, message.sender.id, seconds, ask.workflow_id
        )

        await stores.memory.remember(
            conversation_id,
            # The job that ends an answer given up does not listen to the recording again.
            wording(asked) or answer.question,
            answer,
            author="" if message.place.kind == "private" else message.sender.name,
            user_key=message.sender.id,
            exchange=ask.exchange,
            replaces=ask.exchanges,
        )
        await stores.answers.record(answer, circumstances)
        await stores.asks.set_answered(ask.id, ask.workflow_id)
        # In the same transaction: who watches finds the answer when told of the end, and is told of it.
        run = await self._recorder(asked, ask)
        run.end("complete", {"label": answer.label, "exchange": ask.exchange})

    async def _conversation(self, asked: Asked) -> str:
        place = asked.message.place
        return replace(place, chat_id=await self._stores.chats.current_id(place.chat_id)).conversation_id

    async def _give_up(self, asked: Asked, ask: Ask | None) -> None:
        """End this work and all other work for a chat where nobody can be told anything."""
        if ask is not None:
            await self._stores.asks.set_state(ask.id, "stopped")
            await self._stores.runs.end(ask.workflow_id, "cancelled")
        await self._abandon(asked.message.place.chat_id, ask.workflow_id if ask else "")
