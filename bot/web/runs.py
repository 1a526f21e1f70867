"""Runs started in the console or over HTTP: admitted, carried out as durable jobs, and watched.

A run has no placeholder and no delivery: clients follow the events of the run (`bot.service.runs`), and the
answer is stored in the conversation like any other. Access and limits are those of the person's private chat
with the bot.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable
from dataclasses import asdict, dataclass
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING, Any, Final, Literal, Protocol

import structlog

from bot.clock import utcnow
from bot.conversations.memory import ConversationMemory
from bot.current_step import write_with_record
from bot.service import keys
from bot.service.admission import Access, Limits
from bot.service.answer_log import summarise_for_log
from bot.service.councils import Councils
from bot.service.errors import StorageError
from bot.service.history import Recalled, problem, remembered
from bot.service.incoming import Place, Sender
from bot.service.keys import PeerId
from bot.service.passed_questions import PassedQuestions
from bot.service.people import Refusal
from bot.service.runs import Recorder, Run, Runs
from bot.service.spending import Spent, metered
from bot.service.stores import Answers, Chats, DocumentSets, Users
from bot.statistics.values import Circumstances
from rag.engine import accepted
from rag.errors import InputError, ThinkTwiceError
from rag.events import Answered, StepFinished, Text
from rag.runs.run import RunStep
from rag.values import Answer, Mode, Question, Speaker, Turn

if TYPE_CHECKING:
    from rag.engine import AnswerEngine

_log = structlog.get_logger(__name__)

RUN: Final = "run"
"""The kind of a job that carries out a run; its payload is an `Order` as JSON."""

PERSON: Final = "person"
"""The kind of a job that passes a question on to the people who know, whose reply ends its run; its payload
is JSON: the id of the `run`, the `exchange`, the `person` and the `conversation`."""

ANSWER: Final = "answer"
STEPS: Final = ("admit", "recall", ANSWER, "remember", "pass", "bring")
"""Names of the steps, besides those of the engine."""

Action = Literal["answer", "council"]

DRAFT: Final = "first_draft"
"""Name of the event that holds the first draft, so that it can be compared with the answer."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order for a run.

    Args:
        mode: How thoroughly to check; None: the mode of the chat or of the settings.
        at: When the run was ordered, in ISO 8601.
        documents_only: Whether documents alone may answer; None: as the chat or the settings say.
        history: What was said before, by role, where the program that asks remembers it itself.
    """

    run_id: str
    action: Action
    user_id: PeerId
    name: str
    conversation_id: str
    question: str
    mode: Mode | None
    at: str
    documents_only: bool | None = None
    history: tuple[tuple[Speaker, str], ...] = ()

    @property
    def sender(self) -> Sender:
        """Return the person who asks, as a sender for access and limits."""
        return Sender(self.user_id, "person", self.name)

    @property
    def place(self) -> Place:
        """Return the person's private chat with the bot, whose access and limits apply."""
        return Place(self.user_id, "private", title=self.name)


@dataclass(frozen=True, slots=True)
class Taken:
    """An ordered run; `is_new` is False when the same key had ordered it before."""

    run_id: str
    is_new: bool


class Work(Protocol):
    """Records and cancels the jobs of runs. Methods raise `StorageError`."""

    async def submit(self, run_id: str, payload: str, lane: str, person: str) -> bool:
        """Record the job of a run; return whether it is new."""
        ...

    async def cancel(self, run_id: str) -> bool:
        """Cancel the job of a run for good; return whether it was still waiting or running."""
        ...


class Ordered(Protocol):
    """Counts the runs of a person. Methods raise `StorageError`."""

    async def at_work(self, person: str) -> int:
        """Return the number of a person's runs that have not ended."""
        ...


@dataclass(frozen=True, slots=True)
class Kept:
    """The repositories that a run reads and writes."""

    memory: ConversationMemory
    answers: Answers
    spent: Spent
    document_sets: DocumentSets
    runs: Runs
    ordered: Ordered
    users: Users
    chats: Chats
    passed: PassedQuestions


