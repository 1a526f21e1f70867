"""What a question asks for, by its words: a person, a moment, an amount, yes or no, or anything else.

The words of all languages are tried on every question, because chats mix languages and a question word of one
is hardly ever a word of another.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from typing import Literal

import regex

from rag.language.tables import Questions, compiled

Sought = Literal["who", "named", "when", "count", "other"]

_IS_STATEMENT = regex.compile(r"^\W*$|[.!。！]\W*$")


@lru_cache(maxsize=512)
def sought(question: str) -> frozenset[Sought]:
    """What a question asks for by its question words; nothing where it has none.

    A moment is no amount: "in what year" seeks the one, "how many years" the other. ``named`` is a group or
    a place; reasons and things are not told apart: it measures nothing.
    """
    return frozenset(kind for kind, pattern in _patterns().items() if pattern.search(question))


def wants_yes_or_no(question: str) -> bool:
    """Whether a question is marked as one for yes or no, or asks for nothing else; people leave "?" out."""
    if _key("yes_or_no").search(question):
        return True
    is_statement = _IS_STATEMENT.search(question) and not _key("ending").search(question)
    return not is_statement and not sought(question)


def offers_choice(question: str) -> bool:
    """Whether a question names the things to choose from: "Paris or Rome?"."""
    return bool(_key("choice").search(question))


def asks_finer_than_a_year(question: str) -> bool:
    """Whether a question wants a day, a month or a time, so that a year alone does not answer it."""
    return bool(_key("finer_than_year").search(question))


@cache
def _patterns() -> Mapping[Sought, regex.Pattern[str]]:
    kinds: tuple[Sought, ...] = ("who", "named", "when", "count", "other")
    return {kind: _key(kind) for kind in kinds}


@cache
def _key(name: str) -> regex.Pattern[str]:
    """The pattern for a key of `Questions`."""
    assert name in Questions.model_fields
    return compiled(lambda one: str(getattr(one.questions, name)))
