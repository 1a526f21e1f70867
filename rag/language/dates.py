"""Dates and times of day in words and digits, in several languages.

The normal form of a date is ``YYYY-MM-DD``, with ``?`` for missing parts (``????-02-07``). A weekday is
``W1`` (Monday) to ``W7``, a time is ``HH:MM`` or ``HH:MM:SS``. Readings of an ambiguous date or time
(02/07/2023, 9:00 without AM or PM) are separated by ``|``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Literal

import regex

from rag.language.east_asian import has_power, read_digits, read_number
from rag.language.fields import Months, Words
from rag.language.tables import Language, alternatives, languages

_GOES_ON = regex.compile(r"[ ]\p{L}")
_YEAR = r"(?P<year>[12]\d{3})(?!\d)(?![.,]\d)"
_START = r"(?<![\p{L}\d_])(?<!\d[.,:/-])"
_CJK_MONTH = r"(?P<month>\d{1,2})[ ]?[月월]"
_CJK_DAY = r"(?P<day>\d{1,2})[ ]?[日号號일]"
_HAN_DIGITS = "一二三四五六七八九十廿"
_HAN_NUMBER = rf"[{_HAN_DIGITS}]{{1,3}}"
_HAN_YEAR = "(?:(?P<year>[一二][〇零一二三四五六七八九]{3})[ ]?年[ ]?)?"
_NOT_A_LETTER = r"(?![\p{Latin}\p{Cyrillic}])"
_FLAGS = regex.IGNORECASE
_NUMERIC_DATES = tuple(
    regex.compile(pattern, _FLAGS)
    for pattern in (
        rf"{_START}(?P<year>[12]\d{{3}})(?P<mark>[-/.])(?P<month>\d{{1,2}})(?P=mark)(?P<day>\d{{1,2}})(?![\d-])",
        r"(?<![\p{L}\d_.])(?P<year>[12]\d{3})\.[ ](?P<month>\d{1,2})\.[ ](?P<day>\d{1,2})(?![\d,:]|\.\d)\.?",
        r"(?<![^\s(])(?P<short>\d{2})\.[ ](?P<month>\d{1,2})\.[ ](?P<day>\d{1,2})\.(?![ ]?\d)",
        rf"{_START}(?P<first>\d{{1,2}})(?P<mark>[/.-])(?P<second>\d{{1,2}})(?P=mark){_YEAR}",
        rf"{_START}(?P<first>\d{{1,2}})/(?P<second>\d{{1,2}})/(?P<short>\d{{2}})(?![\d/])",
        rf"(?<!\d)(?P<year>[12]\d{{3}})[ ]?[年년](?![ ]?[代간間])(?:[ ]?{_CJK_MONTH}(?:[ ]?{_CJK_DAY})?)?",
        rf"(?<!\d){_CJK_MONTH}[ ]?{_CJK_DAY}",
        rf"{_HAN_YEAR}(?<![一二三四五六七八九十百])(?P<month>{_HAN_NUMBER})月(?P<day>{_HAN_NUMBER})[日号號]",
    )
)
_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED_WEEKDAY = re.compile("[期周週拜요曜]")
_CJK_MINUTE = r"(?P<minute>\d{1,2})[ ]?[分분]"
_HALF = "(?P<half>半|반)"
_CJK_PAST = rf"(?:[ ]?{_CJK_MINUTE}|{_HALF})"
_HOUR = r"(?P<hour>\d{1,2})"
_DIGIT = re.compile(r"\d")
_HAN_MARKS = re.compile("[月点點時时]")


@dataclass(frozen=True, slots=True)
class _Forms:
    """The words of dates and times, and the patterns made of them; compiled once.

    Args:
        months: Numbers of the months by name.
        short_months: The same for abbreviated names.
        weekdays: Numbers of the weekdays by name.
        weekday_words: Names of weekdays, with plural s, and the parts of hyphenated names.
        capitalised: Months and weekdays that are capitalised.
        beside_numbers: Months and weekdays that are other words unless a number is beside them.
        verbs: Months that are verbs in lower case.
        short_behind_day: Short months that are other words unless a day precedes.
        short_only_behind_day: Short months that are other words without a day or a full stop.
        short_in_lower_case: Short months that are no other words.
        weekdays_unclear: Weekdays that are also other words.
        weekday_where: Context in which those are weekdays.
        month: The name of a month.
        weekday: The name of a weekday.
        worded: Dates with the name of a month.
        times: Times of day.
        of_east_asia: Dates and times that no ASCII text has.
        in_han: Dates and times that need no digits.
    """

    months: Mapping[str, int]
    short_months: Mapping[str, int]
    weekdays: Mapping[str, int]
    weekday_words: frozenset[str]
    capitalised: frozenset[str]
    beside_numbers: frozenset[str]
    verbs: frozenset[str]
    short_behind_day: frozenset[str]
    short_only_behind_day: frozenset[str]
    short_in_lower_case: regex.Pattern[str]
    weekdays_unclear: frozenset[str]
    weekday_where: regex.Pattern[str]
    month: regex.Pattern[str]
    weekday: regex.Pattern[str]
    worded: tuple[regex.Pattern[str], ...]
    times: tuple[regex.Pattern[str], ...]
    of_east_asia: frozenset[regex.Pattern[str]]
    in_han: frozenset[regex.Pattern[str]]


@cache
def _forms() -> _Forms:
    months = _number_words(lambda one: one.dates.months)
    short = _number_words(lambda one: one.dates.short_months)
    weekdays = _number_words(lambda one: one.dates.weekdays)
    times = tuple(regex.compile(pattern, _FLAGS) for pattern in _time_patterns())
    return _Forms(
        months,
        short,
        weekdays,
        frozenset(weekdays)
        | {f"{word}s" for word in weekdays}
        | {piece for word in weekdays for piece in word.split("-")},
        frozenset(
            word
            for one in languages().values()
            if one.dates.capitalised
            for forms in (*one.dates.months, *one.dates.weekdays)
            for word in forms
        ),
        _words(lambda one: one.dates.beside_numbers),
        _words(lambda one: one.dates.verbs),
        _words(lambda one: one.dates.short_behind_day),
        _words(lambda one: one.dates.short_only_behind_day),
        regex.compile(rf".*\.$|\p{{Cyrillic}}|{alternatives(lambda one: one.dates.short_in_lower_case)}"),
        _words(lambda one: one.dates.weekdays_unclear),
        regex.compile(alternatives(lambda one: one.dates.weekday_where), _FLAGS),
        regex.compile(_month_pattern(months | short), _FLAGS),
        regex.compile(
            rf"(?:{_START}|(?<=[\p{{Han}}\p{{Hangul}}]))(?P<weekday>{_longest_first(weekdays)})(?:s\b)?{_NOT_A_LETTER}",
            _FLAGS,
        ),
        tuple(regex.compile(pattern, _FLAGS) for pattern in _worded_patterns(months, short)),
        times,
        frozenset({*_NUMERIC_DATES[-3:], *times[-3:]}),
        frozenset({_NUMERIC_DATES[-1], *times[-2:]}),
    )


def _number_words(pick: Callable[[Language], Months]) -> dict[str, int]:
    return {
        word: number
        for one in languages().values()
        for number, forms in enumerate(pick(one), 1)
        for word in forms
    }


def _words(pick: Callable[[Language], Words]) -> frozenset[str]:
    return frozenset(word for one in languages().values() for word in pick(one))


def _longest_first(words: Iterable[str]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


def _month_pattern(words: Iterable[str]) -> str:
    of = alternatives(lambda one: one.dates.of)
    return rf"(?P<month>{_longest_first(words)})(?!\p{{L}})(?:\.(?=,?[ ](?:(?:{of})[ ])?\d))?"


def _worded_patterns(months: Mapping[str, int], short: Mapping[str, int]) -> Iterator[str]:
    endings = alternatives(lambda one: one.dates.day_endings)
    articles = alternatives(lambda one: one.dates.articles)
    of = alternatives(lambda one: one.dates.of)
    month = _month_pattern({**months, **short})
    day = rf"(?P<day>\d{{1,2}})(?:{endings}|\.)?"
    yield rf"{_START}(?P<older>\d{{1,2}})[ ]\({day}\)[ ]{month}(?:[ ]{_YEAR})?"
    yield rf"{_START}{day}[ ]{month}(?=[ ]\(\d{{1,2}}[ ]\p{{L}}+\)[ ]{_YEAR})"
    yield rf"{_START}{day}[ -]?(?:(?:{of})[ ])?{month}(?:\)?,?[ -](?:(?:{of})[ ])?{_YEAR})?"
    yield (
        rf"{_START}{month}[ ](?:(?:{articles})[ ])?(?P<day>\d{{1,2}})(?:{endings})?"
        rf"(?![\d:.,]\d|\d|%)(?:,?[ ]{_YEAR})?"
    )
    yield rf"{_START}{month}(?:,?[ ](?:(?:{of})[ ])?){_YEAR}"
    yield rf"{_START}(?P<month>{_longest_first(months)})(?![\p{{L}}\d])"


def _time_patterns() -> Iterator[str]:
    am = rf"(?P<am>{alternatives(lambda one: one.dates.morning)})"
    pm = rf"(?P<pm>{alternatives(lambda one: one.dates.evening)})"
    before = (
        rf"(?:(?P<am>{alternatives(lambda one: one.dates.morning_before)})"
        rf"|(?P<pm>{alternatives(lambda one: one.dates.evening_before)}))"
    )
    yield rf"(?<![\d.,:]){_HOUR}[:.](?P<minute>\d{{1,2}})(?::(?P<second>\d{{2}}))?[ ]?(?:{am}|{pm})"
    yield r"(?<![\d.,:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?![\d:])"
    yield rf"(?<![\d.,:\p{{Latin}}])(?P<hour>\d{{1,2}})[ ]?(?:{am}|{pm})(?!\p{{L}})"
    yield rf"(?:{before})?[ ]?(?<!\d){_HOUR}[ ]?[点點시時时](?![간間间]){_CJK_PAST}?"
    yield rf"{before}(?P<hour>{_HAN_NUMBER})[点點時时](?:{_HALF}|(?P<minute>{_HAN_NUMBER})分)?"
    yield (
        rf"(?<![一二三四五六七八九十])(?P<hour>{_HAN_NUMBER})[点點]"
        rf"(?:{_HALF}|(?P<minute>零?{_HAN_NUMBER})分(?!之)|(?=[整钟鐘]))"
    )


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a time of day in a text: its normal form and its offsets."""

    kind: Literal["date", "time"]
    normal: str
    start: int
    end: int


