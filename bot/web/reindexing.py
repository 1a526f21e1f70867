"""Reindexes the documents when an administrator asks: a durable job, so a request survives a crash."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import structlog

from bot.documents.library import Library
from bot.jobs.values import Job
from bot.service.errors import StorageError
from rag.errors import ThinkTwiceError
from rag.knowledge.sync import Failure, Progress, SyncReport
from rag.reasons import Reason, from_json
from rag.runs.run import RunStep

_log = structlog.get_logger(__name__)

INDEX: Final = "index"
"""The kind of job that reindexes; its payload is JSON: `key`, `who`, `rebuild` and `failed`."""


@dataclass(slots=True)
class Reindexing:
    """Carries out one request at a time; the outcome stays until the next one begins."""

    library: Library
    submit: Callable[[Job], Awaitable[bool]]
    progress: Progress | None = None
    report: SyncReport | None = None
    failure: Reason | None = None
    _wanted: set[str] = field(default_factory=set)
    _turn: asyncio.Lock = field(default_factory=asyncio.Lock)

    @property
    def is_at_work(self) -> bool:
        """Whether the documents are being read, or will be at once."""
        return bool(self._wanted)

    async def start(
        self, who: str, person: str, *, rebuild: bool = False, refused: Sequence[Failure] = ()
    ) -> None:
        """Have what changed read, or everything, as soon as no other reading is at work.

        Args:
            who: Name of the person who wants it.
            person: Key of this person.
            refused: Files that were not taken in; the report names them too.
        """
        key = f"{INDEX}:{secrets.token_hex(8)}"
        failed = [(one.path, one.reason.to_json()) for one in refused]
        payload = json.dumps({"key": key, "who": who, "rebuild": rebuild, "failed": failed})
        # First: the job may be done before its submitter goes on.
        self._wanted.add(key)
        try:
            await self.submit(Job(key, INDEX, payload, person=person))
        except StorageError:
            self._wanted.discard(key)
            raise

    async def carry_out(self, payload: str, _run_step: RunStep) -> None:
        """Read the documents: the work of the job. It can be done again without harm, so it has no steps."""
        request = json.loads(payload)
        self._wanted.add(request["key"])
        try:
            async with self._turn:
                self.progress = self.report = self.failure = None
                who, rebuild = request["who"], request["rebuild"]
                report = await self.library.sync(who, rebuild=rebuild, on_progress=self._tell, waits=True)
                # Payloads recorded by an earlier version name no refused files.
                refused = (Failure(path, from_json(why)) for path, why in request.get("failed", ()))
                self.report = replace(report, failed=(*refused, *report.failed))
        except ThinkTwiceError as exc:
            if isinstance(exc, StorageError) and exc.is_passing:
                raise  # the job is carried out again when the database is back
            _log.warning("the documents could not be read", reason=str(exc))
            self.failure = exc.reason
        finally:
            self._wanted.discard(request["key"])

    def _tell(self, progress: Progress) -> None:
        self.progress = progress
