"""Dates and times of day in words and digits, in several languages.

A date's normal form is ``YYYY-MM-DD`` with ``?`` for what is not said (``????-02-07``); a weekday is
``W1`` (Monday) to ``W7``; a time is ``HH:MM`` or ``HH:MM:SS``. Readings of an ambiguous writing
(02/07/2023, 9:00 without AM or PM) are separated by ``|``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import regex

from rag.language.east_asian import has_power, read_digits, read_number

_MONTHS = """
    january|januari|enero|janvier|januar|janeiro|gennaio|январь|января|январе
    february|februari|febrero|février|februar|fevereiro|febbraio|февраль|февраля|феврале
    march|maret|marzo|mars|märz|março|март|марта|марте
    april|abril|avril|aprile|апрель|апреля|апреле
    may|mei|mayo|mai|maio|maggio|май|мая|мае
    june|juni|junio|juin|junho|giugno|июнь|июня|июне
    july|juli|julio|juillet|julho|luglio|июль|июля|июле
    august|agustus|agosto|août|август|августа|августе
    september|septiembre|setiembre|septembre|setembro|settembre|сентябрь|сентября|сентябре
    october|oktober|octubre|octobre|outubro|ottobre|октябрь|октября|октябре
    november|noviembre|novembre|novembro|ноябрь|ноября|ноябре
    december|desember|diciembre|décembre|dezember|dezembro|dicembre|декабрь|декабря|декабре
"""
_SHORT_MONTHS = """
    jan|ene|янв|janv feb|фев|февр|févr mar|мар|maret apr|abr|апр mei|май jun|июн jul|июл aug|ago|agu|авг
    sep|sept|сен|сент oct|okt|окт nov|нояб|nov dec|dic|des|dez|дек
"""
_WEEKDAYS = """
    monday|senin|lunes|lundi|montag|понедельник|понедельника|понедельникам|星期一|周一|週一|礼拜一|禮拜一|월요일|月曜日
    tuesday|selasa|martes|mardi|dienstag|вторник|вторника|вторникам|星期二|周二|週二|礼拜二|禮拜二|화요일|火曜日
    wednesday|rabu|miércoles|mercredi|mittwoch|среда|среду|средам|星期三|周三|週三|礼拜三|禮拜三|수요일|水曜日
    thursday|kamis|jueves|jeudi|donnerstag|четверг|четверга|четвергам|星期四|周四|週四|礼拜四|禮拜四|목요일|木曜日
    friday|jumat|viernes|vendredi|freitag|пятница|пятницу|пятницы|пятницам|星期五|周五|週五|礼拜五|禮拜五|금요일|金曜日
    saturday|sabtu|sábado|samedi|samstag|суббота|субботу|субботы|субботам|星期六|周六|週六|礼拜六|禮拜六|토요일|土曜日
    sunday|minggu|domingo|dimanche|sonntag|воскресенье|воскресенья|воскресеньям|星期日|星期天|周日|週日|礼拜天|禮拜天|일요일|日曜日
