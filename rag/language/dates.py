"""Dates and times of day in words and digits, in several languages.

The normal form of a date is ``YYYY-MM-DD``, with ``?`` for missing parts (``????-02-07``). A weekday is
``W1`` (Monday) to ``W7``, a time is ``HH:MM`` or ``HH:MM:SS``. Readings of an ambiguous date or time
(02/07/2023, 9:00 without AM or PM) are separated by ``|``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

import regex

from rag.language.fields import Months
from rag.language.numbers import east_asian_number
from rag.language.tables import Language, alternatives, languages

_YEAR = r"(?P<year>[12]\d{3})(?!\d)(?![.,]\d)"
_START = r"(?<![\p{L}\d_])(?<!\d[.,:/-])"
_SIGNS = "[一二三四五六七八九十廿]{1,3}"
_CJK_MONTH = rf"(?<![一二三四五六七八九十百\d])(?P<month>\d{{1,2}}|{_SIGNS})[ ]?[月월]"
_CJK_DAY = rf"(?P<day>\d{{1,2}}|{_SIGNS})[ ]?[日号號일]"
_CJK_YEAR = r"(?<!\d)(?P<year>[12]\d{3}|[一二][〇零一二三四五六七八九]{3})[ ]?[年년](?![ ]?[代간間])"
_NUMERIC_DATES = tuple(
    regex.compile(pattern)
    for pattern in (
        rf"{_START}(?P<year>[12]\d{{3}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?![\d-])",
        r"(?<![\p{L}\d_.])(?P<year>[12]\d{3})\.[ ](?P<month>\d{1,2})\.[ ](?P<day>\d{1,2})(?![\d,:]|\.\d)\.?",
        r"(?<![^\s(])(?P<short>\d{2})\.[ ](?P<month>\d{1,2})\.[ ](?P<day>\d{1,2})\.(?![ ]?\d)",
        rf"{_START}(?P<first>\d{{1,2}})(?P<mark>[/.-])(?P<second>\d{{1,2}})(?P=mark){_YEAR}",
        rf"{_START}(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/(?P<short>\d{{2}})(?![\d/])",
        rf"{_CJK_YEAR}(?:[ ]?{_CJK_MONTH}(?:[ ]?{_CJK_DAY})?)?",
        rf"{_CJK_MONTH}[ ]?{_CJK_DAY}",
    )
)
_GOES_ON = regex.compile(r"[ ]\p{L}")
_WORD_BEFORE = regex.compile(r"\p{L}[ ]$")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a time of day in a text: its normal form and its offsets."""

    kind: Literal["date", "time"]
    normal: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class _Names:
    """Names of months and weekdays by their numbers, and those that can be other words."""

    months: Mapping[str, int]
    short_months: Mapping[str, int]
    weekdays: Mapping[str, int]
    capitalised: frozenset[str]
    unclear: frozenset[str]


@cache
def _names() -> _Names:
    capitalised = frozenset(
        word
        for one in languages().values()
        if one.dates.capitalised
        for forms in (*one.dates.months, *one.dates.weekdays)
        for word in forms
    )
    unclear = frozenset(word for one in languages().values() for word in one.dates.unclear)
    return _Names(
        _numbered(lambda one: one.dates.months),
        _numbered(lambda one: one.dates.short_months),
        _numbered(lambda one: one.dates.weekdays),
        capitalised,
        unclear,
    )


def _numbered(pick: Callable[[Language], Months]) -> dict[str, int]:
    return {
        word: number
        for one in languages().values()
        for number, forms in enumerate(pick(one), 1)
        for word in forms
    }


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


@cache
def _weekday() -> regex.Pattern[str]:
    names = _longest_first(_names().weekdays)
    return regex.compile(
        rf"(?:{_START}|(?<=[\p{{Han}}\p{{Hangul}}]))(?P<weekday>{names})(?:s\b)?(?![\p{{Latin}}\p{{Cyrillic}}])",
        regex.IGNORECASE,
    )


@cache
def _worded_dates() -> tuple[regex.Pattern[str], ...]:
    endings = alternatives(lambda one: one.dates.day_endings)
    articles = alternatives(lambda one: one.dates.articles)
    of = rf"(?:(?:{alternatives(lambda one: one.dates.of)})[ ])?"
    names = _longest_first({**_names().months, **_names().short_months})
    month = rf"(?P<month>{names})(?!\p{{L}})(?:\.(?=,?[ ]{of}\d))?"
    day_behind = rf"(?P<day>\d{{1,2}})(?:{endings})?(?![\d:.,]\d|\d|%)"
    patterns = (
        rf"{_START}(?P<day>\d{{1,2}})(?:{endings}|\.|\))?[ -]?{of}{month}(?:,?[ -]{of}{_YEAR})?",
        rf"{_START}{month}[ ](?:(?:{articles})[ ])?{day_behind}(?:,?[ ]{_YEAR})?",
        rf"{_START}{month}(?:,?[ ]{of}){_YEAR}",
        rf"{_START}(?P<month>{_longest_first(_names().months)})(?![\p{{L}}\d])",
    )
    return tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in patterns)


