"""The figures of a chosen time, their picture, and what the documents did not answer."""

from __future__ import annotations

import asyncio
from datetime import UTC, date, datetime, time, timedelta
from typing import Final

from fastapi import APIRouter
from starlette.requests import Request
from starlette.responses import Response

from bot.statistics import periods
from bot.statistics.picture import Words, statistics_png
from bot.statistics.values import Statistics
from bot.texts.figures import number
from bot.views.blocks import Blocks, Details, table
from bot.views.statistics import view
from bot.web import context
from bot.web.errors import ConsoleError
from bot.web.visitors import Admin
from rag.values import LABELS

router = APIRouter(include_in_schema=False)

_DAYS: Final = (1, 7, 30, 90)
_MOST_UNANSWERED: Final = 50
_LONGEST: Final = timedelta(days=3660)


@router.get("/statistics")
async def show(request: Request, visitor: Admin, since: str = "", until: str = "") -> Response:
    """The figures; `since` and `until` are days (UTC), both included."""
    found = context.of(request)
    first, behind = _period(since, until, found.clock())
    answers = found.parts.answers
    figures, currency = await answers.summary(first, behind), found.parts.settings.prices.currency
    return found.page(
        "statistics.html",
        visitor,
        shown=(*view({"": figures}, currency, visitor.language), *_by_day(figures, visitor.language)),
        figures=figures,
        missing=[
            (name, await answers.unanswered(first, _MOST_UNANSWERED, behind, is_marked=is_marked))
            for name, is_marked in (("unanswered", False), ("marked-wrong", True))
        ],
        endings=found.parts.library.endings,
        largest=found.parts.settings.knowledge.max_file_bytes,
        since=first.date(),
        until=(behind - timedelta(days=1)).date(),
        periods=[(days, periods.since(found.clock(), days).date()) for days in _DAYS],
        today=found.clock().astimezone(UTC).date(),
    )


@router.get("/statistics/picture.png")
async def show_picture(request: Request, visitor: Admin, since: str = "", until: str = "") -> Response:
    """Draw the statistics as a picture."""
    found = context.of(request)
    figures = await found.parts.answers.summary(*_period(since, until, found.clock()))
    words = Words.of(visitor.language)
    return Response(await asyncio.to_thread(statistics_png, figures, words), media_type="image/png")


def _by_day(figures: Statistics, language: str) -> Blocks:
    text = context.TEXTS.text
    if not figures.days:
        return ()
    labels = (text(f"stats-label-{label}", language) for label in LABELS)
    rows = (
        (day.day.isoformat(), *(number(day.labels.get(label, 0), language) for label in LABELS))
        for day in figures.days
    )
    return (
        Details(
            text("web-statistics-by-day", language),
            (table((text("web-statistics-day", language), *labels), rows),),
        ),
    )


def _period(since: str, until: str, now: datetime) -> tuple[datetime, datetime]:
    """The first moment, and the one behind the last; without days, the last week."""
    last = _day(until) or now.astimezone(UTC).date()
    first = _day(since) or last - timedelta(days=6)
    if first > last or last - first > _LONGEST:
        raise ConsoleError(422, "web-statistics-days")
    return _moment(first), _moment(last) + timedelta(days=1)


def _day(text: str) -> date | None:
    try:
        day = date.fromisoformat(text) if text else None
    except ValueError as exc:
        raise ConsoleError(422, "web-statistics-days") from exc
    if day is not None and not 2000 <= day.year < 2200:
        raise ConsoleError(422, "web-statistics-days")
    return day


def _moment(day: date) -> datetime:
    return datetime.combine(day, time(), UTC)
