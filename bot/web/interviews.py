"""Interviews in the console or over HTTP.

They belong to a conversation of their own: an interview that was begun in a chat is not found here, because
its chat shows its state. Access and limits are those of the person's private chat with the bot.

Whatever changes an interview is a durable job, in the lane of that interview. The request that ordered the
job waits for its end; when the process is killed, the job goes on after the restart, and the same request
under the same idempotency key waits for it again.
"""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import asdict, dataclass
from functools import partial
from typing import Any, Final, Literal, Protocol

import structlog

from bot.service import keys
from bot.service.admission import Access, Limits
from bot.service.errors import StorageError
from bot.service.incoming import Place, Sender
from bot.service.interview_deletion import InterviewDeletion
from bot.service.interview_ports import (
    InterviewBusyError,
    InterviewLimitError,
    InterviewOverError,
    InterviewUnknownError,
    StepsOffError,
)
from bot.service.interview_values import Party, View
from bot.service.interviews import Interviews
from bot.service.keys import PeerId
from bot.service.people import Refusal
from bot.service.runs import ENDS, Recorder, RunEvent, Runs
from bot.service.spending import Spent, metered
from bot.web.runs import Work
from rag.errors import InputError, OperatorError, ThinkTwiceError
from rag.interview.documents import StepName
from rag.interview.papers import Paper
from rag.interview.workflow import WrongQuestionError, accept_message
from rag.reasons import Reason, from_json
from rag.runs.work import RunStep

_log = structlog.get_logger(__name__)

INTERVIEW: Final = "interview"
"""The kind of a job that changes an interview; its payload is an `Order` as JSON."""

STEPS: Final = ("admit", "interview close")
"""Names of the steps, besides those of the interviews and of the engine."""

Action = Literal["begin", "say", "step", "undo", "finish", "correct", "word"]

_ERRORS: Final = {
    kind.__name__: kind
    for kind in (
        InterviewBusyError,
        InterviewLimitError,
        InterviewOverError,
        InterviewUnknownError,
        StepsOffError,
        WrongQuestionError,
        InputError,
    )
}
"""The errors that the end of a run names; any other one is an `OperatorError` to the person who waits."""

_REFUSAL: Final = "Refusal"
"""What the end of a run names when the person may not write any more."""


@dataclass(frozen=True, slots=True)
class Order:
    """The order for a change of an interview.

    Args:
        run_id: Id of the run and of its job.
        key: The key of the change in the log of the interview.
        pack: Name of the mission pack, for an interview that begins.
        message: What was said; empty if nothing was.
        answer_to: The question that the message answers; None: the one that is open.
        step: The step that is carried out by itself; None for any other action.
        path: The pointer of the fact whose answer `message` corrects.
    """

    run_id: str
    action: Action
    user_id: PeerId
    name: str
    session_id: str
    key: str
    pack: str = ""
    message: str = ""
    answer_to: str | None = None
    step: StepName | None = None
    path: str = ""

    @property
    def sender(self) -> Sender:
        """Return the person, as a sender for access and limits."""
        return Sender(self.user_id, "person", self.name)

    @property
    def place(self) -> Place:
        """Return the person's private chat with the bot, whose access and limits apply."""
        return Place(self.user_id, "private", title=self.name)

    @property
    def party(self) -> Party:
        """Return who is interviewed, and where."""
        return _party(self.sender)

    @property
    def lane(self) -> str:
        """Return the lane of the job, which is the conversation of the run as well."""
        return keys.interview_runs_key(self.party.conversation_id, self.session_id)


class AtWork(Protocol):
    """Finds runs that have not ended. Methods raise `StorageError`."""

    async def accepted_in(self, conversation_id: str) -> tuple[RunEvent, ...]:
        """Return the first events of the runs of a conversation that have not ended, oldest first."""
        ...


