"""Recognise by its words what a question asks for: a person, a moment, an amount, yes or no, or other.

The words of all languages are tried on every question, because chats mix languages and a question word of one
language is rarely a word of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

import regex

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
    if has_yes_or_no_form(question):
        return True
    is_statement = _IS_STATEMENT.search(question) and not _pattern_of("ending").search(question)
    return not is_statement and not kinds_asked(question)


def has_yes_or_no_form(question: str) -> bool:
    """Return whether a question has the form of one that asks for yes or no: "is …", "吗"."""
    return bool(_pattern_of("yes_or_no").search(question))


def asks_whole(question: str) -> bool:
    """Return whether a question is about all of something: "which is the cheapest", "list the suppliers"."""
    return bool(_pattern_of("whole").search(question))


def misses_whole(question: str, sentence: str, words: str) -> bool:
    """Return whether a question is about all of something, and a sentence that seems to answer of less."""
    if not asks_whole(question) or asks_whole(sentence):
        return False
    return "count" not in kinds_asked(question) or not any(one.isnumeric() for one in words)


@cache
def question_words() -> regex.Pattern[str]:
    """Return the pattern of a question word of any language, the longest form first."""
    kinds = (
        pattern
        for kind in ("named", "when", "count", "who", "other")
        if (pattern := _pattern_of(kind).pattern)
    )
    return regex.compile("|".join(kinds), regex.IGNORECASE)


@cache
def _patterns() -> Mapping[Sought, regex.Pattern[str]]:
    kinds: tuple[Sought, ...] = ("who", "named", "when", "count", "other")
    return {kind: _pattern_of(kind) for kind in kinds}


@cache
def _pattern_of(name: str) -> regex.Pattern[str]:
    assert name in Questions.model_fields
    return compile_pattern(lambda one: str(getattr(one.questions, name)))
