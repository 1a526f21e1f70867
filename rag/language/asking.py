"""Recognise by its words what a question asks for: a person, a moment, an amount, yes or no, or other.

The words of all languages are tried on every question, because chats mix languages and a question word of one
language is rarely a word of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import regex

from rag.language.measures import measure
from rag.language.recent_texts import cache_recent
from rag.language.tables import Questions, compile_pattern

Sought = Literal["who", "named", "when", "count", "other"]

_QUESTION_MARK = regex.compile(
    r"""
    (?<!\() [?？؟][?？!！…]{0,3} [\s*_]{0,4} (?:\[[\d, ]{1,9}\] | [)\]])? [\s*_]{0,4} $
    """,
    regex.VERBOSE,
)
_QUOTED_QUESTION = regex.compile(
    r"""
    [\s*_>-]{0,8} ["'“«„「『‘] [\s\S]* [?？؟][?？!！…]{0,3} ["'”»“」』’] [\s*_]{0,4} $
    """,
    regex.VERBOSE,
)
_IS_STATEMENT = regex.compile(r"^\W*+$|[.!。！](?:(?![.!。！])\W)*+$")


@cache_recent
def kinds_asked(question: str) -> frozenset[Sought]:
    """Return what a question asks for by its question words; empty if it has none.

    A moment is not an amount: "in what year" asks for the former, "how many years" for the latter. ``named``
    is a group or a place. Reasons and things both count as ``other``, because telling them apart improved
    nothing.
    """
    return frozenset(kind for kind, pattern in _patterns().items() if pattern.search(question))


def is_question(sentence: str) -> bool:
    """Return whether a sentence is a question by its mark, which formatting or a citation may follow.

    A question inside of a statement does not count: the film "Who's Afraid of Virginia Woolf?".
    """
    return bool(_QUESTION_MARK.search(sentence) or _QUOTED_QUESTION.match(sentence))


def wants_yes_or_no(question: str) -> bool:
    """Return whether a question asks for yes or no, by its form or for lack of a question word."""
    if _pattern_of("yes_or_no").search(question):
        return True
    is_statement = _IS_STATEMENT.search(question) and not _pattern_of("ending").search(question)
    return not is_statement and not kinds_asked(question)


def offers_choice(question: str) -> bool:
    """Return whether a question names its alternatives: "Paris or Rome?"."""
    return bool(_pattern_of("choice").search(question))


def asks_finer_than_a_year(question: str) -> bool:
    """Return whether a question asks for a day, a month or a time, so that a year is no answer."""
    return bool(_pattern_of("finer_than_year").search(question))


def measures_asked(question: str) -> frozenset[str]:
    """Return the names of the measures whose number a question asks for: "how many minutes"."""
    asked = _pattern_of("count").finditer(question)
    return frozenset(measure(question, match.start(), match.end()).name for match in asked) - {""}


def asks_price(question: str) -> bool:
    """Return whether a question asks for an amount of money."""
    return bool(_pattern_of("price").search(question))


def asks_time_of_day(question: str) -> bool:
    """Return whether a question asks for a time of day."""
    return bool(_pattern_of("clock").search(question))


@cache
def _patterns() -> Mapping[Sought, regex.Pattern[str]]:
    kinds: tuple[Sought, ...] = ("who", "named", "when", "count", "other")
    return {kind: _pattern_of(kind) for kind in kinds}


@cache
def _pattern_of(name: str) -> regex.Pattern[str]:
    """Return the compiled pattern of a field of `Questions`."""
    assert name in Questions.model_fields
    return compile_pattern(lambda one: str(getattr(one.questions, name)))
