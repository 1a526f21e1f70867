"""Numbers, sizes and times as pages show them."""

from __future__ import annotations

from datetime import datetime
from math import floor, log10

from bot.clock import date_and_time
from bot.texts import TEXTS
from rag.values import Usage

_MINUTE = 60
_HOUR = 3600


def number(value: float, language: str) -> str:
    """Write a number as the language does, with at most three decimals."""
    return TEXTS.text("plain-number", language, value=value)


def size(count: int, language: str) -> str:
    """Write a number of bytes as people read it."""
    for unit, name in ((1_000_000_000, "gigabytes"), (1_000_000, "megabytes"), (1000, "kilobytes")):
        if count >= unit:
            return TEXTS.text(f"size-{name}", language, count=round(count / unit, 1 if unit > 1000 else None))
    return TEXTS.text("size-bytes", language, count=count)


def duration(seconds: float, language: str) -> str:
    """Write how long something took, in the two units that matter."""
    if seconds < 1:
        return TEXTS.text("duration-milliseconds", language, count=round(seconds * 1000))
    if round(seconds, 1) < _MINUTE:
        return TEXTS.text("duration-seconds", language, count=round(seconds, 1))
    whole = round(seconds)
    if whole < _HOUR:
        return TEXTS.text("duration-minutes", language, minutes=whole // _MINUTE, seconds=whole % _MINUTE)
    minutes = round(seconds / _MINUTE)
    return TEXTS.text("duration-hours", language, hours=minutes // _MINUTE, minutes=minutes % _MINUTE)


def moment(at: datetime) -> str:
    """Write an aware moment with its day, such as ``2026-11-22 18:00 UTC``."""
    return date_and_time(at)


def money(spent: Usage, currency: str, language: str) -> str:
    """Write what model calls cost: exactly, at the least, or that nobody knows."""
    if spent.unpriced_calls and not spent.cost:
        return TEXTS.text("cost-unknown", language)
    places = max(2, 1 - floor(log10(spent.cost))) if spent.cost > 0 else 2
    cost = f"{TEXTS.text('plain-amount', language, value=round(spent.cost, places))} {currency}"
    return TEXTS.text("cost-least", language, cost=cost) if spent.unpriced_calls else cost
