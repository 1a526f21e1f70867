"""Carries the unfinished work of the former version over, which was kept by dbos.

Before, a SQLite file of its own, or a schema of the PostgreSQL database, held the work in progress. It is
read before the database gets its new form, and written in the same transaction: where it cannot be read,
nothing has changed, and the former version still starts. The records of steps had the form that they have
now; where one cannot be read, its run begins from the start.
"""

from __future__ import annotations

import asyncio
import json
import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, TypeAlias

import sqlalchemy as sa
import structlog
from pydantic import TypeAdapter, ValidationError
from sqlalchemy.ext.asyncio import AsyncConnection

from bot.jobs import records
from bot.jobs.attempts import Attempts
from bot.service.errors import StorageError
from bot.storage.dialects import insert
from bot.storage.tables import run_steps, runs

_log = structlog.get_logger(__name__)

FILE_NAME: Final = "jobs.sqlite3"
_SCHEMA: Final = "dbos"
_VERSION: Final = 125
"""The form of the tables that the former version has made."""

_MADE: Final = "SELECT max(version) FROM {schema}dbos_migrations"
_UNFINISHED: Final = "status IN ('PENDING', 'ENQUEUED', 'DELAYED')"
_COUNT: Final = "SELECT count(*) FROM {schema}workflow_status WHERE {unfinished}"
_JOBS: Final = """
SELECT s.workflow_uuid, s.status, s.queue_partition_key, s.priority, s.recovery_attempts,
    s.authenticated_user, s.attributes, s.created_at, coalesce(i.inputs, s.inputs)
FROM {schema}workflow_status s LEFT JOIN {schema}workflow_input i ON i.workflow_uuid = s.workflow_uuid
WHERE s.{unfinished} ORDER BY s.created_at, s.workflow_uuid
"""
_STEPS: Final = """
SELECT workflow_uuid, function_name, output FROM {schema}operation_outputs ORDER BY workflow_uuid, function_id
"""
_ATTEMPTS: Final = TypeAdapter(dict[str, Attempts])

Former: TypeAlias = Sequence[tuple[dict[str, Any], dict[str, str]]]
"""Rows of unfinished runs, each with the records of its steps by their names."""


async def carry_over(
    connection: AsyncConnection, folder: Path, upgrade: Callable[[sa.Connection], None]
) -> None:
    """Upgrade the tables, and write the unfinished work of the former version as waiting runs.

    The caller has opened the transaction that keeps both or neither.

    Args:
        folder: The data folder; the file of the former version stays in it, see `delete`.

    Raises:
        StorageError: a version before the last one has written what is unfinished, or it cannot be read.
    """
    # First: what is refused here leaves a database that the former version can still use.
    if connection.dialect.name == "postgresql":
        former = await connection.run_sync(_take_from_server)
    else:
        former = await asyncio.to_thread(_read_file, folder / FILE_NAME)
    await connection.run_sync(upgrade)
    for row, steps in former:
        values = {name: value for name, value in row.items() if name != "id"}
        await connection.execute(
            insert(connection, runs)
            .values(kind="", conversation_id="", **row)
            .on_conflict_do_update(index_elements=[runs.c.id], set_=values)
        )
        if steps:
            rows = [{"run_id": row["id"], "name": name, "outcome": text} for name, text in steps.items()]
            await connection.execute(sa.insert(run_steps), rows)
    # What nobody works on any more has ended for those who watch, too.
    is_lost = sa.and_(runs.c.kind != "", runs.c.state == "done", runs.c.result.is_(None))
    await connection.execute(sa.update(runs).where(is_lost).values(result="cancelled"))
    if former:
        _log.info("work of the former version goes on", runs=len(former))


def _read_file(file: Path) -> Former:
    if not file.exists():
        return ()
    tables = "SELECT 1 FROM sqlite_master WHERE name = 'workflow_status'"
    try:
        with closing(sqlite3.connect(file)) as connection:
            is_made = connection.execute(tables).fetchone()
            return _read(lambda query: connection.execute(query).fetchall(), "", str(file)) if is_made else ()
    except sqlite3.Error as exc:
        raise StorageError(f"the work in {file} cannot be read ({exc}): restore a backup") from exc


def _take_from_server(connection: sa.Connection) -> Former:
    if not sa.inspect(connection).has_table("workflow_status", _SCHEMA):
        return ()
    place = f"the schema {_SCHEMA} of the database"
    found = _read(lambda query: connection.execute(sa.text(query)).all(), f"{_SCHEMA}.", place)
    connection.execute(sa.text(f"DROP SCHEMA {_SCHEMA} CASCADE"))
    return found


def _read(execute: Callable[[str], Sequence[Any]], schema: str, place: str) -> Former:
    def ask(query: str) -> Sequence[Any]:
        return execute(query.format(schema=schema, unfinished=_UNFINISHED))

    if ask(_COUNT)[0][0] == 0:
        return ()
    if ask(_MADE)[0][0] != _VERSION:
        raise _refusal(place)
    steps = _read_steps(ask(_STEPS))
    found = []
    for job_id, status, lane, position, begun, person, attributes, created_ms, given in ask(_JOBS):
        try:
            kind, payload = records.load(given)["args"][:2]
        except (records.UnreadableRecordError, KeyError, TypeError, ValueError) as exc:
            raise _refusal(place) from exc
        is_begun = status == "PENDING" or bool(begun)
        own = steps.get(job_id, {})
        row = {
            "id": job_id,
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
        found.append((row, own))
    return found


def _read_steps(rows: Sequence[Any]) -> dict[str, dict[str, str]]:
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


def delete(folder: Path) -> None:
    """Delete the file, whose work is in the database since that has its new form."""
    for end in ("", "-wal", "-shm"):
        (folder / f"{FILE_NAME}{end}").unlink(missing_ok=True)
