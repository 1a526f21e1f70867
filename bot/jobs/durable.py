"""dbos, started and stopped: the one engine of a process.

It keeps workflows and the outcomes of their steps. It talks to its database
alone: no conductor, no exporter, no alerts.
"""

from __future__ import annotations

import asyncio
import logging
import sqlite3
from collections.abc import AsyncIterator, Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, closing
from contextvars import Context
from typing import Any, Final, TypeVar

import sqlalchemy as sa
from dbos import DBOS, DBOSConfig
from sqlalchemy.exc import SQLAlchemyError

from bot.jobs.queue_polling import QueuePolling
from bot.jobs.serializer import Records, refuse_foreign_records
from bot.jobs.sqlite_turns import connections_in_line
from rag.errors import OperatorError
from rag.knowledge.write_ahead import switch_to_write_ahead_log

_BUSY_SECONDS = 5.0
"""How long to wait for another program that switches the same file to a write-ahead log."""
LANES: Final = "lanes"
"""The queue of all jobs that have a lane."""

# dbos continues only workflows of this version. Its default is a hash of the code: after an upgrade, the jobs
# that the former version left unfinished would not be continued.
_APPLICATION_VERSION: Final = "1"

# How often dbos polls the queue; see `bot.jobs.queue_polling`. A question waits half of it; with a shorter
# interval a busy bot would take up its questions in smaller batches, which costs more.
_POLLING_SECONDS: Final = 0.2
# Longest time between two polls of an idle bot: with a file of its own, no other process queues jobs.
_ALONE_POLLING_SECONDS: Final = 15.0
_SHARED_POLLING_SECONDS: Final = 1.0

lane_polling: Final = QueuePolling()
"""Is notified when there may be work in a lane."""

T = TypeVar("T")


class JobsError(OperatorError):
    """The database of the work in progress cannot be used."""


async def call_outside_workflow(work: Coroutine[Any, Any, T]) -> T:
    """Call dbos outside the current workflow.

    Inside a workflow, dbos records every call as a step, which would have to recur in the same place after a
    crash.
    """
    return await asyncio.create_task(work, context=Context())


async def requeue_work_of(executor: str) -> int:
    """Put the workflows that a dead executor has begun back into their queues; return how many.

    dbos does this for its own executor at the start. The method that does it for others is marked as
    internal; it changes only workflows that still belong to that executor, so several callers do no harm.
    """
    return len(await asyncio.to_thread(DBOS._recover_pending_workflows, [executor]))  # noqa: SLF001


@asynccontextmanager
async def engine(url: str, executor: str, most_at_work: int) -> AsyncIterator[None]:
    """Run dbos; workflows run on the running event loop.

    Args:
        url: ``sqlite:///FILE`` or ``postgresql://…``.
        executor: Which process this is; it goes on with what was begun under the same name.
        most_at_work: Jobs of lanes that are carried out at the same time, at the most.

    Raises:
        JobsError: the database cannot be opened, or not be used any more.
    """
    is_file = sa.make_url(url).get_backend_name() == "sqlite"
    # SQLite connections are never closed by a server. `replace_closed_connections` detects closed PostgreSQL
    # connections without the extra transaction of a pre-ping.
    engine_options: dict[str, Any] = {"pool_pre_ping": False}
    if is_file:
        engine_options["connect_args"] = {"factory": connections_in_line()}
    config = DBOSConfig(
        name="thinktwice",
        system_database_url=url,
        application_version=_APPLICATION_VERSION,
        executor_id=executor,
        enable_otlp=False,
        db_engine_kwargs=engine_options,
        log_level="WARNING",
        serializer=Records(),
        # Nobody listens, so it costs nothing; but a stop waits for it.
        notification_listener_polling_interval_sec=0.1,
    )
    _join_logs()
    refuse_foreign_records()
    dbos = DBOS(config=config)
    try:
        try:
            await asyncio.to_thread(_switch_to_write_ahead_log, url)
            # Not in a thread: dbos takes the loop that it is launched on for the one of the workflows.
            DBOS.launch()
            if not is_file:
                # Imported here, so that users of SQLite need not wait for psycopg.
                from bot.storage import server_connections

                server_connections.replace_closed_connections(dbos._sys_db.engine)  # noqa: SLF001
            await call_outside_workflow(
                DBOS.register_queue_async(
                    LANES,
                    partition_concurrency=1,
                    worker_concurrency=most_at_work,
                    polling_interval_sec=_POLLING_SECONDS,
                    on_conflict="always_update",
                )
            )
            idle_seconds = _ALONE_POLLING_SECONDS if is_file else _SHARED_POLLING_SECONDS
            await asyncio.to_thread(lane_polling.install, dbos._sys_db, LANES, idle_seconds)  # noqa: SLF001 - see its module
            # Errors of the database inside the block become `JobsError` as well.
            yield
        except (SQLAlchemyError, sqlite3.Error) as exc:
            cause = getattr(exc, "orig", None) or exc
            raise JobsError(
                f"the work in progress cannot be kept in {_hide_password(url)} ({cause}): "
                "check the database, or the folder and its disk"
            ) from exc
    finally:
        # Its threads hand work to the loop: waiting for them on the loop would be waiting for ever.
        await asyncio.to_thread(DBOS.destroy)
        # dbos had made its own threads the default of the loop, and has just closed them.
        asyncio.get_running_loop().set_default_executor(ThreadPoolExecutor())


def _switch_to_write_ahead_log(url: str) -> None:
    """Switch the file of dbos, which leaves SQLite's default; commits are on the disk as before."""
    parsed = sa.make_url(url)
    if parsed.get_backend_name() == "sqlite" and parsed.database:
        with closing(sqlite3.connect(parsed.database)) as connection:
            switch_to_write_ahead_log(connection, _BUSY_SECONDS)


def _hide_password(url: str) -> str:
    return sa.make_url(url).render_as_string(hide_password=True)


def _join_logs() -> None:
    """Send the log lines of dbos through our log."""
    log = logging.getLogger("dbos")
    # It adds a handler of its own unless there is one.
    if not log.handlers:
        log.addHandler(logging.NullHandler())
    log.propagate = True
    if not any(isinstance(known, _Expected) for known in log.filters):
        log.addFilter(_Expected())


class _Expected(logging.Filter):
    """Drops log lines of dbos about workflows that end early; `Jobs` logs those that matter."""

    _BEGINNINGS = (
        "Asyncio task cancelled for workflow or step",
        "Exception encountered in asynchronous workflow",
    )

    def filter(self, record: logging.LogRecord) -> bool:
        message = record.getMessage()
        return not (
            message.startswith(self._BEGINNINGS)
            or (message.startswith("Workflow ") and "Waiting for the recorded outcome" in message)
        )
