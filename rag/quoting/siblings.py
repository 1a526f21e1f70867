"""Detect a quotation about a sibling of what was asked: Ghent for Porto, version 2 for version 1.

Siblings are side by side in a handbook and their sentences look alike, so words and meaning cannot
distinguish them, and a small model reads one value for the other. The name, or the number after the same
word, distinguishes them. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import regex

from rag.language.names import names
from rag.language.tables import alternatives
from rag.language.words import content_terms, terms

_PREFIX_LETTERS = 4
"""Words that share this many first letters count as forms of one name, for example Russian cases."""
_NUMBERED = regex.compile(r"(?<!\p{L})(?P<word>\p{L}{3,}+)[ \u00a0](?P<number>\d{1,9}(?:\.\d{1,9}){0,3})\b")


def speaks_of_sibling(question: str, quotation: str, heading: str, language: str) -> bool:
    """Return whether a quotation names another thing of the same kind than the question, and not that one.

    Args:
        question: The standalone question.
        quotation: The quoted text.
        heading: Document and section of the quotation; names in it need not be in the quotation.
        language: ISO 639-1 code of the question, for the stems.
    """
    around = f"{heading}\n{quotation}"
    asked, said = _names(question, language), _names(quotation, language)
    known = _prefixes(terms(around, language)).union(*map(_prefixes, said))
    if any(not _prefixes(name) & known for name in asked):
        mine = _prefixes(terms(question, language)).union(*map(_prefixes, asked))
        if any(not _prefixes(name) & mine for name in said):
            return True
    numbers = _numbers(around, language)
    return any(
        word in numbers and not wanted & numbers[word]
        for word, wanted in _numbers(question, language).items()
    )


@cache
def _counted() -> regex.Pattern[str]:
    words = alternatives(lambda one: one.numbers.signs.numbering)
    return regex.compile(rf"(?P<number>\d{{1,9}}(?:\.\d{{1,9}}){{0,3}})\s?(?P<word>{words})")


def _names(text: str, language: str) -> list[tuple[str, ...]]:
    return [tuple(name.normal.split()) for name in names(text, language)]


def _prefixes(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_PREFIX_LETTERS] for word in words)


def _numbers(text: str, language: str) -> dict[str, set[str]]:
    """Return the numbers that distinguish things of one name, by its stem: "version" has 2 and 3."""
    found: dict[str, set[str]] = {}
    for pattern in (_NUMBERED, _counted()):
        for match in pattern.finditer(text):
            stem = next(iter(content_terms(match["word"], language)), match["word"])
            found.setdefault(stem, set()).add(match["number"])
    return found
