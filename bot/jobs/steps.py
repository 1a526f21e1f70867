"""The steps of one run: each is carried out once, its outcome is recorded, and read back after a crash.

A record costs a transaction, so light steps (see `rag.runs.work.RunStep`) have none of their own: their
outcomes are recorded together with the next step that is recorded. Nothing outside depends on them before
that record, so after a crash they can be carried out anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from bot.current_step import Along, carrying_out
from bot.jobs import records
from bot.jobs.records import UnreadableRecordError

Step: TypeAlias = Callable[[], Awaitable[Any]]

Record: TypeAlias = Callable[[Mapping[str, str], Along], Awaitable[None]]
"""Records outcomes by the names of their steps, in one transaction with what was written along."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """The value that a step returned, or the error that it raised."""

    value: Any = None
    error: Exception | None = None

    def unwrap(self) -> Any:  # noqa: ANN401 - a step's own type
        """Return the value, or raise the error."""
        if self.error is not None:
            raise self.error
        return self.value

    def dump(self) -> str:
        """Return the record of the outcome."""
        return records.dump(self.value if self.error is None else self.error)

    @classmethod
    def load(cls, record: str) -> Outcome:
        """Read a record; raise `UnreadableRecordError` where another version wrote it."""
        value = records.load(record)
        return cls(error=value) if isinstance(value, Exception) else cls(value)

    @staticmethod
    def shown(record: str) -> object:
        """Return the value or the error of a record; a record that cannot be read as it is stored."""
        try:
            return records.load(record)
        except UnreadableRecordError:
            return record


class Steps:
    """The steps of one run that is carried out.

    Args:
        recorded: The records of an earlier beginning, by the names of the steps.
        since: When the run was submitted, if it was begun before: the first step without a record may then
            have been begun, too.
    """

    def __init__(
        self,
        run_id: str,
        record: Record,
        recorded: Mapping[str, str] | None = None,
        since: datetime | None = None,
    ) -> None:
        self._run_id = run_id
        self._record = record
        self._recorded = recorded or {}
        self._since = since
        self._is_reopened = since is not None
        self._light: dict[str, str] = {}

    async def carry_out(self, name: str, step: Step, *, is_light: bool) -> Any:  # noqa: ANN401 - a step's own type
        """Return the outcome of a step, carried out if no record has it; raise as `Outcome.load` does."""
        if (known := self._recorded.get(name)) is not None:
            return Outcome.load(known).unwrap()
        # What a light step writes cannot wait: the next record may never come.
        along = Along(is_open=not is_light)
        key = f"{self._run_id}/{name}"
        with carrying_out(again=self._is_reopened, since=self._since, key=key, along=along):
            try:
                outcome = Outcome(await step())
            except Exception as exc:  # noqa: BLE001 - an outcome like any other
                outcome = Outcome(error=exc)
            except BaseException:
                await along.write()
                raise
        try:
            written = outcome.dump()
        except records.UnknownOutcomeError as exc:
            outcome, written = Outcome(error=exc), Outcome(error=exc).dump()
        if is_light:
            self._light[name] = written
            return outcome.unwrap()
        self._is_reopened = False
        light, self._light = self._light, {}
        await self._record({**light, name: written}, along)
        return outcome.unwrap()
