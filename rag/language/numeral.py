"""A number in a text, and the notation of its value."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Args:
        normal: Its normal form, a plain decimal; readings of an ambiguous number are separated by ``|``.
        start: Its start, in code points.
        end: Offset of its end.
        zeros: Number of zeros that its last word or letter stands for: 6 in "2 million", 0 in "25".
        is_ordinal: Whether it is an ordinal in words ("twenty-fifth"), which may be the day of a date.
    """

    normal: str
    start: int
    end: int
    zeros: int = 0
    is_ordinal: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """A stretch that was read: its number, or None if nothing may be read in it."""

    numeral: Numeral | None
    start: int
    end: int


def decimal(whole: str, fraction: str = "", zeros: int = 0) -> str:
    """Return a plain decimal of digits, shifted left by `zeros` places, without redundant zeros."""
    moved = fraction[:zeros].ljust(zeros, "0")
    whole = (whole + moved).lstrip("0") or "0"
    fraction = fraction[zeros:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def normal_form(value: Decimal) -> str:
    """Return `value` as a plain decimal."""
    return decimal(*f"{value:f}".partition(".")[::2])


def plus_half(normal: str) -> str:
    """Return the readings of whole numbers plus a half; an empty string if one of them is not whole."""
    readings = normal.split("|")
    return "|".join(f"{one}.5" for one in readings) if all(map(str.isdecimal, readings)) else ""
