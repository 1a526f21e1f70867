"""Versions of packs: how a session comes to a newer one.

A session keeps the version of the pack that it began with. When the pack is newer, the session follows:
a version with the same first number fits as it is, and another one needs a migration in the pack, which says
where facts stand from now on. Without one the session stays as it is, and whoever opens it is told so.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from rag.errors import InputError
from rag.interview.documents import State
from rag.interview.events import MOMENT, InterviewEvent, Migrated, apply_migration, fold
from rag.interview.missions import Mission, domain_errors
from rag.reasons import Reason

_MAX_MIGRATIONS = 100


class IncompatibleVersionError(InputError):
    """A session was begun with a version of its pack that this one cannot go on with."""


def read_version(text: str) -> tuple[int, ...]:
    """Return the three numbers of a version."""
    return tuple(int(part) for part in text.split("."))


def migrate(events: Sequence[InterviewEvent], mission: Mission, at: datetime) -> tuple[Migrated, ...]:
    """Return the events that bring a session to the version of its pack; none if it has it already.

    Raises:
        IncompatibleVersionError: the pack is older than the session, or holds no migration from its version.
    """
    state = fold(events)
    added: list[Migrated] = []
    for _ in range(_MAX_MIGRATIONS):
        version = state.meta.schema_version
        if version == mission.version:
            break
        step = next((one for one in mission.migrations if one.from_version == version), None)
        if step is not None:
            event = Migrated(schema_version=step.to_version, moves=step.moves, at=MOMENT.validate_python(at))
        elif _fits(version, mission.version):
            event = Migrated(schema_version=mission.version, at=MOMENT.validate_python(at))
        else:
            raise _incompatible(state, mission)
        state = apply_migration(state, event)
        added.append(event)
    if state.meta.schema_version != mission.version or (added and domain_errors(mission, state.domain)):
        raise _incompatible(state, mission)
    return tuple(added)


def _fits(old: str, new: str) -> bool:
    before, now = read_version(old), read_version(new)
    return before[0] == now[0] and before < now


def _incompatible(state: State, mission: Mission) -> IncompatibleVersionError:
    old = state.meta.schema_version
    return IncompatibleVersionError(
        Reason("interview-version", {"pack": mission.id, "old": old, "new": mission.version})
    )
