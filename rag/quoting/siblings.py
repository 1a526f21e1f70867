"""Whether a quotation speaks of a sibling of what was asked about: Ghent for Porto, version 2 for version 1.

Siblings stand side by side in a handbook and their sentences are built alike, so words and meaning cannot
tell them apart, and a small model reads the value of the one for the other. What tells them apart is the
name, or the number behind the same word. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache

import regex

from rag.language.names import names
from rag.language.tables import alternatives
from rag.language.words import content_terms, terms

_BEGINNING = 4
"""Words that share so many letters at their beginning count as forms of one name, as in Russian cases."""
_NUMBERED = regex.compile(r"(?P<word>\p{L}{3,})[ \u00a0](?P<number>\d{1,9}(?:\.\d{1,9}){0,3})\b")


def speaks_of_sibling(question: str, quotation: str, heading: str, language: str) -> bool:
    """Whether a quotation names another thing of the kind that the question names, and not that one.

    Args:
        question: The question as it reads without its history.
        quotation: What is quoted.
        heading: Document and section of the quotation: what stands there need not be said again.
        language: ISO 639-1 code of the question, for the stems.
    """
    around = f"{heading}\n{quotation}"
    asked, said = _names(question, language), _names(quotation, language)
    known = _beginnings(terms(around, language)).union(*map(_beginnings, said))
    if any(not _beginnings(name) & known for name in asked):
        mine = _beginnings(terms(question, language)).union(*map(_beginnings, asked))
        if any(not _beginnings(name) & mine for name in said):
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


def _beginnings(words: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_BEGINNING] for word in words)


def _numbers(text: str, language: str) -> dict[str, set[str]]:
    """The numbers that tell things of one name apart, by the stem of that name: "version" has 2 and 3."""
    found: dict[str, set[str]] = {}
    for pattern in (_NUMBERED, _counted()):
        for match in pattern.finditer(text):
            stem = next(iter(content_terms(match["word"], language)), match["word"])
            found.setdefault(stem, set()).add(match["number"])
    return found
