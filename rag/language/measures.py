"""What a number counts: percent, money, time, bytes, lengths, weights; one name in every language."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import regex

from rag.language.korean_numbers import word_end
from rag.language.tables import alternatives, languages

_SYMBOLS = {"$": "usd", "€": "eur", "£": "gbp", "¥": "cny", "₽": "rub", "₩": "krw", "Rp": "idr"}
_BEFORE = regex.compile(
    r"(?:(?:US|A|C|CA|HK)?(?P<symbol>[$€£¥₽₩])|(?<!\p{L})(?P<rupiah>Rp)\.?|(?P<percent>百分之))[ ]?$"
)
_LONGEST = 24


@dataclass(frozen=True, slots=True)
class Measure:
    """What a number counts (``%``, ``usd``, ``gb`` …) and the stretch that number and measure take."""

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
    """What stands behind a number; no ending of an ordinal (1948-м, 5-м), no longer word (5 원칙, 三年级)."""
    adjective = alternatives(lambda one: one.measures.adjectives)
    words = "|".join(sorted(map(regex.escape, _names()), key=len, reverse=True))
    return regex.compile(
        rf"(?:[ ](?:{adjective})[ ]|[ ]|-(?!\p{{Cyrillic}}\b))?"
        rf"(?:(?P<symbol>[$€£¥₽₩])|(?P<word>{words})(?![\p{{Latin}}\p{{Cyrillic}}\d_])"
        rf"(?:(?<![가-힣])|{word_end()})(?<!年(?=[级級代])))",
        regex.IGNORECASE,
    )


def is_name(word: str) -> bool:
    """Whether `word` by itself may be what a number counts."""
    return word in _names()


def measure(text: str, start: int, end: int) -> Measure:
    """Find what the number at ``text[start:end]`` counts; an empty name if nothing known is attached."""
    after = _after().match(text, end)
    if after:
        word = after["word"]
        name = _names()[word.casefold()] if word else _SYMBOLS[after["symbol"]]
        return Measure(name, start, after.end())
    window = max(0, start - _LONGEST)
    before = _BEFORE.search(text[window:start])
    if before:
        name = "%" if before["percent"] else _SYMBOLS[before["symbol"] or before["rupiah"]]
        return Measure(name, window + before.start(), end)
    return Measure("", start, end)
