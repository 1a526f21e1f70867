"""Whether a text contains a gold answer; pure.

Texts are compared without case and punctuation and by whole words, so that "5" is not found in "15" or "1.5".
Scripts without spaces have no whole words; a Korean word can have an ending. A gold answer that is nothing
but an amount with its measure, a date or a time is also found in another notation: "3 hours" in "a three-hour
show".
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

import regex

from rag.language.units import units

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_STARTS_ANYWHERE = regex.compile(rf"[{_UNSPACED}]")
_ENDS_ANYWHERE = regex.compile(rf"[{_UNSPACED}\p{{Hangul}}]\p{{M}}*$")

_GROUPED = regex.compile(r"(?<![\d.,])\d{1,3}(?:,\d{3})+(?![\d,])|(?<![\d.,])\d{1,3}(?:[ '’]\d{3})+(?!\d)")
"""1,000 and 1 000 and 1'000: one number."""

_NOT_COMPARED = regex.compile(r"(?<=\d)[.:](?=\d)(*SKIP)(*FAIL)|[^\p{L}\p{M}\p{N}]+")
"""Everything but letters and digits; the point of 1.5 and the colon of 9:30 belong to the number."""

_RANGE = frozenset("-–—~～")
"""What follows the first number of a range: "10–12 days" are not 10 days."""

_NO_WORDS = regex.compile(r"[^\p{L}\p{M}\p{N}]+")


def holds(text: str, answers: Iterable[str]) -> bool:
    """Whether an answer gives one of the gold answers; blank ones never match, numbers match as wholes."""
    wanted = tuple(answers)
    return _has_any(plain(text), map(plain, wanted)) or any(_states(text, answer) for answer in wanted)


def mentions(passage: str, answers: Iterable[str]) -> bool:
    """Whether a passage is one that a gold answer can be read off, as far as a string can tell.

    More lenient than `holds`: an event "from 8:00 to 16:00" is where "8 hours" stands, and published
    figures of retrieval are counted in this way.
    """
    return _has_any(_split(passage), map(_split, answers))


def plain(text: str) -> str:
    """`text` without case and punctuation, numbers without their thousands separators."""
    joined = _GROUPED.sub(lambda number: regex.sub(r"\D", "", number[0]), _folded(text))
    return _NOT_COMPARED.sub(" ", joined).strip()


def _states(text: str, answer: str) -> bool:
    fact = _only_fact(answer)
    return bool(fact) and any(
        one.normal == fact and text[one.end : one.end + 1] not in _RANGE
        for one in units(text, with_names=False)
    )


@lru_cache(maxsize=4096)
def _only_fact(answer: str) -> str:
    """Empty unless an answer is one fact with one meaning: "9:00" may be in the morning or in the evening."""
    facts = units(answer, with_names=False)
    if len(facts) != 1 or facts[0].text != answer.strip() or facts[0].kind not in {"number", "date", "time"}:
        return ""
    normal = facts[0].normal
    is_bare = facts[0].kind == "number" and " " not in normal
    return "" if is_bare or "|" in normal else normal


def _split(text: str) -> str:
    return _NO_WORDS.sub(" ", _folded(text)).strip()


def _folded(text: str) -> str:
    return unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())


def _has_any(compared: str, wanted: Iterable[str]) -> bool:
    return any(_pattern(answer).search(compared) for answer in wanted if answer)


@lru_cache(maxsize=4096)
def _pattern(wanted: str) -> regex.Pattern[str]:
    before = after = ""
    if not _STARTS_ANYWHERE.match(wanted):
        before = rf"(?<![\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}]])(?<!\d[.:])"
    if not _ENDS_ANYWHERE.search(wanted):
        after = rf"(?![\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}\p{{Hangul}}]])(?![.:]\d)"
    return regex.compile(before + regex.escape(wanted) + after, regex.V1)
