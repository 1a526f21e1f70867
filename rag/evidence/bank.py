"""Compiled phrases for the evidence: refusals, openings, requests and so on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache

import regex

from rag.language import tables
from rag.language.characters import normalise_characters
from rag.language.fields import Pattern
from rag.language.tables import EvidenceTexts

FALLBACK = "en"
"""The language whose phrases replace those of languages without their own."""


@dataclass(frozen=True, slots=True)
class Patterns:
    """Compiled patterns of all languages together, because chats mix languages."""

    declining: tuple[regex.Pattern[str], ...]
    ignorance: tuple[regex.Pattern[str], ...]
    openings: tuple[regex.Pattern[str], ...]
    tasks: tuple[regex.Pattern[str], ...]


@cache
def pairs(language: str) -> tuple[str, ...]:
    """Return example questions of a language, then their right answers; English ones if it has none.

    They show how near a question and its own answer are in meaning, and a question and another one's.
    """
    texts = tables.language(language if language in languages() else FALLBACK).evidence
    found = [pair.partition(" => ") for pair in texts.pairs]
    return (*(question for question, _, _ in found), *(answer for _, _, answer in found))


@cache
def patterns() -> Patterns:
    """Return the patterns, compiled once."""

    def compiled(pick: Callable[[EvidenceTexts], tuple[Pattern, ...]]) -> tuple[regex.Pattern[str], ...]:
        return tuple(
            regex.compile(pattern) for one in tables.languages().values() for pattern in pick(one.evidence)
        )

    return Patterns(
        declining=compiled(lambda one: one.declining),
        ignorance=compiled(lambda one: one.ignorance),
        openings=compiled(lambda one: one.openings),
        tasks=(_arithmetic(), *compiled(lambda one: one.tasks)),
    )


def _arithmetic() -> regex.Pattern[str]:
    words = tables.alternatives(lambda one: one.evidence.arithmetic)
    return regex.compile(rf"\d(?:\s*[+*×÷^]|\s+[/x–-]|\s*(?:{words}))\s*\d")


def languages() -> tuple[str, ...]:
    """Return the ISO 639-1 codes of the languages with their own phrases."""
    return tuple(code for code, one in tables.languages().items() if one.evidence.pairs)


def fold(text: str) -> str:
    """Return `text` in the patterns' form: lower case, simplified Chinese, plain apostrophes and spaces."""
    folded = normalise_characters(text).casefold().replace("’", "'")
    return " ".join(folded.split())
