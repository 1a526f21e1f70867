"""Formats numbers, shares, sums of money, sizes and times in the reader's language."""

from __future__ import annotations

from datetime import datetime
from math import floor, log10

from bot.clock import date_and_time, time_of_day
from bot.texts import TEXTS
from rag.values import Usage

_MINUTE = 60
_HOUR = 3600


def number(value: float, language: str) -> str:
    """Format a number in the reader's language, with at most three decimals."""
    return TEXTS.text("plain-number", language, value=value)


def share(part: int, whole: int, language: str) -> str:
    """Format `part` of `whole` in whole per cent."""
    return TEXTS.text("plain-percent", language, percent=round(100 * part / whole))


def money(spent: Usage, currency: str, language: str) -> str:
    """Format the cost of model calls: exact, a lower bound where some prices are unknown, or "unknown"."""
    if spent.unpriced_calls and not spent.cost:
        return TEXTS.text("cost-unknown", language)
    cost = f"{amount(spent.cost, language)} {currency}"
    return TEXTS.text("cost-least", language, cost=cost) if spent.unpriced_calls else cost


def amount(cost: float, language: str) -> str:
    """Format an amount of money with two decimals, or more where it takes more for two significant digits."""
    places = max(2, 1 - floor(log10(cost))) if cost > 0 else 2
    return TEXTS.text("plain-amount", language, value=round(cost, places))


def size(count: int, language: str) -> str:
    """Format a number of bytes in bytes, kB, MB or GB."""
    for unit, name in ((1_000_000_000, "gigabytes"), (1_000_000, "megabytes"), (1000, "kilobytes")):
        if count >= unit:
            # Tenths of a kilobyte are of no interest.
            return TEXTS.text(f"size-{name}", language, count=round(count / unit, 1 if unit > 1000 else None))
    return TEXTS.text("size-bytes", language, count=count)


def duration(seconds: float, language: str) -> str:
    """Format a duration in seconds with its two largest units."""
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
    """Format the time of day of an aware moment in the team's time zone, such as ``18:00 UTC``."""
    return time_of_day(moment)


def date_time(moment: datetime) -> str:
    """Format an aware moment with its day in the team's time zone, such as ``2026-11-22 18:00 UTC``."""
    return date_and_time(moment)
