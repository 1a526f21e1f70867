"""Number words of languages with spaces, each with its role in a number."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from typing import Literal

from rag.language.fields import Words
from rag.language.quantity_tables import Habit, NumberWords
from rag.language.tables import languages

Role = Literal[
    "number", "digits", "teens", "tens", "hundreds", "groups", "scales", "ordinals", "shares", "fractions",
    "apart", "joints", "articles", "of", "points", "wholes", "parts",
]  # fmt: skip

_PLAIN: tuple[Role, ...] = (
    "teens",
    "tens",
    "hundreds",
    "fractions",
    "joints",
    "articles",
    "of",
    "points",
    "wholes",
)
_COUNTING: frozenset[Role] = frozenset(
    {"number", "teens", "tens", "hundreds", "groups", "scales", "shares", "apart"}
)
"""A number must have a word with one of these roles, or digits."""


@dataclass(frozen=True, slots=True)
class NumberWord:
    """The role and the value of a word in a number.

    Args:
        role: Its role, named as in `rag.language.quantity_tables.NumberWords`.
        value: Its value; 0 if the role is sufficient.
        is_whole: Whether a scale without a number before it means one of it: "mil", "тысяча", "seribu".
    """

    role: Role
    value: Decimal = Decimal(0)
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """The number words of a language, and how they combine.

    Args:
        words: Each word in folded spelling.
        telling: Every number that a claim is checked for has one of these words.
        counting: The same, plus the words for one.
        beside: Words that are numbers only beside another number.
        unclear: Words that are numbers only beside another number, or before a measure.
        foreign: Words that count only if the language is known.
        between: Words before two numbers that a joint separates.
        habits: How numbers are formed; see `rag.language.quantity_tables.NumberWords`.
    """

    words: Mapping[str, NumberWord]
    telling: frozenset[str]
    counting: frozenset[str]
    beside: frozenset[str]
    unclear: frozenset[str]
    foreign: frozenset[str]
    between: frozenset[str]
    habits: frozenset[Habit]


@cache
def grammars() -> Mapping[str, Grammar]:
    """Return the grammars of the languages with number words, by ISO 639-1 code."""
    return {code: _grammar(one.numbers.words) for code, one in languages().items() if one.numbers.words}


def fold(word: str) -> str:
    """Return `word` in lower case without accents; the length may change."""
    folded = word.casefold()
    return folded if folded.isascii() else _without_marks(folded)


def _grammar(table: NumberWords) -> Grammar:
    words = {writing: word for text, word in _entries(table) for writing in _spellings(text)}
    beside, unclear, foreign, between = (
        frozenset(writing for text in listed for writing in _spellings(text))
        for listed in (table.beside, table.unclear, table.foreign, table.between)
    )
    counting = frozenset(text for text, word in words.items() if word.role in _COUNTING) - beside
    return Grammar(
        words,
        frozenset(text for text in counting if words[text].value != 1),
        counting,
        beside,
        unclear,
        foreign,
        between,
        frozenset(table.habits),
    )


def _entries(table: NumberWords) -> Iterator[tuple[str, NumberWord]]:
    valued: tuple[tuple[Role, Mapping[Decimal, Words], Words], ...] = (
        ("number", table.numbers, ()),
        ("groups", table.groups, ()),
        ("scales", table.scales, ()),
        ("ordinals", table.ordinals, table.ordinal_endings),
        ("ordinals", table.whole_ordinals, ()),
        ("shares", table.shares, ()),
        ("apart", table.apart, ()),
        ("parts", table.parts, ()),
    )
    for role, by_value, endings in valued:
        for value, texts in by_value.items():
            for text in texts:
                for ending in endings or ("",):
                    yield text + ending, NumberWord(role, value, text in table.whole)
    for role in _PLAIN:
        for text in getattr(table, role):
            yield text, NumberWord(role)


def _spellings(word: str) -> set[str]:
    return {word, word.replace("ё", "е"), _without_marks(word)}


def _without_marks(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
