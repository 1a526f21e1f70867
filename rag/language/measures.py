"""Find what a number measures: percent, money, time, bytes. Names are the same in all languages."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import regex

from rag.language.korean_numbers import word_end
from rag.language.quantity_tables import MeasureName
from rag.language.tables import alternatives, compile_pattern, languages

_SYMBOLS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "₽": "rub", "₩": "krw", "Rp": "idr"}
_BEFORE = regex.compile(
    r"(?:(?:US|A|C|CA|HK)?(?P<symbol>[$€£¥₽₩])|(?<!\p{L})(?P<rupiah>Rp)\.?|(?P<percent>百分之))[ ]?$"
)
_MAX_PREFIX_CHARACTERS = 24


@dataclass(frozen=True, slots=True)
class Measure:
    """The measure of a number (``%``, ``usd``, ``gb`` …), and the offsets of number and measure together."""

    name: str
    start: int
    end: int


@cache
def _names() -> Mapping[str, str]:
    return {
        phrase: name
        for one in languages().values()
        for name, phrases in one.measures.names.items()
        for phrase in phrases
    }


@cache
def _after() -> regex.Pattern[str]:
    """Return the pattern of a measure after a number. It excludes endings of ordinals (1948-м, 5-м) and
    longer words (5 원칙, 三年级).
    """
    adjective = alternatives(lambda one: one.measures.adjectives)
    words = "|".join(sorted(map(regex.escape, _names()), key=len, reverse=True))
    return regex.compile(
        rf"(?:[ ](?:{adjective})[ ]|[ ]|-(?!\p{{Cyrillic}}\b))?"
        rf"(?:(?P<symbol>[$€£¥₽₩])|(?P<word>{words})(?![\p{{Latin}}\p{{Cyrillic}}\d_])"
        rf"(?:(?<![가-힣])|{word_end()})(?<!年(?=[级級代]))(?<!周(?=末)))",
        regex.IGNORECASE,
    )


def is_name(word: str) -> bool:
    """Return whether `word` alone can name a measure."""
    return word in _names()


def measure(text: str, start: int, end: int) -> Measure:
    """Find the measure of the number at ``text[start:end]``; an empty name if there is no known one."""
    after = _after().match(text, end)
    if after:
        word = after["word"]
        name = _names()[word.casefold()] if word else _SYMBOLS[after["symbol"]]
        return Measure(name, start, after.end())
    window = max(0, start - _MAX_PREFIX_CHARACTERS)
    before = _BEFORE.search(text[window:start])
    if before:
        name = "%" if before["percent"] else _SYMBOLS[before["symbol"] or before["rupiah"]]
        return Measure(name, window + before.start(), end)
    return Measure("", start, end)


def says_free(text: str) -> bool:
    """Return whether a folded text says that something costs nothing."""
    return bool(_free().search(text))


@cache
def _free() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.measures.free)


def periods(text: str) -> frozenset[str]:
    """Return the periods for which a text states a value: "week" for "22 hours a week" and "a weekly fee"."""
    return frozenset(name for name, pattern in _periods().items() if pattern.search(text))


@cache
def _periods() -> Mapping[str, regex.Pattern[str]]:
    def pattern(name: MeasureName) -> regex.Pattern[str]:
        return compile_pattern(lambda one: one.bordered(one.measures.periods.get(name, "")))

    known = dict.fromkeys(name for one in languages().values() for name in one.measures.periods)
    return {name: pattern(name) for name in known}
