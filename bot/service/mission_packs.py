"""The mission packs for interviews: those that are shipped, and those of the operator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import structlog

from bot.texts import TEXTS
from rag.errors import InputError
from rag.interview.issues import Say
from rag.interview.missions import SHIPPED, Mission, MissionError, list_missions, load_mission
from rag.reasons import Reason

_log = structlog.get_logger(__name__)


class PackUnknownError(InputError):
    """There is no pack of this name."""


class MissionPacks:
    """Mission packs by name. A broken pack is left out; the log and a sentence of `faults` say why."""

    def __init__(self, missions: Mapping[str, Mission], faults: Sequence[str] = ()) -> None:
        self._missions = dict(missions)
        self.faults = tuple(faults)

    @classmethod
    def load(cls, folders: Sequence[Path] = ()) -> MissionPacks:
        """Read the shipped packs, and those in `folders`, which replace packs of the same name; blocking."""
        missions: dict[str, Mission] = {}
        faults: list[str] = []
        for name, folder in list_missions((SHIPPED, *folders)).items():
            try:
                missions[name] = load_mission(folder)
            except MissionError as exc:
                faults.append(str(exc))
                _log.warning("a mission pack is left out", pack=name, reason=str(exc))
        return cls(missions, faults)

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the packs, sorted."""
        return tuple(sorted(self._missions))

    def find(self, name: str) -> Mission:
        """Return a pack by its name, in any case; raise `PackUnknownError` where there is none."""
        wanted = name.strip().casefold()
        for known, mission in self._missions.items():
            if known.casefold() == wanted:
                return mission
        raise PackUnknownError(
            # The message shows the name as code, so that typed text cannot become a link.
            Reason(
                "interview-pack-unknown",
                {"pack": name.strip().replace("`", "'"), "packs": ", ".join(self.names)},
            )
        )


def speaking(mission: Mission) -> Say:
    """Return what words questions in the language of a pack."""
    language = mission.locale.language

    def say(code: str, **values: str) -> str:
        return TEXTS.text(code, language, **values)

    return say