def dates(text: str) -> Iterator[Moment]:
    """Find the dates and weekdays of `text`, which must have gone through `numerals.plain_digits`."""
    words = set(_WORD.findall(text.casefold()))  # comparing words is cheaper than running every pattern
    patterns = _select_patterns(text, _NUMERIC_DATES)
    forms = _forms()
    if not (words.isdisjoint(forms.months) and words.isdisjoint(forms.short_months)):
        patterns += forms.worded
    if not words.isdisjoint(forms.weekday_words) or _UNSPACED_WEEKDAY.search(text):
        patterns.append(forms.weekday)
    for pattern in patterns:
        for match in pattern.finditer(text):
            normal = _normalise_date(match)
            if not normal:
                continue
            start = match.start()
            if older := match.groupdict().get("older"):  # "3 (15) января 1850": one day in two calendars
                start = match.start("day")
                yield Moment("date", f"{normal[:8]}{int(older):02}", match.start(), match.end("older"))
            yield Moment("date", normal, start, match.end())


def is_month(text: str, position: int) -> bool:
    """Return whether the name of a month starts at `position`."""
    return _forms().month.match(text, position) is not None


def times(text: str) -> Iterator[Moment]:
    """Find the times of day of `text`; ``4:00:00`` may be a duration and is kept as written."""
    for pattern in _select_patterns(text, _forms().times):
        for match in pattern.finditer(text):
            normal = _normalise_time(match)
            if normal:
                yield Moment("time", normal, match.start(), match.end())


