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
class Phrasing:
    """Example sentences of one language: refusals, question-answer pairs, kinds of questions.

    Args:
        refusals: Sentences that decline, to be compared by meaning.
        pairs: Questions with their right answers: examples of "about the same thing".
        everyday: Questions that anybody can answer from common knowledge.
        particular: Questions that need knowledge of this person, place, product or team.
    """

    refusals: tuple[str, ...]
    pairs: tuple[tuple[str, str], ...]
    everyday: tuple[str, ...]
    particular: tuple[str, ...]

    @property
    def texts(self) -> tuple[str, ...]:
        """All texts to embed, in the order in which `Landmarks` splits their vectors."""
        return (
            *self.refusals,
            *(question for question, _ in self.pairs),
            *(answer for _, answer in self.pairs),
            *self.everyday,
            *self.particular,
        )


@dataclass(frozen=True, slots=True)
class Patterns:
    """Compiled patterns of all languages together, because chats mix languages."""

    declining: tuple[regex.Pattern[str], ...]
    ignorance: tuple[regex.Pattern[str], ...]
    openings: tuple[regex.Pattern[str], ...]
    tasks: tuple[regex.Pattern[str], ...]
    recent: tuple[regex.Pattern[str], ...]
    moments: tuple[regex.Pattern[str], ...]
    ours: tuple[regex.Pattern[str], ...]
    amounts: tuple[regex.Pattern[str], ...]


@cache
def phrasing(language: str) -> Phrasing:
    """Return the phrases of a language, or English ones if it has none."""
    texts = tables.language(language if language in languages() else FALLBACK).evidence
    pairs = (pair.partition(" => ") for pair in texts.pairs)
    return Phrasing(
        refusals=texts.refusals,
        pairs=tuple((question, answer) for question, _, answer in pairs),
        everyday=texts.everyday,
        particular=texts.particular,
    )


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
        recent=compiled(lambda one: one.recent),
        moments=compiled(lambda one: one.moments),
        ours=compiled(lambda one: one.ours),
        amounts=compiled(lambda one: one.amounts),
    )


def _arithmetic() -> regex.Pattern[str]:
    words = tables.alternatives(lambda one: one.evidence.arithmetic)
    return regex.compile(rf"\d(?:\s*[+*×÷^]|\s+[/x–-]|\s*(?:{words}))\s*\d")


def languages() -> tuple[str, ...]:
    """Return the ISO 639-1 codes of the languages with their own phrases."""
    return tuple(code for code, one in tables.languages().items() if one.evidence.refusals)


def fold(text: str) -> str:
    """Return `text` in the patterns' form: lower case, simplified Chinese, plain apostrophes and spaces."""
    folded = normalise_characters(text).casefold().replace("’", "'")
    return " ".join(folded.split())
