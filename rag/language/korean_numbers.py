"""Read numbers in Korean words: 천이백 원, 2억 3천만, 삼십오 일, 스물다섯 개.

Sino-Korean syllables are parts of everyday words (이 is "this", 일 is "work"). So a number must end like a
number, and a single syllable must precede a counter, as must two syllables that are also a word.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache

from rag.language.east_asian import has_power, read_number, zeros
from rag.language.fields import Words
from rag.language.numeral import Numeral, Reading, normal_form
from rag.language.tables import language

_DIGITS = "영일이삼사오육칠팔구"
_POWERS = "십백천만억조"
_SIGNS = _DIGITS + _POWERS
_FIGURES = r"\d{1,15}(?:,\d{3})*+(?:\.\d{1,15})?+"
_MIXED = re.compile(
    rf"(?=[제\d])(?<![\d.,])(?P<lead>제?)(?P<first>{_FIGURES})[ ]?+[{_POWERS}]++"
    rf"(?:(?:(?<=[만억조])[ ])?\d{{1,4}}+(?![\d.,]\d)(?:[{_POWERS}]++|(?![^\W\d_]|[.,]\d)))*+"
)
_RUN = re.compile(
    rf"(?=[제{_SIGNS}])(?<![가-힣0-9])(?P<lead>제?)(?P<run>[{_SIGNS}]++(?:(?<=[만억조])[ ][{_SIGNS}]++)*+)"
)
_POINT = re.compile(rf"[ ]?점[ ]?(?P<digits>[{_DIGITS}](?:[ ]?[{_DIGITS}])*+)(?![가-힣])")
_TRILLION_OR_ARTICLE = "조"
_HANGUL = re.compile("[가-힣]")


@dataclass(frozen=True, slots=True)
class _Forms:
    """Patterns around numbers, and the native numbers; compiled once.

    Args:
        counter: Counters, with or without a space.
        counter_near: Counters of a single syllable without a space.
        counter_far: Counters of a single syllable after a space.
        counter_of_this: The same for 이.
        counter_native: Counters of a single native syllable without a space.
        end: Where a number can end.
        hour: What turns a number into a time of day.
        money: What turns a number into an amount of money.
        days: What turns a number into a number of days.
        native: A native number.
        native_behind: A native number after a power.
        values: Values of native words.
        needs_counter: Native numbers that are other words without a counter.
        everyday: Two syllables that are also a word: 천사 is an angel, 만일 "if", 구조 a structure.
    """

    counter: re.Pattern[str]
    counter_near: re.Pattern[str]
    counter_far: re.Pattern[str]
    counter_of_this: re.Pattern[str]
    counter_native: re.Pattern[str]
    end: re.Pattern[str]
    hour: re.Pattern[str]
    money: re.Pattern[str]
    days: re.Pattern[str]
    native: re.Pattern[str]
    native_behind: re.Pattern[str]
    values: Mapping[str, int]
    needs_counter: frozenset[str]
    everyday: frozenset[str]


@cache
def word_end() -> str:
    """Return a pattern of where a Korean word can end: before other signs, or before particles."""
    particles = "|".join(language("ko").numbers.signs.particles)
    return rf"(?=(?:{particles}){{0,2}}(?![가-힣]))"


@cache
def _forms() -> _Forms:
    signs = language("ko").numbers.signs
    tens = {word: value for value, words in signs.tens.items() for word in words}
    units = {word: value for value, words in signs.units.items() for word in words}
    any_ten, any_unit = "|".join(tens), "|".join(units)
    starts = "".join(sorted({word[0] for word in (*tens, *units)}))

    def counting(words: Words, space: str = "") -> re.Pattern[str]:
        return re.compile(rf"{space}(?:{'|'.join(words)}){word_end()}")

    counter = counting(signs.counters, "[ ]?")
    return _Forms(
        counter=counter,
        counter_near=counting(signs.counters_near),
        counter_far=counting(signs.counters_far, "[ ]"),
        counter_of_this=counting(signs.counters_of_this, "[ ]"),
        counter_native=counting(signs.counters_native),
        end=re.compile(rf"{word_end()}|여?{counter.pattern}"),
        hour=re.compile(rf"[ ]?시{word_end()}"),
        money=re.compile(rf"[ ]?(?:{'|'.join(signs.money)})"),
        days=re.compile(rf"[ ]?(?:{'|'.join(signs.days)})"),
        native=re.compile(
            rf"(?=[{starts}])(?<![가-힣0-9])(?P<tens>{any_ten})?(?P<unit>{any_unit})?(?<=[가-힣])"
        ),
        native_behind=re.compile(rf"[ ]?(?:(?:{any_ten})(?:{any_unit})?|(?:{any_unit})(?=[ ]))"),
        values=tens | units,
        needs_counter=frozenset(signs.needs_counter),
        everyday=frozenset(signs.everyday),
    )


def may_hold(text: str) -> bool:
    """Return whether `text` may have a number in Korean words."""
    return _HANGUL.search(text) is not None


def read(text: str, *, liberal: bool) -> list[Reading]:
    """Read the numbers in Korean words of `text`; `liberal` as in `numerals.numerals`."""
    if not _HANGUL.search(text):
        return []
    found = [_read_mixed(text, match) for match in _MIXED.finditer(text)]
    found += [_read_run(text, match) for match in _RUN.finditer(text)]
    found += [_read_native(text, match, liberal=liberal) for match in _forms().native.finditer(text)]
    return [
        Reading(None, reading.start, reading.end) if _is_time(text, reading) else reading
        for reading in found
        if reading is not None and (liberal or reading.numeral is None or reading.numeral.normal != "1")
    ]


def _is_time(text: str, reading: Reading) -> bool:
    """Return whether a number is part of a time of day, as in 세 시 삼십 분."""
    is_minute = text[max(0, reading.start - 2) : reading.start] == "시 "
    return is_minute or _forms().hour.match(text, reading.end) is not None


def _make_reading(value: Decimal | None, start: int, end: int, shift: int = 0) -> Reading:
    return Reading(Numeral(normal_form(value), start, end, shift) if value is not None else None, start, end)


def _read_mixed(text: str, match: re.Match[str]) -> Reading | None:
    """Read digits with powers: 5만, 1만 2천, 3천5백만."""
    start, end = match.start("first"), match.end()
    written = match.group()[match.start("first") - match.start() :]
    if not _forms().end.match(text, end):  # 2023 조사, 3조각
        is_cut = " " not in written and not set("십백천억").isdisjoint(written)
        return Reading(None, start, end) if is_cut else None
    value = read_number(written)
    if written.endswith(_TRILLION_OR_ARTICLE) and value is not None:
        if match["lead"]:
            return None  # 제25조 is an article of a law
        if not _forms().money.match(text, end):
            figures = match["first"].replace(",", "")
            normal = f"{normal_form(value)}|{normal_form(Decimal(figures))}"
            return Reading(Numeral(normal, start, end), start, end)
    return _make_reading(value, start, end, zeros(written))


def _read_run(text: str, match: re.Match[str]) -> Reading | None:
    start, end = match.span("run")
    written = match["run"]
    first, _, rest = written.partition(" ")
    if rest and not _forms().end.match(text, end):
        written, end = first, start + len(first)  # 백만 일본 …
    elif rest and len(written.rsplit(" ", 1)[1]) == 1 and not _forms().counter.match(text, end):
        return Reading(None, start, end)  # 만 일
    if text.startswith("분의", end) or text.startswith("월", end) or text[max(0, start - 2) : start] == "월 ":
        return Reading(None, start, end)
    native = _forms().native_behind.match(text, end) if written[-1] in _POWERS else None
    if native is not None:
        return Reading(None, start, native.end())  # 백 두 번째
    point = _POINT.match(text, end)
    if point is not None:
        whole = read_number(written) if has_power(written) else None
        digits = "".join(str(_DIGITS.index(sign)) for sign in point["digits"].replace(" ", ""))
        value = None if whole is None else whole + Decimal(f"0.{digits}")
        return _make_reading(value, start, point.end())
    if len(written) == 1:
        return _read_single(text, start, end)
    if not has_power(written) or not _forms().end.match(text, end):
        return None
    if written in _forms().everyday and not _forms().counter.match(text, end):
        return None
    return _read_powers(text, match, written, start, end)


def _read_powers(text: str, match: re.Match[str], written: str, start: int, end: int) -> Reading | None:
    if written.endswith(_TRILLION_OR_ARTICLE):
        if match["lead"]:
            return _make_reading(read_number(written[:-1]), start, end - 1)
        if not _forms().money.match(text, end):
            return Reading(None, start, end)
    value = read_number(written)
    if (
        value is None and written[-1] in "일이"
    ):  # 삼십오일 is a number of days, and 삼십오이 ends with a particle
        return _make_reading(read_number(written[:-1]), start, end - 1)
    if (
        written[-1] == "일"
        and written[-2] in _POWERS
        and not _forms().counter.match(text, end)
        and value is not None
    ):
        if match["lead"]:
            return _make_reading(value, start, end)
        if _forms().days.match(text, end):
            return _make_reading(value - 1, start, end - 1)
        # 오십일 is 51, or 50 days
        normal = f"{normal_form(value)}|{normal_form(value - 1)} day"
        return Reading(Numeral(normal, start, end), start, end)
    return _make_reading(value, start, end, zeros(written))


def _read_single(text: str, start: int, end: int) -> Reading | None:
    sign = text[start]
    counter = _forms().counter_of_this if sign == "이" else _forms().counter_far
    if not (counter.match(text, end) or _forms().counter_near.match(text, end)):
        return None
    value = read_number(sign) if sign in _POWERS else Decimal(_DIGITS.index(sign))
    return _make_reading(value, start, end) if value is not None else None


def _read_native(text: str, match: re.Match[str], *, liberal: bool) -> Reading | None:
    start, end = match.span()
    value = _forms().values.get(match["tens"] or "", 0) + _forms().values.get(match["unit"] or "", 0)
    glued = end - start == 1 and text[end : end + 1] != " "
    counted = (_forms().counter_native if glued else _forms().counter).match(text, end) is not None
    if match.group() in _forms().needs_counter and not counted and not liberal:
        return None
    if not counted and not (text[end : end + 1] == " " or _forms().end.match(text, end)):
        return None
    if glued and not counted:
        return None
    return _make_reading(Decimal(value), start, end)
