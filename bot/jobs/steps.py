"""The steps of one run: each is carried out once, its outcome is recorded, and read back after a crash.

A record costs a transaction, so light steps (see `rag.runs.work.RunStep`) have none of their own: their
outcomes are recorded together with the next step that is recorded, and what they write is kept then, or with
the end of the run. After a crash before that they are carried out anew.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeAlias

from bot.current_step import Write, carrying_out
from bot.jobs import records
from bot.jobs.records import UnreadableRecordError

Step: TypeAlias = Callable[[], Awaitable[Any]]

Record: TypeAlias = Callable[[Mapping[str, str], Sequence[Write]], Awaitable[None]]
"""Records outcomes by the names of their steps, in one transaction with what is written along."""


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
        self._unrecorded: dict[str, str] = {}
        self.along: list[Write] = []  # what steps without a record have to write

    async def carry_out(self, name: str, step: Step, *, is_light: bool) -> Any:  # noqa: ANN401 - a step's own type
        """Return the outcome of a step, carried out if no record has it; raise as `Outcome.load` does."""
        if (known := self._recorded.get(name)) is not None:
            return Outcome.load(known).unwrap()
        along: list[Write] = []
        key = f"{self._run_id}/{name}"
        with carrying_out(again=self._is_reopened, since=self._since, key=key, along=along):
            try:
                outcome = Outcome(await step())
            except Exception as exc:  # noqa: BLE001 - an outcome like any other
                outcome = Outcome(error=exc)
            finally:
                self.along += along
        try:
            written = outcome.dump()
        except records.UnknownOutcomeError as exc:
            outcome, written = Outcome(error=exc), Outcome(error=exc).dump()
        self._unrecorded[name] = written
        if not is_light:
            self._is_reopened = False
            outcomes, self._unrecorded = self._unrecorded, {}
            along, self.along = self.along, []
            await self._record(outcomes, along)
        return outcome.unwrap()
