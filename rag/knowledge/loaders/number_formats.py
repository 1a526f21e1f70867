"""Shows the numbers of a spreadsheet as its reader sees them, by the number format of the cell; pure.

A date is always written as 2026-03-01 and a time as 14:30, with the parts that the format shows: 03/04/2026
is another day on each side of the Atlantic. Digits are grouped by commas and decimals follow a point.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Context, Decimal, InvalidOperation
from functools import lru_cache
from typing import NamedTuple

import regex

GENERAL = "General"

_DATE, _TIME = "yyyy-mm-dd", "h:mm:ss"
BUILT_IN = {
    1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00",
    **dict.fromkeys((14, 15, 16, *range(27, 32), *range(50, 59)), _DATE), 17: "yyyy-mm", 36: _DATE,
    18: "h:mm", 19: _TIME, 20: "h:mm", 21: _TIME, 22: f"{_DATE} h:mm", **dict.fromkeys(range(32, 36), "h:mm"),
    37: "#,##0;(#,##0)", 38: "#,##0;(#,##0)", 39: "#,##0.00;(#,##0.00)", 40: "#,##0.00;(#,##0.00)",
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss", 48: "0.0E+0", 49: "@",
}  # fmt: skip
"""The formats that a file names by number only; those of dates in the form of this module."""

_FIRST_PRIVATE = 0xE000
_MOST_CHARACTERS = 255  # of a format; Excel takes no more
_DIGITS = 15  # a spreadsheet keeps no more of a number
_LAST_DAY = 2_958_466  # 31 December 9999
_TOKEN = regex.compile(
    r'"(?P<quoted>[^"]*+)"?|\\(?P<escaped>.)|_.|\*.|\[(?P<bracket>[^\]]*+)\]?|(?P<plain>.)', regex.DOTALL
)
_PLACES = regex.compile(r"(?P<digits>[#0?][#0?,]*+(?:\.[#0?,]*+)?|\.[#0?]++)(?P<exponent>[Ee][+-][#0?]++)?")
_HALF_DAY = regex.compile(r"am/pm|a/p", regex.IGNORECASE)
_ELAPSED = regex.compile(r"h+|m+|s+", regex.IGNORECASE)
_CURRENCY = regex.compile(r"\$(?P<sign>[^-]*+).*")
_CLOCK = regex.compile(r"h++[^ymdhs]*+m++|m++[^ymdhs]*+s++|h|s", regex.IGNORECASE)


class _Section(NamedTuple):
    """One of the up to four parts of a format: each literal of the pattern is one private character."""

    pattern: str
    literals: dict[int, str]
    is_elapsed: bool
    is_conditional: bool


def shown_number(number: str, code: str, *, is_1904: bool = False) -> str:
    """A number as its cell shows it.

    Args:
        number: The number as the file stores it.
        code: The format of the cell.
        is_1904: Days count from 1904, not from 1900.

    Returns:
        The text; empty where the format shows nothing, and `number` unchanged if it cannot be read as a
        number or is too large.
    """
    try:
        value = Decimal(number.strip())
    except InvalidOperation:
        return number
    if not value.is_finite() or abs(value.adjusted()) > 400:
        return number
    value = Context(prec=_DIGITS, rounding=ROUND_HALF_UP).plus(value)
    sections = _sections(code[:_MOST_CHARACTERS])
    if code == GENERAL or not sections or any(section.is_conditional for section in sections):
        return _general(value)
    is_signed = value >= 0 or len(sections) == 1
    place = 1 if not is_signed else 2 if value == 0 and len(sections) > 2 else 0
    section = sections[place]
    if section.is_elapsed or any(letter in section.pattern.lower() for letter in "ymdhs"):
        return _moment(value, section, is_1904=is_1904) or _general(value)
    text = _numeral(abs(value), section.pattern).translate(section.literals)
    return f"-{text}" if is_signed and value < 0 and text.strip("0.,") else text


@lru_cache(maxsize=512)
def _sections(code: str) -> tuple[_Section, ...]:
    sections: list[_Section] = []
    literals: dict[int, str] = {}
    pattern, is_elapsed, is_conditional = "", False, False
    for token in _TOKEN.finditer(f"{code};"):
        bracket = token["bracket"] or ""
        currency = _CURRENCY.fullmatch(bracket)
        literal = token["quoted"] or token["escaped"] or (currency["sign"] if currency else "")
        is_conditional |= bracket[:1] in {"<", ">", "="}
        if literal:
            literals[_FIRST_PRIVATE + len(literals)] = literal
            pattern += chr(max(literals))
        elif _ELAPSED.fullmatch(bracket):
            is_elapsed = True
            pattern += bracket
        elif token["plain"] == ";":
            sections.append(_Section(pattern, literals, is_elapsed, is_conditional))
            pattern, literals, is_elapsed, is_conditional = "", {}, False, False
        else:
            pattern += token["plain"] or ""
    return tuple(sections[:3])


def _general(value: Decimal) -> str:
    text = f"{value:f}"
    if value and not -10 <= value.adjusted() < 21:
        return f"{value.normalize():E}"
    return text.rstrip("0").rstrip(".") if "." in text else text


def _numeral(value: Decimal, pattern: str) -> str:
    places = list(_PLACES.finditer(pattern))
    if not places:  # "@" stands for what was typed
        return pattern.replace("@", _general(value)).replace(GENERAL, _general(value))
    if len(places) > 1 or "/" in pattern:
        return _general(value)
    value *= Decimal(100) ** pattern.count("%")
    digits = places[0]["digits"]
    decimals = len(digits.partition(".")[2])
    text = f"{value:.{decimals}E}" if places[0]["exponent"] else _placed(value, digits)
    return pattern[: places[0].start()] + text + pattern[places[0].end() :]


def _placed(value: Decimal, places: str) -> str:
    scaled = places.rstrip(",")  # a comma behind all digits leaves out thousands
    value = value.scaleb(-3 * (len(places) - len(scaled)))
    whole, _, fraction = scaled.replace(".,", ".").partition(".")
    fraction = fraction.replace(",", "")
    wide = Context(prec=800, rounding=ROUND_HALF_UP)
    rounded = value.quantize(Decimal(1).scaleb(-len(fraction)), context=wide)
    digits, _, decimals = f"{rounded:f}".partition(".")
    optional = len(fraction) - len(fraction.rstrip("#?"))
    kept = decimals[: len(decimals) - optional] + decimals[len(decimals) - optional :].rstrip("0")
    digits = digits.lstrip("0").rjust(whole.count("0"), "0")
    if "," in whole:
        digits = f"{int(digits):,}" if digits and not digits.startswith("0") else digits
    return f"{digits or ('0' if not kept else '')}.{kept}" if kept else digits or "0" * ("0" in whole)


def _moment(value: Decimal, section: _Section, *, is_1904: bool) -> str:
    """A date, a time of day, or a length of time; empty when the number is outside the calendar."""
    if section.is_elapsed:
        return _length(value, section.pattern.lower())
    if not 0 <= value < _LAST_DAY:
        return ""
    # Day 60 of the other count is 29 February 1900, which never was.
    start = datetime(1904, 1, 1) if is_1904 else datetime(1899, 12, 31 if value < 60 else 30)  # noqa: DTZ001 - a cell has no zone
    try:
        moment = start + timedelta(seconds=int((value * 86_400).to_integral_value(ROUND_HALF_UP)))
    except OverflowError:
        return ""
    letters = _HALF_DAY.sub("", section.pattern.translate(dict.fromkeys(section.literals)).lower())
    calendar = set(_CLOCK.sub("", letters))
    forms = []
    if calendar & set("dmy"):
        is_whole = "d" in calendar or "y" not in calendar
        forms.append("%Y-%m-%d" if is_whole else "%Y-%m" if "m" in calendar else "%Y")
    if _CLOCK.search(letters):
        forms.append("%H:%M:%S" if "s" in letters else "%H:%M")
    return moment.strftime(" ".join(forms))


def _length(value: Decimal, pattern: str) -> str:
    seconds = int((abs(value) * 86_400).to_integral_value(ROUND_HALF_UP))
    parts = [seconds]
    if "h" in pattern:
        parts = [seconds // 3600, seconds // 60 % 60, seconds % 60]
    elif "m" in pattern:
        parts = [seconds // 60, seconds % 60]
    first, *others = parts if "s" in pattern else parts[:-1]
    return "-" * (value < 0) + ":".join([str(first), *(f"{part:02}" for part in others)])
