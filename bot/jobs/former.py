"""Carries the unfinished work of the former version over, which was kept by dbos, and deletes what it leaves.

Before, a SQLite file of its own, or a schema of the PostgreSQL database, held the work in progress. The
records of steps had the form that they have now; where one cannot be read, its run begins from the start.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import sqlalchemy as sa
import structlog
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.jobs import records
from bot.jobs.attempts import Attempts
from bot.jobs.journal import Journal
from bot.service.errors import StorageError
from bot.storage.database import translated
from bot.storage.dialects import insert
from bot.storage.tables import run_steps, runs

_log = structlog.get_logger(__name__)

FILE_NAME: Final = "jobs.sqlite3"
_SCHEMA: Final = "dbos"
_VERSION: Final = 125
"""The form of the tables that the former version has made."""

_MADE: Final = "SELECT max(version) FROM {schema}dbos_migrations"
_JOBS: Final = """
SELECT s.workflow_uuid, s.status, s.queue_partition_key, s.priority, s.recovery_attempts,
    s.authenticated_user, s.attributes, s.created_at, coalesce(i.inputs, s.inputs)
FROM {schema}workflow_status s LEFT JOIN {schema}workflow_input i ON i.workflow_uuid = s.workflow_uuid
WHERE s.status IN ('PENDING', 'ENQUEUED', 'DELAYED') ORDER BY s.created_at, s.workflow_uuid
"""
_STEPS: Final = """
SELECT workflow_uuid, function_name, output FROM {schema}operation_outputs ORDER BY workflow_uuid, function_id
"""
_ATTEMPTS: Final = TypeAdapter(dict[str, Attempts])


@dataclass(frozen=True, slots=True)
class _Found:
    version: int
    jobs: list[Any]
    steps: list[Any]


async def carry_over(journal: Journal, folder: Path) -> int:
    """Carry unfinished work over, once; return how many runs that is.

    Args:
        journal: Takes it.
        folder: The data folder, in which the file was.

    Raises:
        StorageError: it cannot be read, or was written by a version before the last one.
    """
    database, file = journal.database, folder / FILE_NAME
    if database.is_server:
        async with database.writing() as connection:
            if not await connection.run_sync(
                lambda bind: sa.inspect(bind).has_table("workflow_status", _SCHEMA)
            ):
                return 0
            found = await _read_server(connection)
            count = await _write(connection, found, f"the schema {_SCHEMA} of the database")
            await connection.execute(sa.text(f"DROP SCHEMA {_SCHEMA} CASCADE"))
    else:
        if not await asyncio.to_thread(file.exists):
            return 0
        with translated(str(file)):
            found = await asyncio.to_thread(_read_file, file)
        async with database.writing() as connection:
            count = await _write(connection, found, str(file))
        await asyncio.to_thread(_delete, file)
    _log.info("work of the former version goes on", runs=count)
    return count


def _read_file(file: Path) -> _Found:
    with closing(sqlite3.connect(file)) as connection:
        tables = {name for (name,) in connection.execute("SELECT name FROM sqlite_master")}
        if "workflow_status" not in tables:
            return _Found(_VERSION, [], [])
        (version,) = connection.execute(_MADE.format(schema="")).fetchone()
        if version != _VERSION:
            return _Found(version, [], [])
        jobs, steps = (connection.execute(query.format(schema="")).fetchall() for query in (_JOBS, _STEPS))
        return _Found(version, jobs, steps)


async def _read_server(connection: AsyncConnection) -> _Found:
    version = await connection.scalar(sa.text(_MADE.format(schema=f"{_SCHEMA}.")))
    if version != _VERSION:
        return _Found(int(version or 0), [], [])
    jobs, steps = [
        list((await connection.execute(sa.text(query.format(schema=f"{_SCHEMA}.")))).all())
        for query in (_JOBS, _STEPS)
    ]
    return _Found(_VERSION, jobs, steps)


async def _write(connection: AsyncConnection, found: _Found, place: str) -> int:
    if found.version != _VERSION:
        raise _refusal(place)
    steps = _read_steps(found.steps)
    for job_id, status, lane, position, begun, person, attributes, created_ms, given in found.jobs:
        try:
            kind, payload = records.load(given)["args"][:2]
        except (records.UnreadableRecordError, KeyError, TypeError, ValueError) as exc:
            raise _refusal(place) from exc
        is_begun = status == "PENDING" or bool(begun)
        own = steps.get(job_id, {})
        values = {
            "work": kind,
            "payload": payload,
            "person": person or "",
            "lane": lane or "",
            "position": position or 1,
            "state": "waiting",
            "attempts": _read_attempts(attributes, len(own)) if is_begun else None,
            "at": datetime.fromtimestamp(created_ms / 1000, UTC),
            "ended_at": None,
        }
        await connection.execute(
            insert(connection, runs)
            .values(id=job_id, kind="", conversation_id="", **values)
            .on_conflict_do_update(index_elements=[runs.c.id], set_=values)
        )
        # After a failure before the end, what was carried over comes once more.
        await connection.execute(sa.delete(run_steps).where(run_steps.c.run_id == job_id))
        if own:
            rows = [{"run_id": job_id, "name": name, "outcome": text} for name, text in own.items()]
            await connection.execute(sa.insert(run_steps), rows)
    # What nobody works on any more has ended for those who watch, too.
    is_lost = sa.and_(runs.c.kind != "", runs.c.state == "done", runs.c.result.is_(None))
    await connection.execute(sa.update(runs).where(is_lost).values(result="cancelled"))
    return len(found.jobs)


def _read_steps(rows: list[Any]) -> dict[str, dict[str, str]]:
    """Return the records by job and step; none of a job of which one cannot be read."""
    steps: dict[str, dict[str, str]] = {}
    unreadable: set[str] = set()
    for job_id, name, output in rows:
        try:
            steps.setdefault(job_id, {}).update(_read_step(name, output))
        except (records.UnreadableRecordError, ValueError, TypeError, LookupError):
            unreadable.add(job_id)
    return {job_id: own for job_id, own in steps.items() if job_id not in unreadable}


def _read_step(name: str, output: str | None) -> dict[str, str]:
    """Return the records of a step, and of the light ones before it, by their names."""
    held = json.loads(output or "")["of"]
    found = {}
    for step, outcome in (*held["before"]["of"], (name, held["own"])):
        of = outcome["of"]
        found[step] = json.dumps(of["value"] if of["error"] is None else of["error"])
        records.load(found[step])
    return found


def _read_attempts(attributes: object, steps: int) -> str:
    text = attributes if isinstance(attributes, str) else ""
    known = Attempts()
    with suppress(ValidationError):
        known = (_ATTEMPTS.validate_json(text) if text else _ATTEMPTS.validate_python(attributes)).get(
            "attempts", known
        )
    return TypeAdapter(Attempts).dump_json(known.after_restart(steps)).decode()


def _refusal(place: str) -> StorageError:
    return StorageError(
        f"the work in progress in {place} was written by a version before the last one, which this one "
        "cannot read: run the last version until everything is answered, then start this one"
    )


def _delete(file: Path) -> None:
    for name in (file, *(file.with_name(f"{file.name}-{end}") for end in ("wal", "shm"))):
        name.unlink(missing_ok=True)
