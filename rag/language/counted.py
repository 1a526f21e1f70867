"""Find numbers with their measures, halves and ranges."""

from __future__ import annotations

import re
from collections.abc import Iterable
from decimal import Decimal
from functools import cache

from rag.language import dates, measures, numerals
from rag.language.korean_numbers import word_end
from rag.language.numeral import Numeral, decimal, plus_half
from rag.language.tables import alternatives

_GOES_ON = re.compile(r"(?!(?:st|nd|rd|th|x)\b)[A-Za-z_]")  # "3f2a" is a designator, not the number 3
_HALF_INSIDE = re.compile("[个個]半")


@cache
def _range() -> re.Pattern[str]:
    return re.compile(rf"[ ]?(?:[-–—~～]|{alternatives(lambda one: one.numbers.ranges)})[ ]?")


@cache
def _half_behind() -> re.Pattern[str]:
    return re.compile(rf"(?:{alternatives(lambda one: one.numbers.half)})(?:(?<![가-힣])|{word_end()})")


@cache
def _day_of_month() -> re.Pattern[str]:
    return re.compile(rf"[ ](?:(?:{alternatives(lambda one: one.dates.of)})[ ])?")


def find_counted(text: str, language: str, *, liberal: bool) -> Iterable[Numeral]:
    """Return the numbers of `text`, last to first; each reading is followed by its measure.

    "10-20 %" is a percentage at both ends; "2-3 million" may start at two or at two million.

    Args:
        text: Text after `numerals.plain_digits`, with NUL characters in place of facts that were found
            before.
        language: ISO 639-1 code, or empty.
        liberal: Also read words that may be numbers.
    """
    behind: Numeral | None = None
    name_behind = ""
    for number in reversed(numerals.numerals(text, language, liberal=liberal)):
        normal, end = _add_half(text, number.normal, number.end)
        measure = measures.measure(text, number.start, end)
        name, end = measure.name, measure.end
        if name and end > number.end:
            normal, end = _add_half(text, normal, end, _half_behind())
        if behind is not None and _range().fullmatch(text, end, max(end, behind.start)):
            name = name or name_behind
            normal = _apply_scale(normal, number, behind)
        behind, name_behind = number, name
        if number.is_ordinal and _is_day(text, number.end):
            continue
        if normal and (measure.name or not _GOES_ON.match(text, end)):
            named = "|".join(f"{reading} {name}".strip() for reading in normal.split("|"))
            yield Numeral(named, measure.start, end)


def _add_half(text: str, normal: str, end: int, pattern: re.Pattern[str] = _HALF_INSIDE) -> tuple[str, int]:
    """Return the number plus a following half, and where that ends; an empty number if it is not whole."""
    half = pattern.match(text, end)
    return (plus_half(normal), half.end()) if half else (normal, end)


def _apply_scale(normal: str, number: Numeral, behind: Numeral) -> str:
    """Return the first number of a range, which may share the scale of the second ("2-3 million")."""
    if not behind.zeros or number.zeros or "|" in normal or not normal or normal[0] == "-":
        return normal
    scaled = decimal(*normal.partition(".")[::2], behind.zeros)
    return f"{scaled}|{normal}" if Decimal(scaled) <= Decimal(behind.normal.split("|")[0]) else normal


def _is_day(text: str, position: int) -> bool:
    """Return whether a month follows: in "the twenty-fifth of May" the number is a day, not a count."""
    gap = _day_of_month().match(text, position)
    return gap is not None and (text[gap.end() : gap.end() + 1] == "\x00" or dates.is_month(text, gap.end()))