def _select_patterns(text: str, patterns: tuple[regex.Pattern[str], ...]) -> list[regex.Pattern[str]]:
    """Return the patterns that can match: those of East Asia need more than ASCII, most need digits."""
    forms = _forms()
    if _DIGIT.search(text):
        return [pattern for pattern in patterns if pattern not in forms.of_east_asia or not text.isascii()]
    return [pattern for pattern in patterns if pattern in forms.in_han] if _HAN_MARKS.search(text) else []


def _normalise_date(match: regex.Match[str]) -> str:
    found = match.groupdict()
    if found.get("weekday"):
        return _normalise_weekday(match)
    year = found.get("year") or (f"20{found['short']}" if found.get("short") else "????")
    if not year.isascii():
        year = read_digits(year)
    if found.get("first"):
        first, second = int(found["first"]), int(found["second"])
        readings = [(first, second), (second, first)]
    else:
        month = _read_month(found.get("month") or "", match, with_year=year != "????")
        if month < 0:
            return ""
        readings = [(month, _read_number(found.get("day") or "0"))]
    valid = [
        f"{year}-{month:02}-{day:02}".replace("-00", "-??")
        for month, day in readings
        if month <= 12 and day <= 31 and not (found.get("first") and 0 in {month, day})
    ]
    return "|".join(dict.fromkeys(valid))


