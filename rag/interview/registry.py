"""Versions of schemas: which there are, whether a document fits one, and how a session comes to a newer pack.

A session keeps the version of the pack that it began with. When the pack is newer, the session follows:
a version with the same first number fits as it is, and another one needs a migration in the pack, which says
where facts stand from now on. Without one the session stays as it is, and whoever opens it is told so.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Literal

import jsonschema
from pydantic import AwareDatetime, JsonValue, TypeAdapter

from rag.errors import InputError
from rag.interview.documents import State, ValidationResult
from rag.interview.events import InterviewEvent, Migrated, apply_migration, fold
from rag.interview.missions import Mission, domain_errors
from rag.reasons import Reason

FOLDER = Path(__file__).parent / "schemas"

Compatibility = Literal["backward", "breaking"]
"""Whether documents of the version before fit as well."""

_MOMENT: TypeAdapter[datetime] = TypeAdapter(AwareDatetime)
_MAX_MIGRATIONS = 100


class IncompatibleVersionError(InputError):
    """A session was begun with a version of its pack that this one cannot go on with."""


@dataclass(frozen=True, slots=True)
class Registered:
    """A version of a schema.

    Args:
        schema_id: Name of the schema.
        schema_version: Its version, three numbers.
        compatibility: Whether documents of the version before fit as well.
        schema: The JSON Schema.
    """

    schema_id: str
    schema_version: str
    compatibility: Compatibility
    schema: dict[str, Any]


class Registry:
    """The schemas by name and version.

    Args:
        entries: The versions.
    """

    def __init__(self, entries: Iterable[Registered]) -> None:
        self._entries = sorted(entries, key=lambda entry: read_version(entry.schema_version))

    def find(self, schema_id: str, version: str = "") -> Registered:
        """Return a version of a schema, the newest one if none is named.

        Raises:
            LookupError: there is none.
        """
        for entry in reversed(self._entries):
            if entry.schema_id == schema_id and version in {"", entry.schema_version}:
                return entry
        raise LookupError(f"no schema {schema_id} {version}".rstrip())

    def validate(self, schema_id: str, document: JsonValue, version: str = "") -> ValidationResult:
        """Return whether a document fits a schema; each error begins with the path that it is about.

        Raises:
            LookupError: there is no such schema.
        """
        validator = jsonschema.Draft202012Validator(
            self.find(schema_id, version).schema,
            format_checker=jsonschema.Draft202012Validator.FORMAT_CHECKER,
        )
        found = sorted(validator.iter_errors(document), key=lambda error: error.json_path)
        errors = tuple(f"{error.json_path}: {error.message}" for error in found)
        return ValidationResult(is_valid=not errors, errors=errors)


def open_registry(missions: Iterable[Mission] = ()) -> Registry:
    """Return the schemas of the state and of a model's reply, and those of the domains of packs."""
    entries = [_read(path) for path in sorted(FOLDER.glob("*.schema.json"))]
    entries += [
        Registered(mission.id, mission.version, "backward", dict(mission.domain_schema))
        for mission in missions
    ]
    return Registry(entries)


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
            event = Migrated(schema_version=step.to_version, moves=step.moves, at=_MOMENT.validate_python(at))
        elif _fits(version, mission.version):
            event = Migrated(schema_version=mission.version, at=_MOMENT.validate_python(at))
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


def _read(path: Path) -> Registered:
    schema = json.loads(path.read_text(encoding="utf-8"))
    schema_id, _, version = schema["$id"].partition("@")
    return Registered(schema_id, version, "backward", schema)
