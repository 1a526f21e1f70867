"""Tables of the language files with numbers, dates and measures."""

from __future__ import annotations

from collections.abc import Mapping
from decimal import Decimal
from typing import Literal

from rag.language.fields import Months, Pattern, Phrases, Section, Words

Habit = Literal[
    "commas", "year_pairs", "joint_behind_tens", "thousands_of_millions", "share_without_joint",
    "reduplication", "joint_before_share_only", "joint_everywhere",
]  # fmt: skip


class NumberWords(Section):
    """Number words of a language with spaces between words; `rag.language.spelled` reads them.

    Accents and ё may be missing in a text, so both spellings are tried.

    Args:
        numbers: By value: words below a thousand that stand for themselves.
        tens, teens, hundreds: Words after a digit that multiply it by 10, add 10, multiply it by 100.
        groups: By value: words for a set of things, which need a number or an article before them.
        scales: By value: words of a thousand and more.
        whole: Scales that mean one of themselves when alone: "mil", "seribu".
        ordinals: By value: words (stems, with `ordinal_endings`) that can end a number: "twenty-fifth".
        whole_ordinals: The same without endings.
        shares: By value: words for a part of a scale: "half a million".
        fractions: Words that change or cancel the number beside them: "two thirds", "twenty-odd".
        apart: By value: words that never combine with others: "twice".
        unclear: Words that are numbers only beside another number, or before a measure.
        beside: Words that are numbers only beside another number.
        foreign: Words that mean something else in other languages; they count only if the language is known.
        joints: Words inside a number.
        articles: Words before a scale or a half.
        of: Words between a share and its scale.
        points: Words of the decimal point.
        wholes, parts: The Russian ones: "две целых пять десятых".
        between: Words before two numbers that a joint separates: "between one hundred and two hundred".
        habits: How numbers are formed: ``commas`` after a scale ("two thousand, seven hundred");
            ``year_pairs`` ("nineteen eighty-four"); ``joint_behind_tens`` ("treinta y uno");
            ``thousands_of_millions`` ("dos mil trescientos millones"); ``share_without_joint`` ("dua setengah
            juta"); ``reduplication`` ("dua-duanya" is not two); ``joint_before_share_only`` ("два с
            половиной", never "два с пятью"); ``joint_everywhere`` ("duzentos e trinta e quatro").
    """

    numbers: Mapping[Decimal, Words] = {}
    teens: Words = ()
    tens: Words = ()
    hundreds: Words = ()
    groups: Mapping[Decimal, Words] = {}
    scales: Mapping[Decimal, Words] = {}
    whole: Words = ()
    ordinals: Mapping[Decimal, Words] = {}
    ordinal_endings: Words = ()
    whole_ordinals: Mapping[Decimal, Words] = {}
    shares: Mapping[Decimal, Words] = {}
    fractions: Words = ()
    apart: Mapping[Decimal, Words] = {}
    unclear: Words = ()
    beside: Words = ()
    foreign: Words = ()
    joints: Words = ()
    articles: Words = ()
    of: Words = ()
    points: Words = ()
    wholes: Words = ()
    parts: Mapping[Decimal, Words] = {}
    between: Words = ()
    habits: tuple[Habit, ...] = ()


class NumberSigns(Section):
    """Context of numbers in Chinese characters or Korean syllables, many of which are parts of words.

    Args:
        counters: Patterns of counters; a single sign before one is a number.
        counters_near: Counters of a single Korean syllable without a space: "이개월" is nothing else.
        counters_far: Its counters after a space.
        counters_of_this: The same for 이, which means "this" in front of anything else.
        counters_native: Counters of a single native Korean number without a space.
        everyday: Words that look like numbers: "十分", "천사".
        tens, units: By value: native Korean numbers.
        needs_counter: Native numbers that are other words without a counter.
        particles: Particles of Korean words.
        numbering: Words after a number that distinguishes things of one name: "2층".
        money, days: Words after an amount of money, and after a number of days.
    """

    counters: Words = ()
    counters_near: Words = ()
    counters_far: Words = ()
    counters_of_this: Words = ()
    counters_native: Words = ()
    everyday: Words = ()
    tens: Mapping[int, Words] = {}
    units: Mapping[int, Words] = {}
    needs_counter: Words = ()
    particles: Words = ()
    numbering: Words = ()
    money: Words = ()
    days: Words = ()


class Numbers(Section):
    """Notation of numbers.

    Args:
        words: Numbers in words, in languages with spaces between words.
        signs: Numbers in Chinese characters or Korean syllables.
        decimal_comma: Whether 1,5 is one and a half.
        magnitudes: By number of zeros: words after digits: "5 million".
        minus: Words before a negative number.
        ranges: Words between the ends of a range: "from 5 to 10".
        half: Pattern of a half after a number: "two and a half".
    """

    words: NumberWords | None = None
    signs: NumberSigns = NumberSigns()
    decimal_comma: bool = False
    magnitudes: Mapping[int, Words] = {}
    minus: Words = ()
    ranges: Words = ()
    half: Pattern = ""


class Dates(Section):
    """Words of dates and times of day.

    Args:
        months: Twelve rows, January first; the forms of a month are separated by spaces.
        short_months: The same, abbreviated.
        weekdays: Seven rows, Monday first.
        capitalised: Whether months and weekdays are capitalised, so that lower case means another word.
        beside_numbers: Names that are other words unless a number is beside them.
        verbs: Months that are verbs in lower case before another word: "step 2 may fail".
        short_behind_day: Short months that are other words unless a day precedes: "17 mar".
        short_only_behind_day: Short months that are other words without a day or a full stop: "set.".
        short_in_lower_case: Beginnings of short months that are no other words.
        weekdays_unclear: Weekdays that are other words unless `weekday_where` matches.
        weekday_where: See `weekdays_unclear`.
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
    beside_numbers: Words = ()
    verbs: Words = ()
    short_behind_day: Words = ()
    short_only_behind_day: Words = ()
    short_in_lower_case: Words = ()
    weekdays_unclear: Words = ()
    weekday_where: Pattern = ""
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
        free: Pattern of words for a price of nothing.
        periods: By measure of time: pattern of words that mean "in each minute, hour …", tried between word
            borders: "a week".
    """

    names: Mapping[MeasureName, Phrases] = {}
    adjectives: Pattern = ""
    free: Pattern = ""
    periods: Mapping[MeasureName, Pattern] = {}