def _read_number(written: str) -> int:
    """Read a number in digits or Chinese characters; -1 if it is neither."""
    if written.isdigit():
        return int(written)
    if has_power(written):
        value = read_number(written)
        return -1 if value is None else int(value)
    digits = written.removeprefix("零")
    return int(read_digits(digits)) if len(digits) == 1 else -1


def _normalise_weekday(match: regex.Match[str]) -> str:
    word = match["weekday"]
    folded = word.casefold()
    forms = _forms()
    if folded in forms.weekdays_unclear and not forms.weekday_where.match(
        match.string, match.start("weekday")
    ):
        return ""
    if word[0].islower() and (folded in forms.capitalised or folded in forms.beside_numbers):
        return ""
    return f"W{forms.weekdays[folded]}"


def _read_month(word: str, match: regex.Match[str], *, with_year: bool) -> int:
    """Return 1-12; 0 if there is no month; -1 if the word is not a month here."""
    if not word:
        return 0
    if word.isdigit() or word[0] in _HAN_DIGITS:
        return _read_number(word) or -1
    folded = word.casefold().rstrip(".")
    forms = _forms()
    day = match.groupdict().get("day")
    alone = not day and not with_year
    if (
        word[0].islower()
        and folded in forms.verbs
        and not with_year
        and _GOES_ON.match(match.string, match.end())
    ):
        return -1
    is_behind_day = day is not None and match.start("day") < match.start("month")
    if folded in forms.short_only_behind_day:
        is_cut = match.string.startswith(".", match.end("month"))
        return forms.short_months[folded] if is_behind_day or is_cut else -1
    if is_behind_day and folded in forms.short_behind_day:
        return forms.short_months[folded]
    if alone and (folded in forms.beside_numbers or (word[0].islower() and folded in forms.capitalised)):
        return -1
    unclear = folded not in forms.months and word[0].islower() and not forms.short_in_lower_case.match(word)
    if unclear and not with_year:
        return -1
    return forms.months.get(folded) or forms.short_months[folded]


def _normalise_time(match: regex.Match[str]) -> str:
    found = match.groupdict()
    hour, second = _read_number(found["hour"]), int(found.get("second") or 0)
    minute = 30 if found.get("half") else _read_number(found.get("minute") or "0")
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
