"""Tables of the language files with numbers, dates and measures."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from rag.language.fields import Months, Pattern, Phrases, Section, Words


class Numbers(Section):
    """Words and signs of numbers; `rag.language.numbers` reads them.

    Accents and ё may be missing in a text, so both spellings are tried.

    Args:
        words: By value: words below a thousand that stand for themselves.
        teens: Words behind a digit that add ten: "belas".
        times: By value: words that multiply the number before them: "hundred", "dozen", "puluh".
        scales: By value: words of a thousand and more, behind words or digits.
        whole: Scales that mean one of themselves when alone: "mil", "seribu".
        ordinals: By value: words (stems, with `ordinal_endings`) that can end a number: "twenty-fifth".
        joints: Words inside a number.
        articles: Words before `times` and `scales`.
        unclear: Words that alone are numbers only before a measure.
        foreign: Words that mean something else in other languages; they count only if the language is known.
        spoiling: Words that change the number beside them: "two thirds", "half a million". It is not read.
        decimal_comma: Whether 1,5 is one and a half.
        minus: Words before a negative number.
        ranges: Words between the ends of a range: "from 5 to 10".
        half: Pattern of a half behind a number: "two and a half".
        counters: Patterns of counters in Chinese and Korean; a single sign before one is a number.
        everyday: Chinese and Korean words that look like numbers: "十分", "천사".
        native: By value: native Korean numbers, which need a counter.
        particles: Particles of Korean words.
    """

    words: Mapping[Decimal, Words] = {}
    teens: Words = ()
    times: Mapping[Decimal, Words] = {}
    scales: Mapping[Decimal, Words] = {}
    whole: Words = ()
    ordinals: Mapping[Decimal, Words] = {}
    ordinal_endings: Words = ()
    joints: Words = ()
    articles: Words = ()
    unclear: Words = ()
    foreign: Words = ()
    spoiling: Words = ()
    decimal_comma: bool = False
    minus: Words = ()
    ranges: Words = ()
    half: Pattern = ""
    counters: Words = ()
    everyday: Words = ()
    native: Mapping[Decimal, Words] = {}
    particles: Words = ()


class Dates(Section):
    """Words of dates and times of day.

    Args:
        months: Twelve rows, January first; the forms of a month are separated by spaces.
        weekdays: Seven rows, Monday first.
        capitalised: Whether months and weekdays are capitalised, so that lower case means another word.
        unclear: Names of months and weekdays that alone are more often other words: "may", "среда".
        day_endings: Endings of the number of a day: "5th".
        articles: Words between a month and a day: "May the 5th".
        of: Words between a day, a month and a year.
        morning, evening: Patterns after an hour: "9 a.m.".
        morning_before, evening_before: Patterns before an hour: 下午三点.
    """

    months: Months = ()
    short_months: Months = ()
    weekdays: Months = ()
    capitalised: bool = False
    unclear: Words = ()
    day_endings: Words = ()
    articles: Words = ()
    of: Words = ()
    morning: Pattern = ""
    evening: Pattern = ""
    morning_before: Pattern = ""
    evening_before: Pattern = ""


MeasureName = Literal[
    "%", "usd", "eur", "rub", "gbp", "cny", "jpy", "krw", "idr", "ms", "s", "min", "h", "day", "working day",
    "week", "month", "year", "b", "kb", "mb", "gb", "tb", "km", "m", "cm", "mm", "mi", "ft", "kg", "g", "°c",
    "°f",
]  # fmt: skip


class Measures(Section):
    """Words for the measures of numbers.

    Args:
        names: Phrases of each measure, by its name, which is the same in every language.
        adjectives: Pattern of words between a number and its measure: "five calendar days".
    """

    names: Mapping[MeasureName, Phrases] = {}
    adjectives: Pattern = ""
