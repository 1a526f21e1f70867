"""Guided interviews: started, continued, undone, finished. Every channel calls the same functions.

`create`, `get`, `post` and `step` are the four calls of the HTTP interface; a channel adds its forms to them
and nothing else. A turn is a function of the log and of `run_step`: what a model replied is recorded before
its event, the event is added under the key of the message that brought it, and its cost with it in one
transaction. So a kill at any moment neither loses a turn nor doubles one.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, Final
from uuid import UUID, uuid4, uuid5
from weakref import WeakValueDictionary

from bot.clock import utcnow
from bot.service.interview_limits import find_excess
from bot.service.interview_ports import (
    Engine,
    InterviewBusyError,
    InterviewLimitError,
    InterviewOverError,
    InterviewUnknownError,
    Sessions,
    StepsOffError,
)
from bot.service.interview_values import Party, Session, Stored, View
from bot.service.mission_packs import MissionPacks, speaking
from bot.settings.sections import Interviews as Bounds
from rag.interview import registry
from rag.interview.documents import NextAction, StepName
from rag.interview.events import MOMENT, InterviewEvent, TurnApplied, TurnFailed, Worded, fold
from rag.interview.missions import Mission
from rag.interview.papers import Paper, draw_up, list_worded
from rag.interview.steering import read_wish
from rag.interview.wording import word_clauses
from rag.interview.workflow import (
    Said,
    accept_message,
    check_again,
    correct_answer,
    open_with_question,
    reinterpret,
    start,
    take_turn,
    undo,
)
from rag.reasons import Reason
from rag.runs.work import RunStep, Work

STEPS: Final = ("interview begin", "interview log", "interview append", "wording log", "wording append")
"""Names of the steps, besides those of the engine."""

MOST_LISTED: Final = 20

_NAMESPACE: Final = UUID("5e2f4c1a-6a0e-4f0e-9d0c-0d8c7a2b9f31")
_ATTEMPTS: Final = 4

Make = Callable[[Work, Mission, tuple[InterviewEvent, ...]], Awaitable[InterviewEvent | None]]
"""Returns the event to add to a log, or None if there is nothing to add."""


@dataclass(frozen=True, slots=True)
class _Log:
    """A log as it was when a turn began; `found`: where the event with the key of this turn stands."""

    length: int
    found: int | None = None
    refusal: Reason | None = None
    is_over: bool = False


async def carry_out(
    _name: str,
    work: Callable[[], Awaitable[Any]],
    /,
    *,
    is_light: bool = False,  # noqa: ARG001 - nothing is recorded
) -> Any:  # noqa: ANN401 - a step's own type
    """Carry out a step, and record nothing."""
    return await work()


class Interviews:
    """Holds interviews.

    Methods that take a `key` do nothing a second time for the same key, and return what came of the first.
    Those that take `run_step` record what they do; without it everything is just done. They raise:

    - `InterviewUnknownError`: there is no such interview of this person.
    - `InterviewOverError`: it is finished.
    - `InterviewLimitError`: a limit is used up; nothing was paid.
    - `StorageError`: something cannot be kept.
    """

    def __init__(
        self,
        engine: Engine,
        sessions: Sessions,
        packs: MissionPacks,
        bounds: Bounds | None = None,
        clock: Callable[[], datetime] = utcnow,
    ) -> None:
        self._engine = engine
        self._sessions = sessions
        self.packs = packs
        self._bounds = bounds or Bounds()
        self._clock = clock
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()

    async def create(
        self,
        party: Party,
        pack: str,
        *,
        initial_message: str = "",
        key: str = "",
        run_step: RunStep | None = None,
    ) -> View:
        """Begin an interview.

        Args:
            initial_message: The first turn; without one the interview begins with its first question.

        Raises:
            PackUnknownError: there is no such pack.
            InputError: the message is empty, too long or no text; nothing was kept.
        """
        mission = self.packs.find(pack)
        if initial_message:
            accept_message(initial_message)
        session_id = self.id_of(party, key) if key else str(uuid4())
        begin = partial(self._begin, party, mission, session_id, has_message=bool(initial_message))
        refusal: Reason | None = await (run_step or carry_out)("interview begin", begin)
        if refusal is not None:
            raise InterviewLimitError(refusal)
        if not initial_message:
            return await self.get(party, session_id)
        return await self.post(party, session_id, initial_message, key=key or session_id, run_step=run_step)

    def id_of(self, party: Party, key: str) -> str:
        """Return the id of the interview that a person begins with a request that has a key."""
        return str(uuid5(_NAMESPACE, f"{party.owner}\0{key}"))

    async def get(self, party: Party, session_id: str) -> View:
        """Return an interview as it stands."""
        session = await self._find(party, session_id)
        return self._view(session, await self._sessions.events(session.id))

    async def view_after(self, party: Party, session_id: str, key: str) -> View:
        """Return an interview as it stood after the event with a key; as it stands if there is none."""
        session = await self._find(party, session_id)
        seq = await self._sessions.find(session.id, key)
        return self._view(session, await self._sessions.events(session.id, None if seq is None else seq + 1))

    async def post(
        self,
        party: Party,
        session_id: str,
        message: str,
        *,
        answer_to: str | None = None,
        key: str = "",
        run_step: RunStep | None = None,
    ) -> View:
        """Take a message of the person as the next turn.

        Args:
            message: What was said, or the id of a choice; "stop" in any language ends a complete interview,
                and another one when it is said twice.
            answer_to: The question that it answers; None: the one that is open.

        Raises:
            InputError: the message is empty, too long or no text; nothing was paid.
            WrongQuestionError: it answers a question that is not open; nothing has changed.
            IncompatibleVersionError: the pack has changed too much since the interview began.
        """
        key, at = key or str(uuid4()), self._clock()
        if read_wish(accept_message(message)) == "stop" and await self._may_stop(party, session_id, key):
            return await self.close(party, session_id)

        async def make(
            work: Work, mission: Mission, events: tuple[InterviewEvent, ...]
        ) -> InterviewEvent | None:
            said = Said(key, message, at, answer_to)
            return await take_turn(work, mission, events, said, speaking(mission))

        return await self._advance(party, session_id, key, make, run_step)

    async def step(
        self, party: Party, session_id: str, step: StepName, *, key: str = "", run_step: RunStep | None = None
    ) -> View:
        """Carry out one step by itself, for debugging.

        Args:
            step: ``INTERPRET`` works on messages that no turn has taken up; ``GATE_CHECK`` looks at the gate.

        Raises:
            StepsOffError: the setting ``interviews.single_steps`` is off.
        """
        if not self._bounds.single_steps:
            raise StepsOffError(Reason("interview-steps-off"))
        if step == "GATE_CHECK":
            return await self.check(party, session_id, key=key, run_step=run_step)
        at = self._clock()

        async def make(
            work: Work, mission: Mission, events: tuple[InterviewEvent, ...]
        ) -> InterviewEvent | None:
            return await reinterpret(work, mission, events, at, speaking(mission))

        return await self._advance(party, session_id, key or str(uuid4()), make, run_step)

    async def check(
        self, party: Party, session_id: str, *, key: str = "", run_step: RunStep | None = None
    ) -> View:
        """Look whether an interview is complete; the view's gate names what is missing."""
        at = self._clock()

        async def make(
            work: Work, mission: Mission, events: tuple[InterviewEvent, ...]
        ) -> InterviewEvent | None:
            return await check_again(work, mission, events, at, speaking(mission))

        return await self._advance(party, session_id, key or str(uuid4()), make, run_step)

    async def correct(
        self,
        party: Party,
        session_id: str,
        path: str,
        answer: str,
        *,
        key: str = "",
        run_step: RunStep | None = None,
    ) -> View:
        """Take an answer that is written anew where it stands; `path` is the pointer of its fact.

        Raises:
            InputError: the pack does not take the answer; nothing has changed.
        """
        said = Said(key or str(uuid4()), answer, self._clock())

        async def make(
            work: Work, mission: Mission, events: tuple[InterviewEvent, ...]
        ) -> InterviewEvent | None:
            return await correct_answer(work, mission, events, said, path, speaking(mission))

        return await self._advance(party, session_id, said.turn_id, make, run_step)

    async def undo(
        self, party: Party, session_id: str, *, key: str = "", run_step: RunStep | None = None
    ) -> View:
        """Take the last turn back; raise `InputError` when nothing has been said yet."""
        at = self._clock()

        async def make(
            _work: Work, _mission: Mission, events: tuple[InterviewEvent, ...]
        ) -> InterviewEvent | None:
            return undo(events, at)

        return await self._advance(party, session_id, key or str(uuid4()), make, run_step)

    async def word(
        self, party: Party, session_id: str, *, key: str = "", run_step: RunStep | None = None
    ) -> View:
        """Have a model word the clauses of the document that nobody has worded yet, also after the end.

        Where a limit is used up, or no model answers, nothing changes: the facts stand as a list.
        """
        at = self._clock()

        async def make(
            work: Work, mission: Mission, events: tuple[InterviewEvent, ...]
        ) -> InterviewEvent | None:
            paper = draw_up(fold(events), mission, speaking(mission), list_worded(events))
            clauses = await word_clauses(work, mission, paper.wishes) if paper and paper.wishes else {}
            return Worded(clauses=clauses, at=MOMENT.validate_python(at)) if clauses else None

        key = f"{key or uuid4()}:worded"
        return await self._advance(party, session_id, key, make, run_step, is_turn=False)

    def draw_up(self, view: View) -> Paper | None:
        """Return the document of an interview as it stands; None if its pack has none."""
        mission = self.packs.find(view.session.pack)
        return draw_up(view.state, mission, speaking(mission), list_worded(view.events))

    async def close(self, party: Party, session_id: str) -> View:
        """End an interview as it is; again, nothing changes."""
        session = await self._find(party, session_id)
        await self._sessions.touch(session.id, is_closed=True)
        return await self.get(party, session_id)

    async def delete(self, party: Party, session_id: str) -> None:
        """Delete an interview with its events; do nothing if it does not exist."""
        await self._sessions.delete(party.owner, session_id)

    async def current(self, party: Party, *, is_open: bool | None = True) -> View | None:
        """Return the interview of a conversation that was used last, open or not where `is_open` is None."""
        session = await self._sessions.latest(party.owner, party.conversation_id, is_open=is_open)
        return self._view(session, await self._sessions.events(session.id)) if session else None

    async def list_all(self, party: Party) -> tuple[View, ...]:
        """Return at most `MOST_LISTED` interviews of a conversation, the most recently used first."""
        sessions = await self._sessions.sessions(party.owner, party.conversation_id, MOST_LISTED)
        return tuple([self._view(session, await self._sessions.events(session.id)) for session in sessions])

    async def resume(self, party: Party, pack: str) -> View | None:
        """Make the open interview with a pack the most recently used one; return it, or None."""
        mission = self.packs.find(pack)
        session = await self._sessions.latest(
            party.owner, party.conversation_id, pack=mission.id, is_open=True
        )
        if session is None:
            return None
        await self._sessions.touch(session.id)
        return await self.get(party, session.id)

    async def has_turn(self, party: Party, key: str) -> bool:
        """Whether the message with a key is a turn of the interview that a conversation is at."""
        session = await self._sessions.latest(party.owner, party.conversation_id, is_open=True)
        return session is not None and await self._sessions.find(session.id, key) is not None

    async def set_summary(self, session_id: str, message_id: int) -> None:
        """Keep which message of the chat shows what is known."""
        await self._sessions.set_summary(session_id, message_id)

    async def _begin(
        self, party: Party, mission: Mission, session_id: str, *, has_message: bool
    ) -> Reason | None:
        """Keep a new session, or return the limit that is used up; again for the same id, nothing changes."""
        if await self._sessions.get(party.owner, session_id) is not None:
            return None
        used = await self._sessions.used(None, party.owner)
        if used.sessions_today >= self._bounds.sessions_per_day:
            return Reason("interview-sessions-spent", {"limit": self._bounds.sessions_per_day})
        now = self._clock()
        first: list[InterviewEvent] = [start(session_id, mission, now)]
        if not has_message:
            first.append(open_with_question(first, mission, now, speaking(mission)))
        session = Session(session_id, party.owner, party.conversation_id, mission.id, now, now)
        stored = tuple(Stored(f"begin:{number}", event) for number, event in enumerate(first))
        await self._sessions.create(session, stored)
        return None

    async def _advance(
        self,
        party: Party,
        session_id: str,
        key: str,
        make: Make,
        run_step: RunStep | None,
        *,
        is_turn: bool = True,
    ) -> View:
        """Add the event that `make` returns to the log of an interview, once for the key.

        What is no turn does not need an open interview, and leaves out what a limit forbids.
        """
        run: RunStep = run_step or carry_out
        name = "interview" if is_turn else "wording"
        session = await self._find(party, session_id)
        async with self._locks.setdefault(session.id, asyncio.Lock()):
            work = self._engine.open_interview_work(run_step)
            for attempt in range(1, _ATTEMPTS + 1):
                number = "" if attempt == 1 else f" {attempt}"
                log: _Log = await run(f"{name} log{number}", partial(self._look, session, key), is_light=True)
                if log.found is not None:
                    return self._view(session, await self._sessions.events(session.id, log.found + 1))
                if log.is_over and is_turn:
                    raise InterviewOverError(Reason("interview-over"))
                if log.refusal is not None and is_turn:
                    raise InterviewLimitError(log.refusal)
                if log.refusal is not None:
                    return await self.get(party, session_id)
                events = await self._sessions.events(session.id, log.length)
                event = await make(work, self.packs.find(session.pack), events)
                if event is None:
                    return self._view(session, events)
                stored = Stored(key, event, work.ledger.usage())
                append = partial(self._sessions.append, session, len(events), stored)
                seq: int | None = await run(f"{name} append{number}", append)
                if seq is not None:
                    return self._view(session, await self._sessions.events(session.id, seq + 1))
        raise InterviewBusyError(Reason("interview-busy"))

    async def _may_stop(self, party: Party, session_id: str, key: str) -> bool:
        """Whether "stop" ends an interview: it is over, complete, or "stop" was the last thing said to it."""
        view = await self.get(party, session_id)
        last = view.events[-1]
        turn = last.turns[-1] if isinstance(last, TurnApplied) and last.turns else None
        is_repeated = turn is not None and turn.id != key and read_wish(turn.text) == "stop"
        return is_repeated or not view.session.is_open or view.state.meta.status == "ready"

    async def _look(self, session: Session, key: str) -> _Log:
        found = await self._sessions.find(session.id, key)
        if found is not None:
            return _Log(0, found)
        used = await self._sessions.used(session, session.owner)
        if not session.is_open:
            events = await self._sessions.events(session.id)
            return _Log(len(events), refusal=find_excess(self._bounds, used, events), is_over=True)
        events = await self._migrated(await self._find(session.party, session.id))
        refusal = find_excess(self._bounds, used, events)
        return _Log(len(events), refusal=refusal)

    async def _migrated(self, session: Session) -> tuple[InterviewEvent, ...]:
        events = await self._sessions.events(session.id)
        for event in registry.migrate(events, self.packs.find(session.pack), self._clock()):
            stored = Stored(f"version:{event.schema_version}", event)
            await self._sessions.append(session, len(events), stored)
            events = (*events, event)
        return events

    async def _find(self, party: Party, session_id: str) -> Session:
        session = await self._sessions.get(party.owner, session_id)
        if session is None:
            raise InterviewUnknownError(Reason("interview-unknown"))
        return session

    def _view(self, session: Session, events: tuple[InterviewEvent, ...]) -> View:
        if not events:
            # Deleted a moment ago.
            raise InterviewUnknownError(Reason("interview-unknown"))
        state = fold(events)
        last = events[-1]
        if isinstance(last, TurnFailed):
            action = NextAction(kind="halt_error", error=last.error)
        else:
            action = state.next_action or NextAction(kind="proceed_to_gate")
        return View(session, events, state, action)
