"""Extract what a draft claims after its polite opening, and whether it declines to answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import regex

from rag.evidence import bank
from rag.language.recent_texts import cache_recent
from rag.language.sentences import MARKER, sentences
from rag.language.tables import alternatives
from rag.language.units import Unit, units
from rag.language.words import content_terms

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.,:/-][\p{L}\p{M}\p{N}]+)*")
_CITATION = regex.compile(rf"(?:(?<!\s)\s++)?{MARKER}")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a draft, without its opening.

    Args:
        terms: Its content terms without those of the facts, in order, without repetitions.
        facts: Its numbers, dates, times and code.
        text: The sentence itself, in the form that the patterns read.
    """

    terms: tuple[str, ...]
    facts: tuple[Unit, ...]
    text: str = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """A draft, split into statements.

    Args:
        terms: All their content terms, those of the facts included.
        declining: Share of the text that is in sentences that decline to answer, 0-1.
        ignorant: Share of the text that is in sentences where the speaker admits not to know. No document can
            support such a sentence, because it is about the speaker.
    """

    statements: tuple[Statement, ...]
    terms: frozenset[str]
    declining: float
    ignorant: float = 0.0


@cache_recent  # what is gathered for a draft depends on it, and then it is compared
def read(draft: str, language: str) -> Claims:
    """Split a draft into statements; citation markers are ignored."""
    text = _CITATION.sub("", draft)
    pieces = [piece.text for piece in sentences(text)] or [text]
    folded = [bank.fold(piece) for piece in pieces]
    bodies = [remove_opening(piece) for piece in folded]
    declining = sum(len(piece) for piece in folded if declines(piece))
    ignorant = sum(len(piece) for piece in folded if admits_ignorance(piece))
    length = max(1, sum(map(len, folded)))
    return Claims(
        statements=tuple(_statement(body, language) for body in bodies),
        terms=frozenset(term for body in bodies for term in content_terms(body, language)),
        declining=max(declining, ignorant) / length,
        ignorant=ignorant / length,
    )


def declines(sentence: str) -> bool:
    """Return whether a folded sentence declines to answer, in any of the languages."""
    return any(pattern.search(sentence) for pattern in bank.patterns().declining)


def admits_ignorance(sentence: str) -> bool:
    """Return whether the speaker of a folded sentence admits not to know or not to be sure."""
    return any(pattern.search(sentence) for pattern in bank.patterns().ignorance)


def remove_opening(sentence: str) -> str:
    """Return a folded sentence without an opening such as "as far as I know, it is"; a bare opening is kept.

    In Korean and Japanese, "it is" is removed from the end of the sentence.
    """
    shorter = _copula().sub("", sentence)
    while shorter:
        cut = max((_match_length(pattern, shorter) for pattern in bank.patterns().openings), default=0)
        if not cut or not _WORD.search(shorter, cut):
            break
        shorter = shorter[cut:]
    return shorter


@cache
def _copula() -> regex.Pattern[str]:
    return regex.compile(rf"(?<=\S)(?:{alternatives(lambda one: one.words.copulas_behind)})(?=[.!。！]*$)")


def _statement(body: str, language: str) -> Statement:
    facts = tuple(units(body, language, with_names=False))
    of_facts = {term for fact in facts for term in content_terms(fact.text, language)}
    terms = (term for term in content_terms(body, language) if term not in of_facts)
    return Statement(terms=tuple(dict.fromkeys(terms)), facts=facts, text=body)


def _match_length(pattern: regex.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
