"""A number in a text, and how its value is written down."""

from __future__ import annotations

from dataclasses import dataclass
from decimal import Decimal


@dataclass(frozen=True, slots=True)
class Numeral:
    """A number in a text.

    Args:
        normal: Its normal form, a plain decimal; readings of an ambiguous writing are separated by ``|``.
        start: Where it starts, in code points.
        end: Offset behind it.
        zeros: The zeros that its last word or letter stands for: 6 in "2 million", 0 in "25".
        is_ordinal: Whether words say a place in a row ("twenty-fifth"), which may be the day of a date.
    """

    normal: str
    start: int
    end: int
    zeros: int = 0
    is_ordinal: bool = False


@dataclass(frozen=True, slots=True)
class Reading:
    """What words or signs say: their number, or none for a stretch in which nothing may be read."""

    numeral: Numeral | None
    start: int
    end: int


def decimal(whole: str, fraction: str = "", zeros: int = 0) -> str:
    """A plain decimal of digits, shifted left by `zeros` places, without needless zeros."""
    moved = fraction[:zeros].ljust(zeros, "0")
    whole = (whole + moved).lstrip("0") or "0"
    fraction = fraction[zeros:].rstrip("0")
    return f"{whole}.{fraction}" if fraction else whole


def normal_form(value: Decimal) -> str:
    """A plain decimal of `value`."""
    return decimal(*f"{value:f}".partition(".")[::2])


def plus_half(normal: str) -> str:
    """The readings of whole numbers, a half more; an empty text if one of them is not whole."""
    readings = normal.split("|")
    return "|".join(f"{one}.5" for one in readings) if all(map(str.isdecimal, readings)) else ""