class WebInterviews:
    """Holds interviews with people who use the console or HTTP.

    Methods raise what those of `Interviews` raise; a `Refusal` says why the person may not write now. A
    repeated call with the same `key` changes nothing, and returns the first result.
    """

    def __init__(
        self,
        interviews: Interviews,
        access: Access,
        limits: Limits,
        spent: Spent,
        runs: Runs,
        at_work: AtWork,
        work: Work,
        deletion: InterviewDeletion,
    ) -> None:
        self._interviews = interviews
        self._access = access
        self._limits = limits
        self._spent = spent
        self._runs = runs
        self._at_work = at_work
        self._work = work
        self._deletion = deletion
        self.packs = interviews.packs

    async def create(self, sender: Sender, pack: str, message: str | None, *, key: str) -> View | Refusal:
        """Begin an interview; without a message it begins with the pack's first question."""
        self.packs.find(pack)
        if message is not None:
            accept_message(message)
        session_id = self._interviews.id_of(_party(sender), keys.web_idempotency_key(key))
        return await self._change(sender, "begin", session_id, key, pack=pack, message=message or "")

    async def get(self, sender: Sender, session_id: str) -> View:
        """Return the present state of an interview."""
        view = await self._interviews.get(_party(sender), session_id)
        if view.session.conversation_id != _party(sender).conversation_id:
            raise InterviewUnknownError(Reason("interview-unknown"))
        return view

    async def current(self, sender: Sender) -> View | None:
        """Return the open interview that was continued last, or None."""
        return await self._interviews.current(_party(sender))

    async def list_all(self, sender: Sender) -> tuple[View, ...]:
        """Return the interviews of a person, the one that was continued last first."""
        return await self._interviews.list_all(_party(sender))

    async def delete(self, sender: Sender, session_id: str) -> None:
        """Delete an interview with everything that is kept of it, also what is at work."""
        view = await self.get(sender, session_id)
        party = _party(sender)
        jobs = await self._deletion.list_jobs(party)
        await self._deletion.delete(
            party, view.session.id, [job for job, text in jobs.items() if session_id in text]
        )

    async def list_at_work(self, sender: Sender, session_id: str) -> tuple[str, ...]:
        """Return what was said in changes that have not ended; one that is no message has an empty text."""
        runs = keys.interview_runs_key(_party(sender).conversation_id, session_id)
        events = await self._at_work.accepted_in(runs)
        return tuple(str(event.data["question"]) for event in events)

    async def post(
        self, sender: Sender, session_id: str, message: str, *, answer_to: str | None, key: str
    ) -> View | Refusal:
        """Add a message as the interview's next turn."""
        await self.get(sender, session_id)
        accept_message(message)
        return await self._change(sender, "say", session_id, key, message=message, answer_to=answer_to)

    async def step(self, sender: Sender, session_id: str, step: StepName, *, key: str) -> View | Refusal:
        """Carry out a single step, for debugging."""
        await self.get(sender, session_id)
        return await self._change(sender, "step", session_id, key, step=step)

    async def undo(self, sender: Sender, session_id: str, *, key: str) -> View | Refusal:
        """Undo the last turn."""
        await self.get(sender, session_id)
        return await self._change(sender, "undo", session_id, key)

    async def finish(self, sender: Sender, session_id: str, *, key: str) -> View | Refusal:
        """End an interview if its gate finds it complete."""
        await self.get(sender, session_id)
        return await self._change(sender, "finish", session_id, key)

    async def correct(
        self, sender: Sender, session_id: str, path: str, answer: str, *, key: str
    ) -> View | Refusal:
        """Take an answer that is written anew where it stands."""
        await self.get(sender, session_id)
        accept_message(answer)
        return await self._change(sender, "correct", session_id, key, message=answer, path=path)

    async def word(self, sender: Sender, session_id: str, *, key: str) -> View | Refusal:
        """Have a model word the clauses of the document that nobody has worded yet."""
        await self.get(sender, session_id)
        return await self._change(sender, "word", session_id, key)

    def draw_up(self, view: View) -> Paper:
        """Return the document of an interview as it stands; raise `InputError` if its pack has none."""
        paper = self._interviews.draw_up(view)
        if paper is None:
            raise InputError(Reason("interview-no-document"))
        return paper

    async def carry_out(self, payload: str, run_step: RunStep) -> None:
        """Carry out a job; `payload` is its order as JSON.

        Raises:
            StorageError: the store cannot be used.
        """
        content = json.loads(payload)
        order = Order(**{**content, "user_id": keys.read_peer(content["user_id"])})
        run = self._recorder(order)
        _accept(run, order)
        try:
            admit = partial(self._access.may_ask, order.place, order.sender, order.run_id)
            refusal: Refusal | None = await run_step("admit", admit, is_light=True)
            if refusal is None:
                spent = self._spent
                counted = metered(run_step, spent, chat_id=order.user_id, user_id=order.user_id)
                await self._carry_out(order, counted)
        except StorageError:
            raise
        except ThinkTwiceError as exc:
            if not isinstance(exc, InputError):
                _log.warning("a change of an interview failed", run=order.run_id, reason=str(exc))
            run.end("error", {**exc.reason.to_json(), "error": _name(exc)})
        else:
            if refusal is None:
                run.end("complete", {})
            else:
                values = dict(refusal.values)
                run.end("error", {"code": refusal.message_id, "values": values, "error": _REFUSAL})
        # Before the job ends: whoever waits must not wait for an end that a kill has prevented.
        await self._runs.flush()

    async def _carry_out(self, order: Order, run_step: RunStep) -> None:
        interviews, party, session_id, key = self._interviews, order.party, order.session_id, order.key
        match order.action:
            case "begin":
                await interviews.create(
                    party, order.pack, initial_message=order.message, key=key, run_step=run_step
                )
            case "say":
                await interviews.post(
                    party, session_id, order.message, answer_to=order.answer_to, key=key, run_step=run_step
                )
            case "step":
                assert order.step is not None  # the request named one
                await interviews.step(party, session_id, order.step, key=key, run_step=run_step)
            case "correct":
                await interviews.correct(
                    party, session_id, order.path, order.message, key=key, run_step=run_step
                )
            case "word":
                await interviews.word(party, session_id, key=key, run_step=run_step)
            case "undo":
                await interviews.undo(party, session_id, key=key, run_step=run_step)
            case "finish":
                view = await interviews.check(party, session_id, key=key, run_step=run_step)
                if view.state.meta.status == "ready":
                    await run_step("interview close", partial(self._close, party, session_id))
                    await interviews.word(party, session_id, key=key, run_step=run_step)

    async def _close(self, party: Party, session_id: str) -> None:
        await self._interviews.close(party, session_id)

    async def _change(
        self,
        sender: Sender,
        action: Action,
        session_id: str,
        key: str,
        **more: Any,  # noqa: ANN401 - further fields of an order
    ) -> View | Refusal:
        """Order a change unless the same key has ordered it, wait for its end, and return its result."""
        run_id = keys.web_run(sender.id, keys.shorten(f"{action}:{session_id}:{key}"))
        order = Order(
            run_id, action, sender.id, sender.name, session_id, keys.web_idempotency_key(key), **more
        )
        if await self._runs.get(run_id) is None:
            if action != "undo" and (refusal := await self._refusal(order)):
                return refusal
            await self._work.submit(run_id, json.dumps(asdict(order)), order.lane, sender.id)
            _accept(self._recorder(order), order)
            await self._runs.flush()
        return await self._result(order)

    async def _result(self, order: Order) -> View | Refusal:
        if await self._runs.get(order.run_id) is None:
            raise InterviewUnknownError(Reason("interview-unknown"))
        async with aclosing(self._runs.follow(order.run_id)) as events:
            end = await anext(event async for event in events if event.type in ENDS)
        if end.data.get("is_forgotten"):
            raise InterviewUnknownError(Reason("interview-unknown"))
        if end.type == "error":
            reason, error = from_json(end.data), end.data.get("error")
            if error == _REFUSAL:
                return Refusal(reason.code, dict(reason.values))  # type: ignore[arg-type]  # as it was written
            raise _ERRORS.get(str(error), OperatorError)(reason)
        return await self._interviews.view_after(order.party, order.session_id, order.key)

    async def _refusal(self, order: Order) -> Refusal | None:
        return await self._access.may_ask(
            order.place, order.sender, order.run_id
        ) or await self._limits.check(order.place, order.sender, order.run_id)

    def _recorder(self, order: Order) -> Recorder:
        return self._runs.recorder(order.run_id, INTERVIEW, order.sender.id, order.lane)


def _accept(run: Recorder, order: Order) -> None:
    run.record(
        "accepted", "accepted", {"type": "accepted", "action": order.action, "question": order.message}
    )


def _name(error: ThinkTwiceError) -> str:
    kind = next((kind for kind in type(error).__mro__ if kind.__name__ in _ERRORS), None)
    return kind.__name__ if kind else ""


def _party(sender: Sender) -> Party:
    return Party(sender.id, keys.web_interviews_key(sender.id))
