"""Runs and the events that the engines reported during them.

The rows of runs are those of `bot.jobs.journal`; the first event of a run says what can be watched. A run is
deleted when the data of its person are erased, or when it has been over for too long.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final

import sqlalchemy as sa

from bot.service.runs import Pending, Run, RunEvent
from bot.storage.conversations import storable
from bot.storage.database import Database
from bot.storage.dialects import insert
from bot.storage.tables import run_events, runs

_SEEN: Final = runs.c.kind != ""
_IS_OPEN: Final = sa.and_(_SEEN, runs.c.result.is_(None), runs.c.state.in_(("waiting", "running")))


class StoredRuns:
    """Implements `bot.service.runs.RunStore`. Every method raises `StorageError`."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def append(self, events: Sequence[Pending]) -> None:
        """Store events in their order, with their runs; events that are stored already stay unchanged."""
        known = {event.run.id: event.run for event in events}
        ended = {event.run.id: event.ends for event in events if event.ends}
        async with self._database.writing() as connection:
            for run in known.values():
                # Its first event says what can be watched. A run without a job has been erased meanwhile.
                seen = {"kind": run.kind, "conversation_id": run.conversation_id}
                row = {"work": "", "payload": "", "lane": "", "position": 1, "state": "running", **seen}
                await connection.execute(
                    insert(connection, runs)
                    .values(id=run.id, person=run.person, at=run.at, **row)
                    .on_conflict_do_update(index_elements=[runs.c.id], set_=seen, where=runs.c.kind == "")
                )
            await connection.execute(
                insert(connection, run_events)
                .on_conflict_do_nothing(index_elements=[run_events.c.run_id, run_events.c.key])
                .returning(run_events.c.seq),  # makes it one statement for all
                [_to_row(event) for event in events],
            )
            for run_id, result in ended.items():
                await connection.execute(
                    sa.update(runs).where(runs.c.id == run_id, runs.c.result.is_(None)).values(result=result)
                )

    async def get(self, run_id: str) -> Run | None:
        """Return a run, or None if it is unknown."""
        row = await self._database.row(sa.select(runs).where(runs.c.id == run_id, _SEEN))
        return _run(row) if row else None

    async def latest(self, person: str, limit: int = 20, conversation_id: str = "") -> tuple[Run, ...]:
        """Return the newest runs of a person, or those of a conversation of this person, newest first."""
        own = sa.and_(runs.c.person == person, _SEEN)
        if conversation_id:
            own = sa.and_(own, runs.c.conversation_id == conversation_id)
        query = sa.select(runs).where(own).order_by(runs.c.at.desc()).limit(limit)
        return tuple(map(_run, await self._database.rows(query)))

    async def accepted_in(self, conversation_id: str) -> tuple[RunEvent, ...]:
        """Return the first events of the runs of a conversation that have not ended, oldest first."""
        query = (
            sa.select(run_events)
            .join(runs, runs.c.id == run_events.c.run_id)
            .where(
                runs.c.conversation_id == conversation_id,
                _IS_OPEN,
                run_events.c.type == "accepted",
            )
            .order_by(run_events.c.seq)
        )
        return tuple(map(_event, await self._database.rows(query)))

    async def at_work(self, person: str) -> int:
        """Return the number of a person's runs that have not ended."""
        query = sa.select(sa.func.count()).where(runs.c.person == person, _IS_OPEN)
        return int(await self._database.value(query) or 0)

    async def running(self) -> int:
        """Return the number of all runs that have not ended."""
        query = sa.select(sa.func.count()).where(_IS_OPEN)
        return int(await self._database.value(query) or 0)

    async def read(self, run_id: str, after: int = 0) -> tuple[RunEvent, ...]:
        """Return the events of a run whose numbers are greater than `after`, in their order."""
        return await self.read_many({run_id: after})

    async def read_many(self, after: Mapping[str, int]) -> tuple[RunEvent, ...]:
        """Return the events of several runs in their order, each run from its own number on."""
        if not after:
            return ()
        wanted = [
            sa.and_(run_events.c.run_id == run_id, run_events.c.seq > last) for run_id, last in after.items()
        ]
        async with self._database.reading() as connection:
            # In batches, because the number of conditions of a query is limited.
            found = [
                _event(row)
                for start in range(0, len(wanted), 200)
                for row in await connection.execute(
                    sa.select(run_events)
                    .where(sa.or_(*wanted[start : start + 200]))
                    .order_by(run_events.c.seq)
                )
            ]
        return tuple(found)

    async def forget(self, conversation_id: str) -> tuple[str, ...]:
        """Delete the runs of a conversation with their events; return their ids."""
        # Their events go with them.
        deleted = sa.delete(runs).where(runs.c.conversation_id == conversation_id).returning(runs.c.id)
        async with self._database.writing() as connection:
            return tuple((await connection.scalars(deleted)).all())


def _run(row: sa.Row[Any]) -> Run:
    return Run(row.id, row.kind, row.person, row.conversation_id, row.at, row.result or "running")


def _to_row(event: Pending) -> dict[str, object]:
    return {
        "run_id": event.run.id,
        "key": event.key,
        "type": event.type,
        "json": storable(json.dumps(dict(event.data), ensure_ascii=False)),
        "at": event.at,
    }


def _event(row: sa.Row[Any]) -> RunEvent:
    return RunEvent(row.seq, row.run_id, row.type, json.loads(row.json), row.at)
