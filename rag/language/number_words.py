"""The words of numbers in languages with spaces, each with its part in a number; the words are data."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal

import yaml

Role = Literal[
    "number", "digits", "teens", "tens", "hundreds", "groups", "scales", "ordinals", "shares", "fractions",
    "apart", "joints", "articles", "of", "points", "wholes", "parts",
]  # fmt: skip

_VALUED: dict[str, Role] = {
    "numbers": "number",
    "groups": "groups",
    "scales": "scales",
    "ordinals": "ordinals",
    "whole_ordinals": "ordinals",
    "shares": "shares",
    "apart": "apart",
    "parts": "parts",
}
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
"""The parts of a number one of which it must have, beside its figures."""


@dataclass(frozen=True, slots=True)
class NumberWord:
    """What a word does in a number.

    Args:
        role: Its part, by the names in ``number_words.yaml``.
        value: What it is worth; 0 where the role says all.
        is_whole: Whether a scale without a number before it is one of it: "mil", "тысяча", "seribu".
    """

    role: Role
    value: Decimal = Decimal(0)
    is_whole: bool = False


@dataclass(frozen=True, slots=True)
class Grammar:
    """The number words of a language, and how they are put together.

    Args:
        words: Each word as it may stand in a folded text.
        telling: Words one of which stands in each number that a claim can be held to.
        counting: The same with the words for one.
        beside: Words that are numbers only beside another one.
        unclear: Words that are numbers only beside another one, or before a measure.
        foreign: Words that count only where the language is known.
        between: Words before two numbers that a joint separates.
        habits: ``commas`` behind a scale ("two thousand, seven hundred"); ``year_pairs`` ("nineteen
            eighty-four"); ``joint_behind_tens`` ("treinta y uno"); ``thousands_of_millions`` ("dos mil
            trescientos millones"); ``share_without_joint`` ("dua setengah juta"); ``reduplication``
            ("dua-duanya" is no two); ``joint_before_share_only`` ("два с половиной", never "два с пятью").
    """

    words: Mapping[str, NumberWord]
    telling: frozenset[str]
    counting: frozenset[str]
    beside: frozenset[str]
    unclear: frozenset[str]
    foreign: frozenset[str]
    between: frozenset[str]
    habits: frozenset[str]


@cache
def grammars() -> Mapping[str, Grammar]:
    """The grammars of ``number_words.yaml`` by ISO 639-1 code."""
    text = Path(__file__).with_name("number_words.yaml").read_text(encoding="utf-8")
    blocks = yaml.load(text, getattr(yaml, "CSafeLoader", yaml.SafeLoader))  # noqa: S506 - the safe loader, in C where there is one
    return {code: _grammar(block) for code, block in blocks.items()}


def fold(word: str) -> str:
    """`word` in lower case without accents; the length may change."""
    folded = word.casefold()
    return folded if folded.isascii() else _without_marks(folded)


def _grammar(block: Mapping[str, object]) -> Grammar:
    words = {writing: word for text, word in _entries(block) for writing in _writings(text)}
    beside, unclear, foreign, between = (
        frozenset(writing for text in str(block.get(key, "")).split() for writing in _writings(text))
        for key in ("beside", "unclear", "foreign", "between")
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
        frozenset(_listed(block.get("habits"))),
    )


def _entries(block: Mapping[str, object]) -> Iterator[tuple[str, NumberWord]]:
    whole = str(block.get("whole", "")).split()
    endings = str(block.get("ordinal_endings", "")).split() or [""]
    for key, role in _VALUED.items():
        valued = block.get(key, {})
        for value, texts in valued.items() if isinstance(valued, dict) else ():
            for text in texts.split():
                for ending in endings if key == "ordinals" else ("",):
                    yield text + ending, NumberWord(role, Decimal(str(value)), text in whole)
    for role in _PLAIN:
        for text in str(block.get(role, "")).split():
            yield text, NumberWord(role)


def _listed(written: object) -> list[str]:
    return [str(item) for item in written] if isinstance(written, list) else []


def _writings(word: str) -> set[str]:
    return {word, word.replace("ё", "е"), _without_marks(word)}


def _without_marks(word: str) -> str:
    return "".join(c for c in unicodedata.normalize("NFD", word) if not unicodedata.combining(c))