class WebRuns:
    """Admits runs and carries them out. Methods raise `StorageError` where the store cannot be used.

    Args:
        waiting: Records and cancels the jobs of questions that are passed on to people.
    """

    def __init__(
        self,
        engine: AnswerEngine,
        kept: Kept,
        access: Access,
        limits: Limits,
        councils: Councils,
        work: Work,
        waiting: Work,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._engine = engine
        self._kept = kept
        self._access = access
        self._limits = limits
        self._councils = councils
        self._work = work
        self._waiting = waiting
        self._clock = clock

    async def start(
        self,
        user_id: PeerId,
        question: str,
        *,
        action: Action = "answer",
        key: str,
        conversation: int | None = None,
        mode: Mode | None = None,
        documents_only: bool | None = None,
        history: tuple[tuple[Speaker, str], ...] = (),
    ) -> Taken | Refusal:
        """Record a run that answers a question; once this returns, a kill cannot lose the run.

        Args:
            key: Idempotency key; a repeated order with the same key returns the first run.
            conversation: Number of the person's conversation that the question belongs to; None: a new one.
            mode: How thoroughly to check; None: the mode of the chat or of the settings.
            documents_only: Whether documents alone may answer; None: as the chat or the settings say.
            history: What was said before, by role, oldest first, if the order brings it itself.
        """
        run_id = keys.web_run(user_id, keys.shorten(key))
        if await self._kept.runs.get(run_id) is not None:
            return Taken(run_id, is_new=False)
        now = self._clock()
        number = round(now.timestamp() * 1000) if conversation is None else conversation
        person = await self._kept.users.get(user_id)
        order = Order(
            run_id,
            action,
            user_id,
            person.name,
            keys.web_conversation_key(user_id, number),
            question,
            mode,
            now.isoformat(),
            documents_only,
            history,
        )
        if refusal := await self._refusal(order):
            return refusal
        is_new = await self._work.submit(
            run_id, json.dumps(asdict(order)), order.conversation_id, order.sender.id
        )
        # So that a client that has the id finds the run at once; the job writes the same event once more.
        _accept(self._recorder(order), order)
        await self._kept.runs.flush()
        return Taken(run_id, is_new)

    @property
    def passed(self) -> PassedQuestions:
        """Return what passes questions on to the people who know."""
        return self._kept.passed

    async def ask_person(self, run: Run, exchange: str) -> Taken | None:
        """Pass the question of a run on, whose answer (its key is `exchange`) did not help.

        Returns:
            A run that ends with the reply of a person; None where nobody is named who knows, or needed.
        """
        answer = await self._kept.memory.load_answer(exchange)
        person = keys.read_peer(run.person)
        if answer is None or not await self._kept.passed.is_offered(person, answer):
            return None
        run_id = f"{run.id}:{PERSON}"
        payload = {
            "run": run_id,
            "exchange": exchange,
            "person": person,
            "conversation": run.conversation_id,
        }
        is_new = await self._waiting.submit(run_id, json.dumps(payload), "", person)
        self._kept.runs.recorder(run_id, PERSON, person, run.conversation_id).record(
            "accepted", "accepted", {"type": "accepted", "action": PERSON, "question": answer.question}
        )
        await self._kept.runs.flush()
        return Taken(run_id, is_new)

    async def pass_on(self, payload: str, run_step: RunStep) -> None:
        """Pass a question on to the people who know; carries out `PERSON`."""
        told = json.loads(payload)
        person = keys.read_peer(told["person"])
        passing = partial(
            self._kept.passed.pass_on,
            told["exchange"],
            person,
            Place(person, "private"),
            told["conversation"],
            run_id=told["run"],
        )
        outcome = await run_step("pass", passing)
        if outcome in {"gone", "nobody"}:
            await self._kept.runs.end(told["run"], "cancelled")
            await self._kept.runs.flush()

    async def bring_reply(self, payload: str, run_step: RunStep) -> None:
        """End the run that waits for the reply of a person; carries out `REPLIED` where there is no chat."""
        await run_step("bring", partial(self._kept.passed.bring, int(json.loads(payload)["number"])))

    async def cancel(self, run_id: str) -> bool:
        """Cancel a run for good; return whether it was still waiting or running."""
        is_stopped = await self._work.cancel(run_id)
        await self._kept.passed.withdraw(run_id)
        await self._kept.runs.end(run_id, "cancelled")
        await self._kept.runs.flush()
        return is_stopped

    async def carry_out(self, payload: str, run_step: RunStep) -> None:
        """Carry out a run; `payload` is its order as JSON."""
        order = _read_order(payload)
        run = self._recorder(order)
        _accept(run, order)
        try:
            answer = await self._answer(order, run, run_step)
        except StorageError:
            raise
        except ThinkTwiceError as exc:
            if not isinstance(exc, InputError):
                _log.warning("a run failed", run=order.run_id, reason=str(exc))
            run.end("error", exc.reason.to_json())
        else:
            if answer is None:
                run.end("error", {"code": "refused", "values": {}})
            else:
                remembering = partial(self._remember, order, answer, run)
                await run_step("remember", partial(write_with_record, remembering), is_light=True)

    async def give_up(self, payload: str) -> None:
        """End the run of a job that was given up; `payload` describes that job as JSON."""
        failed: dict[str, Any] = json.loads(payload)
        await self._kept.runs.end(str(failed["id"]).removesuffix(":anew"), "error", failed["reason"])
        await self._kept.runs.flush()

    async def _refusal(self, order: Order) -> Refusal | None:
        try:
            accepted(order.question, self._engine.question_characters)
        except InputError:
            notice = problem(order.question, self._engine.question_characters)
            return Refusal(
                "question-empty" if not order.question.strip() else notice.message_id,
                {name: value for name, value in notice.values.items() if not isinstance(value, float)},
            )
        if refusal := await self._access.may_ask(order.place, order.sender, order.run_id):
            return refusal
        waiting = await self._kept.ordered.at_work(order.sender.id)
        refusal = await self._limits.check(order.place, order.sender, order.run_id, waiting)
        if refusal is None and order.action == "council":
            refusal = await self._councils.check(order.place, order.sender, order.run_id)
        return refusal

    def _recorder(self, order: Order) -> Recorder:
        return self._kept.runs.recorder(order.run_id, order.action, order.sender.id, order.conversation_id)

    async def _answer(self, order: Order, run: Recorder, run_step: RunStep) -> Answer | None:
        """Run the engine and record its events; return the answer, or None if the person may not ask."""
        kept = self._kept

        async def admit() -> tuple[bool, bool, Mode | None, str, bool | None]:
            """Return whether the question is answered, whether by quoting only, and what the chat chose."""
            may = await self._access.role(order.sender, order.place) != "none"
            is_quoted = await self._limits.is_quoted(order.place, order.sender, order.run_id)
            chat = await kept.chats.get(order.user_id)
            only = chat.documents_only if order.documents_only is None else order.documents_only
            return may, is_quoted, order.mode or chat.mode, chat.model, only

        may, is_quoted, mode, model, documents_only = await run_step("admit", admit, is_light=True)
        if not may:
            return None
        said: Recalled = await run_step(
            "recall", partial(remembered, order.conversation_id, kept.memory), is_light=True
        )
        question = Question(
            order.question,
            tuple(Turn(role, text) for role, text in order.history) or said.history,
            said.summary,
            mode=mode,
            quote_only=is_quoted,
            documents=await kept.document_sets.of_chat(order.user_id),
            model=model,
            documents_only=documents_only,
            spoken=(await kept.users.get(order.user_id)).client_language,
        )
        counted = metered(run_step, kept.spent, chat_id=order.user_id, user_id=order.user_id)
        found: Answer | None = None
        drafts: defaultdict[int, str] = defaultdict(str)
        # A person whose daily budget is used up gets passages, for which no council is needed.
        is_council = order.action == "council" and not is_quoted
        answering = self._engine.council if is_council else self._engine.stream
        async for event in answering(question, run_step=counted):
            run.feed(event)
            match event:
                case Text("draft", piece, number):
                    drafts[number] += piece
                case StepFinished(trace, number) if trace.step == "draft" and drafts[number]:
                    run.record(DRAFT, f"{DRAFT}:{number}", {"type": DRAFT, "text": drafts[number]})
                case Answered(answer):
                    found = answer

        async def return_found() -> Answer | None:
            return found

        # The times of events are measured, not recorded: replayed after a kill they would differ.
        recorded: Answer = await run_step(ANSWER, return_found)
        _log.info("a question was answered", run=order.run_id, **summarise_for_log(recorded))
        return recorded

    async def _remember(self, order: Order, answer: Answer, run: Recorder) -> None:
        kept, key = self._kept, order.sender.id
        seconds = max((self._clock() - datetime.fromisoformat(order.at)).total_seconds(), 0.0)
        circumstances = Circumstances("web", order.conversation_id, key, seconds, order.run_id)
        await kept.memory.remember(
            order.conversation_id, order.question, answer, user_key=key, exchange=order.run_id
        )
        await kept.answers.record(answer, circumstances)
        # In the same transaction: who watches finds the answer when told of the end, and is told of it.
        run.end("complete", {"label": answer.label, "exchange": order.run_id})


def _accept(run: Recorder, order: Order) -> None:
    run.record(
        "accepted",
        "accepted",
        {"type": "accepted", "action": order.action, "question": order.question, "mode": order.mode},
    )


def _read_order(payload: str) -> Order:
    """Return an order from its JSON; those of earlier versions hold Telegram's number of the person."""
    content = json.loads(payload)
    history = tuple((role, text) for role, text in content.get("history", ()))
    return Order(**{**content, "user_id": keys.read_peer(content["user_id"]), "history": history})
