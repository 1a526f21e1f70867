"""Records the events of the engines as they happen, so that everybody watches the same run.

A run is an answer, a council or a change of an interview: whatever is done for somebody. Its events get
numbers when they are recorded; whoever watches reads what is recorded and then follows. A viewer who goes
away changes nothing. Pieces of text are shown to those who watch now, and are not recorded.

Work that is repeated after a kill tells everything again; an event has a key within its run, and a second one
of the same key is the same event.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, AsyncIterator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any, Final, Literal, Protocol

import structlog

from bot.clock import utcnow
from bot.service.errors import StorageError
from rag.errors import ThinkTwiceError
from rag.events import Answered, CouncilEvent, Event, StepFinished, StepStarted, Text, to_json

_log = structlog.get_logger(__name__)

RunKind = Literal["answer", "council", "interview", "person"]

RunState = Literal["running", "complete", "error", "cancelled"]

EndState = Literal["complete", "error", "cancelled"]

ENDS: Final[frozenset[str]] = frozenset({"complete", "error", "cancelled"})
"""Types of the events that end a run; nothing comes after one."""

_POLL_SECONDS: Final = 1.0
"""How often runs are looked at that somebody watches: another process may be at them."""

_MOST_PENDING: Final = 20_000
"""Events that are kept while nothing can be recorded; then the oldest are dropped."""


class UnrecordableError(Exception):
    """One of the events that wait can never be recorded; it will be found and left out."""


@dataclass(frozen=True, slots=True)
class Run:
    """A piece of work for somebody, such as an answer, a council or a turn of an interview.

    Args:
        id: The id of the work; whoever records the same id means the same run.
        person: Id of the person for whom; it is erased with what is kept of them.
    """

    id: str
    kind: RunKind
    person: str
    conversation_id: str
    at: datetime
    state: RunState = "running"


@dataclass(frozen=True, slots=True)
class RunEvent:
    """Something that happened in a run.

    Args:
        seq: Its number, which grows within a run, not necessarily by one; 0: a piece of text, not recorded.
        type: ``step_started``, ``stage1_start``, ``text``, one of `ENDS` …
    """

    seq: int
    run_id: str
    type: str
    data: Mapping[str, Any]
    at: datetime


@dataclass(frozen=True, slots=True)
class Pending:
    """An event that waits to be recorded, with the key that it has within its run."""

    run: Run
    key: str
    type: str
    data: Mapping[str, Any]
    at: datetime

    @property
    def ends(self) -> EndState | None:
        """The state of the run after this event, or None when it goes on."""
        return self.type if self.type in ENDS else None  # type: ignore[return-value]  # ENDS are these states


class RunStore(Protocol):
    """Keeps runs and their events. Every method raises `StorageError` when the store cannot be used."""

    async def append(self, events: Sequence[Pending]) -> None:
        """Record events in their order, with their runs; what is recorded already stays as it is."""
        ...

    async def get(self, run_id: str) -> Run | None:
        """Return a run."""
        ...

    async def forget(self, conversation_id: str) -> tuple[str, ...]:
        """Delete the runs of a conversation with their events; return their ids."""
        ...

    async def read(self, run_id: str, after: int = 0) -> tuple[RunEvent, ...]:
        """Return the events of a run whose numbers are greater than `after`, in their order."""
        ...

    async def read_many(self, after: Mapping[str, int]) -> tuple[RunEvent, ...]:
        """Return the events of several runs, each from its own number on, in their order."""
        ...


@dataclass(slots=True)
class _Watch:
    """Those who watch a run, and the last event that they were sent."""

    last: int
    followers: set[asyncio.Queue[RunEvent]] = field(default_factory=set)


class Runs:
    """Records the events of all runs of this process, and tells those who watch.

    `get`, `follow`, `end` and `forget` raise `StorageError` when the store cannot be used.
    """

    def __init__(self, store: RunStore, clock: Callable[[], datetime] = utcnow) -> None:
        self._store = store
        self._clock = clock
        self._pending: list[Pending] = []
        self._watched: dict[str, _Watch] = {}
        self._woken = asyncio.Event()
        self._flushing = asyncio.Lock()
        self._is_one_bad = False

    @asynccontextmanager
    async def opened(self) -> AsyncIterator[None]:
        """Record for as long as the context lasts; what waits at its end is recorded then."""
        task = asyncio.create_task(self._record_and_send())
        try:
            yield
        finally:
            task.cancel()
            await asyncio.wait({task})
            await self.flush()

    def recorder(self, run_id: str, kind: RunKind, person: str, conversation_id: str) -> Recorder:
        """Return what takes the events of a run."""
        return Recorder(self, Run(run_id, kind, person, conversation_id, self._clock()))

    async def get(self, run_id: str) -> Run | None:
        """Return a run; None when it is unknown or forgotten."""
        return await self._store.get(run_id)

    async def follow(self, run_id: str, after: int = 0) -> AsyncGenerator[RunEvent, None]:
        """Yield the events of a run behind number `after`, recorded ones first, until it ends.

        A run that is not known yet is waited for.
        """
        queue: asyncio.Queue[RunEvent] = asyncio.Queue()
        watch = self._watched.setdefault(run_id, _Watch(after))
        # Whoever comes later may lack events that the others have: each skips what it has.
        watch.followers.add(queue)
        self._woken.set()
        try:
            for event in await self._store.read(run_id, after):
                after = event.seq
                yield event
                if event.type in ENDS:
                    return
            run = await self._store.get(run_id)
            if run is not None and run.state != "running":
                # It ended, and the viewer has seen the end, or it ended between the two questions.
                for event in await self._store.read(run_id, after):
                    yield event
                return
            while True:
                event = await queue.get()
                if event.seq and event.seq <= after:
                    continue
                after = event.seq or after
                yield event
                if event.type in ENDS:
                    return
        finally:
            watch.followers.discard(queue)
            if not watch.followers and self._watched.get(run_id) is watch:
                del self._watched[run_id]

    def now(self) -> datetime:
        """The time."""
        return self._clock()

    def is_watched(self, run_id: str) -> bool:
        """Whether somebody watches a run, here."""
        return run_id in self._watched

    def note(self, event: Pending) -> None:
        """Have an event recorded, at once if its run is watched."""
        self._pending.append(event)
        if len(self._pending) > _MOST_PENDING:
            del self._pending[0]
        if event.run.id in self._watched:
            self._woken.set()

    def show(self, run_id: str, event: Text) -> None:
        """Show a piece of text to those who watch now."""
        if (watch := self._watched.get(run_id)) is not None:
            self._send(watch, RunEvent(0, run_id, "text", to_json(event), self._clock()))

    async def end(self, run_id: str, state: EndState, data: Mapping[str, Any] | None = None) -> None:
        """End a run whose job no longer runs. Does nothing if the run is unknown or has ended."""
        await self.flush()
        run = await self._store.get(run_id)
        if run is not None and run.state == "running":
            Recorder(self, run).end(state, data or {})
            self._woken.set()

    async def forget(self, conversation_id: str, forgotten: Collection[str] = ()) -> None:
        """Delete the runs of a conversation, whose work has been cancelled.

        To whoever watches one, or one of the runs `forgotten` that have been deleted already, it ends as
        cancelled, with ``is_forgotten`` in the data of the event.
        """
        await self.flush()
        for run_id in {*forgotten, *await self._store.forget(conversation_id)}:
            if (watch := self._watched.get(run_id)) is not None:
                self._send(watch, RunEvent(0, run_id, "cancelled", {"is_forgotten": True}, self._clock()))

    async def flush(self) -> None:
        """Record what waits; what cannot be recorded now goes on waiting."""
        async with self._flushing:
            pending, self._pending = self._pending, []
            try:
                if pending:
                    await self._record_all(pending)
                self._is_one_bad = False
            except ThinkTwiceError as exc:
                _log.warning("the events of runs are not recorded yet", events=len(pending), reason=str(exc))
            finally:
                # Also when whoever waits for it is cancelled: the events are those of all runs.
                self._pending = [*pending, *self._pending]

    async def _record_all(self, pending: list[Pending]) -> None:
        """Record events and take them from the list; one that can never be recorded is left out."""
        try:
            await self._append(pending)
            pending.clear()
        except UnrecordableError:
            while pending:
                await self._record_or_leave_out(pending[0])
                del pending[0]

    async def _record_or_leave_out(self, event: Pending) -> None:
        try:
            await self._append([event])
        except UnrecordableError as exc:
            # The name alone: what the database says holds what it was given.
            why = type(exc.__cause__).__name__
            _log.error("an event is left out", run=event.run.id, type=event.type, error=why)
            if event.ends and event.data:
                # Whoever watches must be told at least that it is over.
                await self._record_or_leave_out(replace(event, data={}))

    async def _append(self, events: Sequence[Pending]) -> None:
        try:
            await self._store.append(events)
        except Exception as exc:
            if isinstance(exc, StorageError) and not exc.is_of_value:
                raise
            raise UnrecordableError from exc

    @asynccontextmanager
    async def recorded_along(self) -> AsyncIterator[Callable[[], Awaitable[None]]]:
        """Record what waits inside a transaction of somebody else, which ends before this context does.

        Yields:
            What records the events; call it inside the transaction. If that fails, they go on waiting; after
            an `UnrecordableError` the next call does nothing.
        """
        taken: list[Pending] = []

        async def record() -> None:
            if self._pending and not self._is_one_bad:
                taken.extend(self._pending)
                self._pending = []
                await self._append(taken)

        try:
            # While others are being recorded, these would be numbered before them.
            async with self._flushing:
                yield record
        except BaseException as exc:
            self._pending = [*taken, *self._pending]
            if isinstance(exc, UnrecordableError):
                self._is_one_bad = True
                self._woken.set()
            raise
        if self._watched:
            self._woken.set()

    async def _record_and_send(self) -> None:
        while True:
            # What nobody watches is recorded with a step or an end, and here where that has failed.
            interval = _POLL_SECONDS if self._watched or self._pending else None
            with suppress(TimeoutError):
                async with asyncio.timeout(interval):
                    await self._woken.wait()
            self._woken.clear()
            try:
                await self.flush()
                await self._send_new_events()
            except Exception:  # noqa: BLE001 - as the comment says
                # The outermost loop: one event that cannot be recorded must not end it for all runs.
                _log.exception("the events of runs could not be recorded or told")
                await asyncio.sleep(_POLL_SECONDS)
            if self._pending:
                # Nothing can be recorded now: asking again at once helps nobody.
                await asyncio.sleep(_POLL_SECONDS)

    async def _send_new_events(self) -> None:
        if not self._watched:
            return
        try:
            news = await self._store.read_many(
                {run_id: watch.last for run_id, watch in self._watched.items()}
            )
        except ThinkTwiceError as exc:
            _log.warning("the events of runs cannot be read", reason=str(exc))
            return
        for event in news:
            if (watch := self._watched.get(event.run_id)) is not None and event.seq > watch.last:
                watch.last = event.seq
                self._send(watch, event)

    @staticmethod
    def _send(watch: _Watch, event: RunEvent) -> None:
        for queue in watch.followers:
            queue.put_nowait(event)


class Recorder:
    """Takes the events of one run."""

    def __init__(self, runs: Runs, run: Run) -> None:
        self._runs = runs
        self.run = run

    def feed(self, event: Event) -> None:
        """Record an event of the engine."""
        match event:
            case Text():
                self._runs.show(self.run.id, event)
            case Answered():
                pass  # The run ends when the answer is kept: see `end`.
            case _:
                data = to_json(event)
                kind = _type_of(event, data)
                self.record(kind, event_key(event), data)

    def record(self, kind: str, key: str, data: Mapping[str, Any]) -> None:
        """Record an event; `key` names it within the run."""
        self._runs.note(Pending(self.run, key, kind, data, self._runs.now()))

    def end(self, state: EndState, data: Mapping[str, Any]) -> None:
        """Note how the run ended; `data` tells of the answer, or of the error by a public code."""
        self.record(state, "end", data)


def _type_of(event: Event, data: Mapping[str, Any]) -> str:
    """Return the type of an event as it is recorded; events of a council have the names of their stages."""
    if isinstance(event, CouncilEvent):
        # The council ends before its answer is delivered and kept, which is the end of the run.
        return "council_complete" if event.name == "complete" else event.name
    return str(data["type"])


def event_key(event: Event) -> str:
    """Return what names an event within its run, the same when the work is repeated."""
    match event:
        case StepStarted(step, number):
            return f"started:{step}:{number}"
        case StepFinished(trace, number):
            return f"finished:{trace.step}:{number}"
        case CouncilEvent(name, data):
            return f"{name}:{data.get('seat', '')}"
        case _:
            return str(to_json(event)["type"])