"""


def _numbered(rows: list[str]) -> dict[str, int]:
    return {word: number for number, row in enumerate(rows, 1) for word in row.split("|")}


def _alternatives(words: dict[str, int]) -> str:
    return "|".join(sorted(words, key=len, reverse=True))


_LONG = _numbered(_MONTHS.split())
_SHORT = _numbered(_SHORT_MONTHS.split())
_WEEK = _numbered(_WEEKDAYS.split())
_WEEK_WORDS = frozenset(_WEEK) | {f"{word}s" for word in _WEEK}
_MONTH_NAMES = frozenset(_LONG | _SHORT)
_ENGLISH = frozenset(row.split("|")[0] for row in (_MONTHS + _WEEKDAYS).split())
_UNCLEAR_ALONE = frozenset(
    {"may", "march", "mars", "mei", "mai", "мае", "марте", "august", "abril", "minggu"}
)
"""Words that are months only beside a number (and the Indonesian week, which is also its Sunday)."""
_VERBS = frozenset({"may", "march"})
"""Months that are English verbs in lower case before another word: "step 2 may fail"."""
_GOES_ON = regex.compile(r"[ ]\p{L}")
_SURROUNDINGS = regex.compile(
    r"(?<!\p{L}[ ])среда(?![ ]\p{L})|(?:(?<=\b(?:в|во|на|эту|каждую)[ ])|(?<=(?:шлую|ующую|айшую)[ ]))"
    r"среду(?![ ]\p{L}+(?:ния|ки|ры|сти|ии|ов)(?!\p{L}))",
    regex.IGNORECASE,
)
"""Where the Russian Wednesday is no environment, the same word: "в среду", but not "в среду разработки"."""

_MONTH = rf"(?P<month>{_alternatives(_LONG | _SHORT)})(?!\p{{L}})(?:\.(?=,?[ ]\d))?"
_MONTH_NAME = regex.compile(_MONTH, regex.IGNORECASE)
_ORDINAL = r"(?:st|nd|rd|th)?"
_DAY = r"(?P<day>\d{1,2})(?:st|nd|rd|th|º|-?го|\.)?"
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
_WORDED_DATES = tuple(
    regex.compile(pattern, _FLAGS)
    for pattern in (
        rf"{_START}(?P<older>\d{{1,2}})[ ]\({_DAY}\)[ ]{_MONTH}(?:[ ]{_YEAR})?",
        rf"{_START}{_DAY}[ ]{_MONTH}(?=[ ]\(\d{{1,2}}[ ]\p{{L}}+\)[ ]{_YEAR})",
        rf"{_START}{_DAY}[ -]?(?:(?:de|of|di)[ ])?{_MONTH}(?:\)?,?[ -](?:de[ ]|del[ ]|of[ ])?{_YEAR})?",
        rf"{_START}{_MONTH}[ ](?:the[ ])?(?P<day>\d{{1,2}}){_ORDINAL}(?![\d:.,]\d|\d|%)(?:,?[ ]{_YEAR})?",
        rf"{_START}{_MONTH}(?:,?[ ](?:de[ ]|del[ ]|of[ ])?){_YEAR}",
        rf"{_START}(?P<month>{_alternatives(_LONG)})(?![\p{{L}}\d])",
    )
)
_WEEKDAY = regex.compile(
    rf"(?:{_START}|(?<=[\p{{Han}}\p{{Hangul}}]))(?P<weekday>{_alternatives(_WEEK)})(?:s\b)?{_NOT_A_LETTER}",
    _FLAGS,
)
_WORD = re.compile(r"[^\W\d_]+")
_UNSPACED_WEEKDAY = re.compile("[期周週拜요曜]")
_AM = r"(?P<am>a\.?m\b|утра|de la mañana|pagi)"
_PM = r"(?P<pm>p\.?m\b|вечера|дня|de la tarde|de la noche|sore|malam)"
_CJK_AM = r"(?P<am>上午|早上|凌晨|오전|午前)"
_CJK_PM = r"(?P<pm>下午|晚上|오후|午後|저녁)"
_CJK_MINUTE = r"(?P<minute>\d{1,2})[ ]?[分분]"
_HALF = "(?P<half>半|반)"
_CJK_PAST = rf"(?:[ ]?{_CJK_MINUTE}|{_HALF})"
_HOUR = r"(?P<hour>\d{1,2})"
_TIMES = tuple(
    regex.compile(pattern, _FLAGS)
    for pattern in (
        rf"(?<![\d.,:]){_HOUR}[:.](?P<minute>\d{{1,2}})(?::(?P<second>\d{{2}}))?[ ]?(?:{_AM}|{_PM})",
        r"(?<![\d.,:])(?P<hour>\d{1,2}):(?P<minute>\d{2})(?::(?P<second>\d{2}))?(?![\d:])",
        rf"(?<![\d.,:\p{{Latin}}])(?P<hour>\d{{1,2}})[ ]?(?:{_AM}|{_PM})(?!\p{{L}})",
        rf"(?:{_CJK_AM}|{_CJK_PM})?[ ]?(?<!\d){_HOUR}[ ]?[点點시時时](?![간間间]){_CJK_PAST}?",
        rf"(?:{_CJK_AM}|{_CJK_PM})(?P<hour>{_HAN_NUMBER})[点點時时](?:{_HALF}|(?P<minute>{_HAN_NUMBER})分)?",
        rf"(?<![一二三四五六七八九十])(?P<hour>{_HAN_NUMBER})[点點](?:{_HALF}|(?P<minute>零?{_HAN_NUMBER})分(?!之)|(?=[整钟鐘]))",
    )
)
_DIGIT = re.compile(r"\d")
_EAST_ASIAN = frozenset({*_NUMERIC_DATES[-3:], *_TIMES[-3:]})
_IN_HAN = frozenset({_NUMERIC_DATES[-1], *_TIMES[-2:]})
_HAN_MARKS = re.compile("[月点點時时]")


@dataclass(frozen=True, slots=True)
class Moment:
    """A date or a time of day in a text: its normal form and where it stands."""

    kind: Literal["date", "time"]
    normal: str
    start: int
    end: int


def dates(text: str) -> Iterator[Moment]:
    """Find the dates and weekdays of `text` (which has gone through `numerals.plain_digits`)."""
    words = set(_WORD.findall(text.casefold()))  # a look at the words is cheaper than every pattern
    patterns = _within_reach(text, _NUMERIC_DATES)
    if not words.isdisjoint(_MONTH_NAMES):
        patterns += _WORDED_DATES
    if not words.isdisjoint(_WEEK_WORDS) or _UNSPACED_WEEKDAY.search(text):
        patterns.append(_WEEKDAY)
    for pattern in patterns:
        for match in pattern.finditer(text):
            normal = _date_normal(match)
            if not normal:
                continue
            start = match.start()
            if older := match.groupdict().get("older"):  # "3 (15) января 1850": a day by two calendars
                start = match.start("day")
                yield Moment("date", f"{normal[:8]}{int(older):02}", match.start(), match.end("older"))
            yield Moment("date", normal, start, match.end())


def is_month(text: str, position: int) -> bool:
    """Whether the name of a month stands at `position`."""
    return _MONTH_NAME.match(text, position) is not None


def times(text: str) -> Iterator[Moment]:
    """Find the times of day of `text`; what looks like ``4:00:00`` may be a duration and stays as written."""
    for pattern in _within_reach(text, _TIMES):
        for match in pattern.finditer(text):
            normal = _time_normal(match)
            if normal:
                yield Moment("time", normal, match.start(), match.end())


def _within_reach(text: str, patterns: tuple[regex.Pattern[str], ...]) -> list[regex.Pattern[str]]:
    """Those of some patterns with digits that can match: ASCII text has no dates of East Asia."""
    if not _DIGIT.search(text):
        return [pattern for pattern in patterns if pattern in _IN_HAN] if _HAN_MARKS.search(text) else []
    return [pattern for pattern in patterns if pattern not in _EAST_ASIAN or not text.isascii()]


def _date_normal(match: regex.Match[str]) -> str:
    found = match.groupdict()
    if found.get("weekday"):
        return _weekday_normal(match)
    year = found.get("year") or (f"20{found['short']}" if found.get("short") else "????")
    if not year.isascii():
        year = read_digits(year)
    if found.get("first"):
        first, second = int(found["first"]), int(found["second"])
        readings = [(first, second), (second, first)]
    else:
        month = _month_number(found.get("month") or "", match, with_year=year != "????")
        if month < 0:
            return ""
        readings = [(month, _number(found.get("day") or "0"))]
    valid = [
        f"{year}-{month:02}-{day:02}".replace("-00", "-??")
        for month, day in readings
        if month <= 12 and day <= 31 and not (found.get("first") and 0 in {month, day})
    ]
    return "|".join(dict.fromkeys(valid))


def _number(written: str) -> int:
    """A number in figures or Chinese characters; -1 if it is none."""
    if written.isdigit():
        return int(written)
    if has_power(written):
        value = read_number(written)
        return -1 if value is None else int(value)
    digits = written.removeprefix("零")
    return int(read_digits(digits)) if len(digits) == 1 else -1


def _weekday_normal(match: regex.Match[str]) -> str:
    word = match["weekday"]
    folded = word.casefold()
    if folded in {"среда", "среду"} and not _SURROUNDINGS.match(match.string, match.start("weekday")):
        return ""
    if word[0].islower() and folded in _ENGLISH | _UNCLEAR_ALONE:
        return ""
    return f"W{_WEEK[folded]}"


def _month_number(word: str, match: regex.Match[str], *, with_year: bool) -> int:
    """1-12; 0 when none is said; -1 when the word is no month here."""
    if not word:
        return 0
    if word.isdigit() or word[0] in _HAN_DIGITS:
        return _number(word) or -1
    folded = word.casefold().rstrip(".")
    day = match.groupdict().get("day")
    alone = not day and not with_year
    if word[0].islower() and folded in _VERBS and not with_year and _GOES_ON.match(match.string, match.end()):
        return -1
    if day and folded in _BEHIND_A_DAY and match.start("day") < match.start("month"):
        return _SHORT[folded]
    if alone and (folded in _UNCLEAR_ALONE or (word[0].islower() and folded in _ENGLISH)):
        return -1
    unclear = folded not in _LONG and word[0].islower() and not _SHORT_IN_LOWER_CASE.match(word)
    if unclear and not with_year:
        return -1
    return _LONG.get(folded) or _SHORT[folded]


_BEHIND_A_DAY = frozenset({"abr", "mar", "jun", "jul", "ago", "sep", "sept"})
"""Short months that are other words in lower case, unless a day stands before: "17 mar"."""
_SHORT_IN_LOWER_CASE = regex.compile(r".*\.$|\p{Cyrillic}|jan|feb|apr|aug|oct|okt|nov|ene|dic")


def _time_normal(match: regex.Match[str]) -> str:
    found = match.groupdict()
    hour, second = _number(found["hour"]), int(found.get("second") or 0)
    minute = 30 if found.get("half") else _number(found.get("minute") or "0")
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
