"""Is everything working? One value a part, for every channel to draw.

To add a part, write a method of `HealthCheck` that returns what there is to say, or raises an error with the
reason when the part does not work. List it in `HealthCheck.parts`, with a message ``health-<part>`` in every
catalogue.
"""

from __future__ import annotations

import asyncio
import importlib.metadata
import shutil
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Final, Protocol

from bot.settings.operator_words import in_operator_words
from bot.texts import TEXTS
from bot.texts.figures import date_time, duration, size
from rag.errors import ThinkTwiceError
from rag.reasons import Reason, reason_of_os

if TYPE_CHECKING:
    from bot.documents.library import Library
    from bot.fleet.machines import Machine
    from bot.jobs.values import DeadLetter
    from rag.models.roles import ModelStatus

_LEAST_FREE_BYTES: Final = 500_000_000
_PATIENCE_SECONDS: Final = 10.0

Probe = Callable[[], Awaitable[str]]
"""Looks at one part: returns what there is to say, or raises why the part does not work."""


class Jobs(Protocol):
    """The work in progress; `bot.jobs.runner.Jobs` fulfils it."""

    @property
    def trouble(self) -> Reason | None:
        """Why nothing can be recorded at the moment; None when all is well."""
        ...

    async def dead_letters(self, limit: int = 100) -> tuple[DeadLetter, ...]:
        """Return the jobs that were given up, newest first."""
        ...


@dataclass(frozen=True, slots=True)
class PartHealth:
    """The health of one part, whose name in the message catalogues stands behind ``health-``."""

    part: str
    is_fine: bool
    text: str


class _FaultyError(Exception):
    """A part does not work; the text says why, in the reader's language."""


@dataclass(frozen=True, slots=True, kw_only=True)
class HealthCheck:
    """Looks at the parts of a running bot.

    Args:
        database: Reads a row of the database; it raises `StorageError`.
        language: ISO 639-1 code of the reader's language.
        name_as: Writes the name of a model as the channel shows names.
        path_as: Writes a path as the channel shows it to this reader.
        others: Parts that the channel alone has, shown behind the models.
        machines: Returns the machines of the fleet; None: this machine is alone.
    """

    database: Callable[[], Awaitable[object]]
    jobs: Jobs
    library: Library
    models: Callable[[], Awaitable[Sequence[ModelStatus]]]
    data_dir: Path
    started_at: datetime
    clock: Callable[[], datetime]
    language: str
    name_as: Callable[[str], str] = str
    path_as: Callable[[Path], str] = str
    others: Mapping[str, Probe] = field(default_factory=dict)
    machines: Callable[[], Awaitable[Sequence[Machine]]] | None = None

    async def look(self) -> tuple[PartHealth, ...]:
        """Look at every part at the same time."""
        return tuple(await asyncio.gather(*(self._look_at(*part) for part in self.parts().items())))

    def parts(self) -> Mapping[str, Probe]:
        """Return what is looked at, in the order in which it is shown."""
        return {
            "database": self._database,
            "jobs": self._jobs,
            "given-up": self._given_up,
            "documents": self._documents,
            "models": self._models,
            **self.others,
            **({"machines": self._machines} if self.machines else {}),
            "disk": self._disk,
            "uptime": self._uptime,
            "version": self._version,
        }

    async def _look_at(self, part: str, probe: Probe) -> PartHealth:
        try:
            async with asyncio.timeout(_PATIENCE_SECONDS):
                return PartHealth(part, is_fine=True, text=await probe())
        except TimeoutError:
            text = self._text("health-silent")
        except _FaultyError as exc:
            text = str(exc)
        except ThinkTwiceError as exc:
            text = self._reason(exc.reason)
        except OSError as exc:
            text = self._reason(reason_of_os(exc))
        return PartHealth(part, is_fine=False, text=text)

    async def _database(self) -> str:
        await self.database()
        return self._text("health-fine")

    async def _jobs(self) -> str:
        if trouble := self.jobs.trouble:
            raise _FaultyError(self._reason(trouble))
        return self._text("health-fine")

    async def _given_up(self) -> str:
        letters = await self.jobs.dead_letters()
        if letters:
            newest = letters[0]
            raise _FaultyError(f"{len(letters)} ({date_time(newest.at)}: {self._reason(newest.reason)})")
        return self._text("health-none")

    async def _documents(self) -> str:
        size = await self.library.measure_size()
        faults = sum(bool(entry.notes) for entry in await self.library.entries())
        text = self._text(
            "health-held", documents=size.documents, passages=size.passages, generation=str(size.generation)
        )
        if size.read_at:
            text = f"{text}, {self._text('health-read', at=date_time(size.read_at))}"
        if lost := await self.library.lost():
            gone = (self._reason(Reason("corpus-gone", {"path": self.path_as(path)})) for path in lost)
            raise _FaultyError(f"{text}, {'; '.join(gone)}")
        if trouble := self.library.trouble:
            if "path" in trouble.values:
                shown = self.path_as(Path(str(trouble.values["path"])))
                trouble = replace(trouble, values={**trouble.values, "path": shown})
            raise _FaultyError(f"{text}, {self._reason(trouble)}")
        if faults or not size.passages:
            raise _FaultyError(f"{text}, {self._text('health-faults', files=faults)}")
        return text

    async def _models(self) -> str:
        states = dict.fromkeys((state.name, state.reachable, state.reason) for state in await self.models())
        away = [
            f"{self.name_as(name)}: {self._reason(reason) if reason else ''}"
            for name, is_reachable, reason in states
            if not is_reachable
        ]
        if away:
            raise _FaultyError("; ".join(away))
        return ", ".join(f"{name} ({self._reason(why)})" if why else name for name, _, why in states)

    async def _machines(self) -> str:
        assert self.machines is not None  # it is a part only then
        return "; ".join(
            self._text(
                "health-machine",
                name=self.name_as(machine.id),
                version=machine.version,
                jobs=machine.at_work,
                ago=duration(machine.silent_seconds, self.language),
            )
            for machine in await self.machines()
        )

    async def _disk(self) -> str:
        usage = await asyncio.to_thread(shutil.disk_usage, self.data_dir)
        text = self._text("health-free", size=size(usage.free, self.language))
        if usage.free < _LEAST_FREE_BYTES:
            raise _FaultyError(text)
        return text

    async def _uptime(self) -> str:
        return duration(max((self.clock() - self.started_at).total_seconds(), 0.0), self.language)

    async def _version(self) -> str:
        return importlib.metadata.version("thinktwice")

    def _text(self, message: str, **values: str | int) -> str:
        return TEXTS.text(message, self.language, **values)

    def _reason(self, reason: Reason) -> str:
        return in_operator_words(TEXTS.reason(reason, self.language))
