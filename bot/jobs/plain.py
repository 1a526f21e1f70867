"""Turns the stored record of a job into plain JSON values, for the export of a person's data."""

from __future__ import annotations

import json
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import fields, is_dataclass
from datetime import datetime

from bot.jobs.values import Kept


def plain_job(kept: Kept) -> dict[str, object]:
    """Return what is kept of a job; a payload that is JSON itself is shown as such."""
    return {
        "id": kept.id,
        "kind": kept.kind,
        "state": kept.state,
        "submitted_at": kept.at.isoformat(),
        "payload": _payload(kept.payload),
        "outcomes": plain(kept.outcomes),
    }


def plain(value: object) -> object:
    """Return a value as values of JSON: fields by name, moments in ISO 8601, errors as their sentence."""
    match value:
        case None | str() | bool() | int() | float():
            return value
        case datetime():
            return value.isoformat()
        case Mapping():
            return {str(key): plain(each) for key, each in value.items()}
        case list() | tuple():
            return [plain(each) for each in value]
        case AbstractSet():
            return sorted((plain(each) for each in value), key=str)
        case _ if is_dataclass(value) and not isinstance(value, type):
            return {field.name: plain(getattr(value, field.name)) for field in fields(value)}
        case _:
            return str(value)


def _payload(payload: str) -> object:
    try:
        return json.loads(payload)
    except ValueError:
        return payload
