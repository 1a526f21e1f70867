"""Numbers, times and tables as commands show them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import floor, log10

from bot.clock import date_and_time, time_of_day
from bot.telegram.rendering.addresses import marked
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.parts import LIMIT, Part, cut
from bot.telegram.rendering.styled import joined, styled
from bot.telegram.rendering.tables import PHONE_WIDTH, table
from bot.texts import TEXTS
from rag.values import Usage

_MINUTE = 60
_HOUR = 3600


def table_parts(
    headings: Sequence[str],
    rows: Sequence[Sequence[str]],
    *,
    title: str = "",
    width: int = PHONE_WIDTH,
    limit: int = LIMIT,
) -> tuple[Part, ...]:
    """Return a table as messages: in columns where a phone shows them, else a small list a row.

    Args:
        headings: One a column.
        rows: Their cells; texts of users and documents may be among them.
        title: A line above, or an empty string.
        width: Columns of monospace text there are.
        limit: UTF-16 units a message may have.
    """
    drawn = table(
        [visible(cell) for cell in headings], [[visible(cell) for cell in row] for row in rows], width=width
    )
    return cut(marked(joined([styled(visible(title), "bold"), drawn])), limit)


def number(value: float, language: str) -> str:
    """Write a number as the language does, with at most three decimals."""
    return TEXTS.text("plain-number", language, value=value)


def share(part: int, whole: int, language: str) -> str:
    """Write how many of all something is, in whole per cent."""
    return TEXTS.text("plain-percent", language, percent=round(100 * part / whole))


def money(spent: Usage, currency: str, language: str) -> str:
    """Write what model calls cost: exactly, at the least, or that nobody knows.

    Args:
        spent: What was spent.
        currency: Name of the currency of the price table.
        language: ISO 639-1 code of the reader's language.
    """
    if spent.unpriced_calls and not spent.cost:
        return TEXTS.text("cost-unknown", language)
    cost = f"{amount(spent.cost, language)} {currency}"
    return TEXTS.text("cost-least", language, cost=cost) if spent.unpriced_calls else cost


def amount(cost: float, language: str) -> str:
    """Write an amount of money with two digits that say something, however small it is."""
    places = max(2, 1 - floor(log10(cost))) if cost > 0 else 2
    return TEXTS.text("plain-amount", language, value=round(cost, places))


def size(count: int, language: str) -> str:
    """Write a number of bytes as people read it."""
    for unit, name in ((1_000_000_000, "gigabytes"), (1_000_000, "megabytes"), (1000, "kilobytes")):
        if count >= unit:
            # Of a kilobyte nobody wants the tenths.
            return TEXTS.text(f"size-{name}", language, count=round(count / unit, 1 if unit > 1000 else None))
    return TEXTS.text("size-bytes", language, count=count)


def duration(seconds: float, language: str) -> str:
    """Write how long something took or takes, in the two units that matter."""
    if seconds < 1:
        return TEXTS.text("duration-milliseconds", language, count=round(seconds * 1000))
    if round(seconds, 1) < _MINUTE:
        return TEXTS.text("duration-seconds", language, count=round(seconds, 1))
    whole = round(seconds)
    if whole < _HOUR:
        return TEXTS.text("duration-minutes", language, minutes=whole // _MINUTE, seconds=whole % _MINUTE)
    minutes = round(seconds / _MINUTE)
    return TEXTS.text("duration-hours", language, hours=minutes // _MINUTE, minutes=minutes % _MINUTE)


def clock_time(moment: datetime) -> str:
    """Write the time of day of an aware moment in the team's time zone, such as ``18:00 UTC``."""
    return time_of_day(moment)


def date_time(moment: datetime) -> str:
    """Write an aware moment with its day, such as ``2026-11-22 18:00 UTC``."""
    return date_and_time(moment)
