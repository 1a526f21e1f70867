"""The last evaluation reports: what ``thinktwice evaluate … --report`` wrote into the folder of reports."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.web import context
from bot.web.visitors import Admin

router = APIRouter(include_in_schema=False)

FOLDER: Final = "reports"
"""Inside the data folder."""

_KINDS: Final = ("verdicts", "retrieval", "answers")
_MOST_BYTES: Final = 20_000_000
_MOST_FIGURES: Final = 60


@dataclass(frozen=True, slots=True)
class Report:
    """A report: its kind, when it was written, and its figures by name."""

    kind: str
    at: datetime
    figures: tuple[tuple[str, str], ...]


@router.get("/quality")
async def show(request: Request, visitor: Admin) -> Response:
    """Show the figures of each report."""
    found = context.of(request)
    folder = found.parts.settings.data_dir / FOLDER
    reports = await asyncio.to_thread(_read, folder)
    return found.page("quality.html", visitor, reports=reports, folder=str(folder))


def _read(folder: Path) -> list[Report]:
    reports = []
    for kind in _KINDS:
        path = folder / f"{kind}.json"
        try:
            status = path.stat()
            if status.st_size > _MOST_BYTES:
                continue
            content = json.loads(path.read_bytes())
        except (OSError, ValueError, RecursionError):
            continue
        at = datetime.fromtimestamp(status.st_mtime, UTC)
        reports.append(Report(kind, at, tuple(_figures(content))[:_MOST_FIGURES]))
    return reports


def _figures(content: Any, name: str = "") -> Iterator[tuple[str, str]]:  # noqa: ANN401 - JSON
    """The numbers of a report, by their names; lists hold single rows, which are left out."""
    match content:
        case dict():
            for key, value in content.items():
                yield from _figures(value, f"{name} · {key}" if name else str(key))
        case bool() | None | list():
            return
        case float():
            yield name.replace("_", " "), f"{content:.4g}"
        case int():
            yield name.replace("_", " "), str(content)