@cache
def _times() -> tuple[regex.Pattern[str], ...]:
    am = rf"(?P<am>{alternatives(lambda one: one.dates.morning)})"
    pm = rf"(?P<pm>{alternatives(lambda one: one.dates.evening)})"
    before = (
        rf"(?:(?P<am>{alternatives(lambda one: one.dates.morning_before)})"
        rf"|(?P<pm>{alternatives(lambda one: one.dates.evening_before)}))"
    )
    minute = rf"(?:[ ]?(?P<minute>\d{{1,2}}|零?{_SIGNS})[ ]?[分분](?!之)|[ ]?(?P<half>半|반))"
    patterns = (
        rf"(?<![\d.,:])(?P<hour>\d{{1,2}})[:.](?P<minute>\d\d?)(?::(?P<second>\d\d))?[ ]?(?:{am}|{pm})",
        r"(?<![\d.,:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?![\d:])",
        rf"(?<![\d.,:\p{{Latin}}])(?P<hour>\d{{1,2}})[ ]?(?:{am}|{pm})(?!\p{{L}})",
        rf"(?:{before})?[ ]?(?<!\d)(?P<hour>\d{{1,2}})[ ]?[点點시時时](?![간間间]){minute}?",
        rf"{before}(?P<hour>{_SIGNS})[点點時时]{minute}?",
        rf"(?<![一二三四五六七八九十])(?P<hour>{_SIGNS})[点點](?:{minute}|(?=[整钟鐘]))",
    )
    return tuple(regex.compile(pattern, regex.IGNORECASE) for pattern in patterns)


def dates(text: str) -> Iterator[Moment]:
    """Yield the dates and weekdays of a text that `numbers.plain_digits` has returned."""
    for pattern in (*_NUMERIC_DATES, *_worded_dates()):
        for match in pattern.finditer(text):
            normal = _normalise_date(match)
            if normal:
                yield Moment("date", normal, match.start(), match.end())
    names = _names()
    for match in _weekday().finditer(text):
        word = match["weekday"]
        is_name = not word[0].islower() or word.casefold() not in names.capitalised
        if is_name and (word.casefold() not in names.unclear or _stands_alone(match)):
            yield Moment("date", f"W{names.weekdays[word.casefold()]}", match.start(), match.end())


def times(text: str) -> Iterator[Moment]:
    """Find the times of day of `text`; ``4:00:00`` may be a duration and is kept as written."""
    for pattern in _times():
        for match in pattern.finditer(text):
            normal = _normalise_time(match)
            if normal:
                yield Moment("time", normal, match.start(), match.end())


def _normalise_date(match: regex.Match[str]) -> str:
    found = match.groupdict()
    year = found.get("year") or (f"20{found['short']}" if found.get("short") else "????")
    if year[0] != "?" and not year.isascii():
        year = str(east_asian_number(year))
    if found.get("first"):
        first, second = int(found["first"]), int(found["second"])
        readings = [(first, second), (second, first)]
    else:
        month = _read_month(match, with_year=year != "????") if found.get("month") else 0
        if month is None:
            return ""
        readings = [(month, _read_number(found.get("day")))]
    valid = [
        f"{year}-{month:02}-{day:02}".replace("-00", "-??")
        for month, day in readings
        if month <= 12 and day <= 31 and not (found.get("first") and 0 in {month, day})
    ]
    return "|".join(dict.fromkeys(valid))


def _read_number(written: str | None) -> int:
    if not written or written.isdigit():
        return int(written or 0)
    value = east_asian_number(written.removeprefix("零"))
    return 99 if value is None else value


def _read_month(match: regex.Match[str], *, with_year: bool) -> int | None:
    """Return 1-12; None if the word is not a month here: "may", "mar", "march"."""
    word = match["month"]
    if word[0].isdigit() or word[0] in "一二三四五六七八九十廿":
        return _read_number(word) or None
    folded = word.casefold().rstrip(".")
    names = _names()
    day = match.groupdict().get("day")
    is_behind_day = day is not None and match.start("day") < match.start("month")
    is_name = not word[0].islower() or folded not in names.capitalised
    number = names.months.get(folded)
    if with_year or (is_behind_day and number is None):
        return number or names.short_months[folded]
    if is_behind_day and word[0].islower() and folded in names.capitalised:  # "step 2 may fail"
        return None if _GOES_ON.match(match.string, match.end()) and folded in names.unclear else number
    if number is None:
        return names.short_months[folded] if day and not word[0].islower() else None
    return number if day or (is_name and (folded not in names.unclear or _stands_alone(match))) else None


def _stands_alone(match: regex.Match[str]) -> bool:
    text, start, end = match.string, *match.span()
    return not _WORD_BEFORE.search(text, max(0, start - 2), start) and not _GOES_ON.match(text, end)


def _normalise_time(match: regex.Match[str]) -> str:
    found = match.groupdict()
    hour, second = _read_number(found["hour"]), int(found.get("second") or 0)
    minute = 30 if found.get("half") else _read_number(found.get("minute"))
    meridiem = "am" if found.get("am") else "pm" if found.get("pm") else ""
    if minute > 59 or second > 59 or hour > (12 if meridiem else 99 if found.get("second") else 24):
        return ""
    tail = f"{minute:02}" + (f":{second:02}" if found.get("second") else "")
    if meridiem:
        return f"{hour % 12 + (12 if meridiem == 'pm' else 0):02}:{tail}"
    normal = f"{hour:02}:{tail}"
    if 1 <= hour < 12 and len(found["hour"]) == 1 and not found.get("second"):
        return f"{normal}|{hour + 12:02}:{tail}"
    return normal
