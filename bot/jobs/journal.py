"""The rows of runs and of their steps: recorded, claimed, ended, found and forgotten.

A row names the process that carries it out. One transaction at a time claims rows, on both databases, so no
two processes carry out one run, nor two runs of one lane. Methods raise `StorageError` when the database
cannot be used.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import asdict, dataclass
from datetime import datetime, timedelta
from typing import Any, Final

import sqlalchemy as sa
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.clock import utcnow
from bot.jobs.attempts import Attempts
from bot.jobs.steps import Outcome
from bot.jobs.values import DeadLetter, Job, JobState, Kept
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import run_steps, runs
from rag.reasons import Reason

_ATTEMPTS: Final = TypeAdapter(Attempts)
_REASON: Final = TypeAdapter(Reason)
_UNFINISHED: Final = ("waiting", "running")
_BATCH: Final = 500


@dataclass(frozen=True, slots=True)
class Claimed:
    """A run that this process carries out; `attempts` is None where it is begun for the first time."""

    job: Job
    at: datetime
    attempts: Attempts | None = None


@dataclass(frozen=True, slots=True)
class Entry:
    """A job as it is listed: its id, its lane, and whether it is over."""

    id: str
    lane: str
    is_over: bool


class Journal:
    """The rows of runs."""

    def __init__(self, database: Database, clock: Callable[[], datetime] = utcnow) -> None:
        self.database = database
        self._clock = clock

    async def add(self, job: Job, process: str | None = None) -> tuple[bool, Claimed | None]:
        """Record a job unless its id is known; `process`, if any, begins it at once if its lane is free.

        Returns whether it is new, and the job if it is claimed.
        """
        now = self._clock()
        async with self.database.writing() as connection:
            if process is not None and job.lane and await _is_busy(connection, job.lane):
                process = None
            row = _to_row(job, now) | {"state": "running" if process else "waiting", "process": process}
            added = await connection.scalar(
                insert(connection, runs).values(row).on_conflict_do_nothing().returning(runs.c.id)
            )
        is_new = added is not None
        return is_new, Claimed(job, now) if is_new and process else None

    async def has_waiting(self) -> bool:
        """Return whether a job waits."""
        return await self.database.value(_open().where(runs.c.state == "waiting").limit(1)) is not None

    async def claim(self, process: str, free: int) -> tuple[Claimed, ...]:
        """Claim what can begin: the first job of each of at most `free` free lanes, and all without one."""
        first = _first_of_lanes().order_by(runs.c.at, runs.c.id).limit(max(free, 0))
        async with self.database.writing() as connection:
            at_once = sa.select(runs).where(runs.c.state == "waiting", runs.c.lane == "")
            rows = [row for query in (at_once, first) for row in (await connection.execute(query)).all()]
            return await _claim(connection, rows, process)

    async def record(self, run_id: str, process: str, outcomes: Mapping[str, str]) -> bool:
        """Record outcomes of steps, inside a transaction of the caller's.

        Returns whether this process may: the run may have been cancelled, erased or taken over.
        """
        async with self.database.writing() as connection:
            if not await _is_ours(connection, run_id, process):
                return False
            await connection.execute(
                sa.insert(run_steps).returning(run_steps.c.number),  # makes it one statement for all
                [{"run_id": run_id, "name": name, "outcome": text} for name, text in outcomes.items()],
            )
        return True

    async def end(
        self, run_id: str, lane: str, process: str, reason: Reason | None
    ) -> tuple[Claimed, ...] | None:
        """Record that a job is over, and claim the next one of its lane, in a transaction of the caller's.

        Without a lane nothing is claimed; without a reason the job is done. Returns what is claimed, or None
        when the run was over before, or another process has it.
        """
        values = {"state": "failed" if reason else "done", "process": None, "ended_at": self._clock()}
        told = None if reason is None else _REASON.dump_json(reason).decode()
        async with self.database.writing() as connection:
            if not await _is_ours(connection, run_id, process):
                return None
            await connection.execute(
                sa.update(runs).where(runs.c.id == run_id).values(values | {"reason": told})
            )
            if not lane:
                return ()
            rows = (await connection.execute(_first_of_lanes().where(runs.c.lane == lane).limit(1))).all()
            return await _claim(connection, rows, process)

    async def cancel(self, run_id: str) -> bool:
        """Keep a job from being carried out for good; return whether it was not over."""
        changed = await self.database.change(
            sa.update(runs)
            .where(runs.c.id == run_id, runs.c.state.in_(_UNFINISHED))
            .values(state="cancelled", process=None, ended_at=self._clock())
        )
        return changed > 0

    async def put_back(self, run_id: str, process: str, attempts: Attempts) -> None:
        """Let a job of this process wait for its turn again."""
        await self._change(run_id, process, state="waiting", process=None, attempts=attempts)

    async def note(self, run_id: str, process: str, attempts: Attempts) -> None:
        """Record what is known of the attempts at a job of this process."""
        await self._change(run_id, process, attempts=attempts)

    async def begin_anew(self, run_id: str) -> None:
        """Forget the steps of a job."""
        await self.database.change(sa.delete(run_steps).where(run_steps.c.run_id == run_id))

    async def bring_back(self, is_dead: Callable[[str], bool]) -> int:
        """Let wait again what dead processes had begun, and count the crash; return how many that is."""
        steps = sa.select(sa.func.count()).where(run_steps.c.run_id == runs.c.id).scalar_subquery()
        query = sa.select(runs.c.id, runs.c.process, runs.c.attempts, steps.label("steps")).where(
            runs.c.state == "running", runs.c.work != ""
        )
        found = await self.database.rows(query)
        if not any(is_dead(row.process or "") for row in found):
            return 0
        async with self.database.writing() as connection:
            dead = [row for row in await connection.execute(query) if is_dead(row.process or "")]
            for row in dead:
                attempts = (_read_attempts(row.attempts) or Attempts()).after_restart(row.steps)
                await connection.execute(
                    sa.update(runs)
                    .where(runs.c.id == row.id)
                    .values(state="waiting", process=None, attempts=_write_attempts(attempts))
                )
        return len(dead)

    async def steps_of(self, run_id: str) -> Mapping[str, str]:
        """Return the records of the steps of a run, by their names, in their order."""
        query = sa.select(run_steps.c.name, run_steps.c.outcome).where(run_steps.c.run_id == run_id)
        rows = await self.database.rows(query.order_by(run_steps.c.number))
        return {row.name: row.outcome for row in rows}

    async def state(self, run_id: str) -> JobState | None:
        """Return the state of a job; None when it is unknown or forgotten."""
        found: JobState | None = await self.database.value(sa.select(runs.c.state).where(runs.c.id == run_id))
        return found

    async def dead_letters(self, limit: int) -> tuple[DeadLetter, ...]:
        """Return the jobs that were given up, newest first."""
        query = sa.select(runs).where(runs.c.state == "failed").order_by(runs.c.at.desc()).limit(limit)
        rows = await self.database.rows(query)
        return tuple(
            DeadLetter(row.id, row.work, row.payload, _REASON.validate_json(row.reason), row.ended_at)
            for row in rows
        )

    async def prune(self, age: timedelta) -> int:
        """Forget the jobs that have been over for longer than `age`, and return how many."""
        is_over = sa.or_(runs.c.state.not_in(_UNFINISHED), runs.c.work == "")
        # A run that waits for the reply of a person is over for who carries it out, not for who watches it.
        is_over = sa.and_(is_over, sa.or_(runs.c.kind != "person", runs.c.result.is_not(None)))
        before = self._clock() - age
        return await self.database.change(
            sa.delete(runs).where(sa.func.coalesce(runs.c.ended_at, runs.c.at) < before, is_over)
        )

    async def find_of_person(self, person: str) -> tuple[Entry, ...]:
        """Return the jobs of a person."""
        rows = await self.database.rows(sa.select(runs).where(runs.c.person == person))
        return tuple(Entry(row.id, row.lane, row.state not in _UNFINISHED) for row in rows)

    async def read_kept(self, person: str) -> tuple[Kept, ...]:
        """Return the records of the jobs of a person, oldest first."""
        query = sa.select(runs).where(runs.c.person == person).order_by(runs.c.at, runs.c.id)
        rows = await self.database.rows(query)
        return tuple(
            [
                Kept(
                    row.id,
                    row.work,
                    row.state,
                    row.payload,
                    row.at,
                    {name: Outcome.shown(text) for name, text in (await self.steps_of(row.id)).items()},
                    row.lane,
                )
                for row in rows
            ]
        )

    async def read_waiting(self, person: str, lane: str) -> tuple[str, ...]:
        """Return the payloads of the jobs of a person that wait in a lane."""
        query = sa.select(runs.c.payload).where(
            runs.c.state == "waiting", runs.c.lane == lane, runs.c.person == person
        )
        return tuple(row.payload for row in await self.database.rows(query))

    async def find_over_in(self, lanes: Collection[str]) -> set[str]:
        """Return the ids of the jobs of these lanes that are over."""
        query = sa.select(runs.c.id).where(runs.c.lane.in_(lanes), runs.c.state.not_in(_UNFINISHED))
        return {row.id for row in await self.database.rows(query)}

    async def forget(self, run_ids: Iterable[str]) -> None:
        """Delete runs, with their steps and events."""
        ids = sorted(run_ids)
        async with self.database.writing() as connection:
            for first in range(0, len(ids), _BATCH):
                await connection.execute(sa.delete(runs).where(runs.c.id.in_(ids[first : first + _BATCH])))

    async def _change(self, run_id: str, of: str, *, attempts: Attempts, **values: Any) -> None:  # noqa: ANN401 - columns
        await self.database.change(
            sa.update(runs)
            .where(runs.c.id == run_id, runs.c.process == of, runs.c.state == "running")
            .values(attempts=_write_attempts(attempts), **values)
        )


async def _is_busy(connection: AsyncConnection, lane: str) -> bool:
    return await connection.scalar(_open().where(runs.c.lane == lane).limit(1)) is not None


async def _is_ours(connection: AsyncConnection, run_id: str, process: str) -> bool:
    query = sa.select(runs.c.process).where(runs.c.id == run_id, runs.c.state == "running")
    return bool(await connection.scalar(query) == process)


async def _claim(
    connection: AsyncConnection, rows: Sequence[sa.Row[Any]], process: str
) -> tuple[Claimed, ...]:
    for first in range(0, len(rows), _BATCH):
        ids = [row.id for row in rows[first : first + _BATCH]]
        await connection.execute(
            sa.update(runs).where(runs.c.id.in_(ids)).values(state="running", process=process)
        )
    return tuple(
        Claimed(
            Job(row.id, row.work, row.payload, row.lane, row.position, row.person),
            row.at,
            _read_attempts(row.attempts),
        )
        for row in rows
    )


def _open() -> sa.Select[tuple[str]]:
    return sa.select(runs.c.id).where(runs.c.state.in_(_UNFINISHED))


def _first_of_lanes() -> sa.Select[Any]:
    """The first job of each lane in which none is carried out."""
    other = runs.alias()
    is_before = sa.or_(
        other.c.state == "running",
        sa.and_(
            other.c.state == "waiting",
            sa.tuple_(other.c.position, other.c.at, other.c.id)
            < sa.tuple_(runs.c.position, runs.c.at, runs.c.id),
        ),
    )
    is_behind = sa.select(other.c.id).where(other.c.lane == runs.c.lane, is_before).exists()
    return sa.select(runs).where(runs.c.state == "waiting", runs.c.lane != "", sa.not_(is_behind))


def _to_row(job: Job, now: datetime) -> dict[str, object]:
    row = {**asdict(job), "at": now, "kind": "", "conversation_id": ""}
    return row | {"work": job.kind, "position": row.pop("order")}


def _write_attempts(attempts: Attempts) -> str:
    return _ATTEMPTS.dump_json(attempts).decode()


def _read_attempts(text: str | None) -> Attempts | None:
    if text is None:
        return None
    try:
        return _ATTEMPTS.validate_json(text)
    except ValidationError:
        return Attempts()
