"""The machines of a fleet in the database: their heartbeats and their leases.

All times are those of the database server, so the clocks of the machines do not matter.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

import sqlalchemy as sa
from sqlalchemy.dialects.postgresql import insert

from bot.service.fence import DEAD_SECONDS, Report
from bot.storage.columns import SERVER_NOW_MS
from bot.storage.database import Database
from bot.storage.tables import leases, machines

LEASE_SECONDS: Final = 8.0
"""A lease that is not renewed for so long is free."""


@dataclass(frozen=True, slots=True)
class Machine:
    """A machine of the fleet; it had `at_work` jobs at its last heartbeat, `silent_seconds` ago."""

    id: str
    version: str
    started_at: datetime
    silent_seconds: float
    at_work: int


@dataclass(frozen=True, slots=True)
class HeartbeatReply:
    """The response to a heartbeat: the number of machines, this one included, and the others' reports."""

    machines: int
    reports: tuple[Report, ...] = ()


class Machines:
    """The recorded machines, on PostgreSQL. Every method raises `StorageError` when it cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def join(self, machine: str, version: str) -> None:
        """Record a machine as alive, and replace an earlier record of it."""
        row = {
            "version": version,
            "started_ms": SERVER_NOW_MS,
            "seen_ms": SERVER_NOW_MS,
            "at_work": 0,
            "report": "",
        }
        async with self._database.writing(is_alone=False) as connection:
            await connection.execute(
                insert(machines)
                .values(id=machine, **row)
                .on_conflict_do_update(index_elements=[machines.c.id], set_=row)
            )

    async def record_heartbeat(self, machine: str, at_work: int, report: str = "") -> HeartbeatReply | None:
        """Record a heartbeat, with a text for the other machines; empty: none.

        Returns the number of machines and their reports, or None if this machine was declared dead.
        """
        known = machines.alias()
        count = sa.select(sa.func.count()).select_from(known).scalar_subquery()
        heard = (
            sa.select(
                sa.func.json_agg(sa.func.json_build_array(SERVER_NOW_MS - known.c.seen_ms, known.c.report))
            )
            .where(known.c.id != machine, known.c.report != "")
            .scalar_subquery()
        )
        async with self._database.writing(is_alone=False) as connection:
            found = await connection.execute(
                sa.update(machines)
                .where(machines.c.id == machine)
                .values(seen_ms=SERVER_NOW_MS, at_work=at_work, report=report)
                .returning(count.label("machines"), heard.label("heard"))
            )
        if (row := found.one_or_none()) is None:
            return None
        return HeartbeatReply(
            row.machines, tuple(Report(silent_ms / 1000, text) for silent_ms, text in row.heard or ())
        )

    async def leave(self, machine: str) -> None:
        """Delete a machine and the leases that it holds."""
        async with self._database.writing(is_alone=False) as connection:
            await connection.execute(sa.delete(leases).where(leases.c.holder == machine))
            await connection.execute(sa.delete(machines).where(machines.c.id == machine))

    async def remove_dead(self) -> tuple[str, ...]:
        """Delete the records of dead machines; return the ids of the machines that are left."""
        async with self._database.writing(is_alone=False) as connection:
            await connection.execute(
                sa.delete(machines).where(machines.c.seen_ms < SERVER_NOW_MS - int(DEAD_SECONDS * 1000))
            )
            return tuple(await connection.scalars(sa.select(machines.c.id)))

    async def list(self) -> tuple[Machine, ...]:
        """Return the recorded machines, oldest first."""
        query = sa.select(machines, (SERVER_NOW_MS - machines.c.seen_ms).label("silent_ms"))
        rows = await self._database.rows(query.order_by(machines.c.started_ms, machines.c.id))
        return tuple(
            Machine(
                row.id,
                row.version,
                datetime.fromtimestamp(row.started_ms / 1000, UTC),
                row.silent_ms / 1000,
                row.at_work,
            )
            for row in rows
        )

    async def hold(self, lease: str, machine: str) -> bool:
        """Take or renew a lease; return whether the machine holds it now, for `LEASE_SECONDS`."""
        row = {"holder": machine, "until_ms": SERVER_NOW_MS + int(LEASE_SECONDS * 1000)}
        is_free = sa.or_(leases.c.holder == machine, leases.c.until_ms < SERVER_NOW_MS)
        async with self._database.writing(is_alone=False) as connection:
            holder = await connection.scalar(
                insert(leases)
                .values(name=lease, **row)
                .on_conflict_do_update(index_elements=[leases.c.name], set_=row, where=is_free)
                .returning(leases.c.holder)
            )
        return bool(holder == machine)

    async def release(self, lease: str, machine: str) -> None:
        """Give a lease back; one that another machine holds stays."""
        async with self._database.writing(is_alone=False) as connection:
            await connection.execute(
                sa.delete(leases).where(leases.c.name == lease, leases.c.holder == machine)
            )
