"""Extract what a draft claims after its polite opening, and whether it declines to answer."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

import regex

from rag.evidence import bank
from rag.language.names import names
from rag.language.sentences import MARKER, sentences
from rag.language.tables import alternatives
from rag.language.units import Unit, units
from rag.language.words import content_terms

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.,:/-][\p{L}\p{M}\p{N}]+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_CHARACTERS_A_WORD = 2
_CITATION = regex.compile(rf"(?:(?<!\s)\s++)?{MARKER}")


@dataclass(frozen=True, slots=True)
class Statement:
    """One sentence of a draft, without its opening.

    Args:
        terms: Its content terms without those of the facts, in order, without repetitions.
        facts: Its numbers, dates, times and code.
        names: Its names, as sets of stems; empty in scripts without capitals.
        words: Its length in words without names, because a list of names is an answer, however long.
        is_opened: It had an opening ("the answer is …"), so it is meant as an answer.
        text: The sentence itself, in the form that the patterns read.
    """

    terms: tuple[str, ...]
    facts: tuple[Unit, ...]
    names: tuple[frozenset[str], ...]
    words: int
    is_opened: bool
    text: str = ""


@dataclass(frozen=True, slots=True)
class Claims:
    """A draft, split into statements.

    Args:
        statements: Its sentences.
        terms: All their content terms, those of the facts included.
        declining: Share of the text that is in sentences that decline to answer, 0-1.
        ignorant: Share of the text that is in sentences where the speaker admits not to know. No document can
            support such a sentence, because it is about the speaker.
    """

    statements: tuple[Statement, ...]
    terms: frozenset[str]
    declining: float
    ignorant: float = 0.0


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
        statements=tuple(
            _statement(piece, body, language, is_opened=len(body) < len(fold))
            for piece, fold, body in zip(pieces, folded, bodies, strict=True)
        ),
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


def length_in_words(text: str) -> int:
    """Return the number of words of a text; two characters of a script without spaces count as one."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + -(-unspaced // _CHARACTERS_A_WORD)


def _statement(sentence: str, body: str, language: str, *, is_opened: bool) -> Statement:
    facts = tuple(units(body, language, with_names=False))
    named = list(names(sentence, language))
    of_facts = {term for fact in facts for term in content_terms(fact.text, language)}
    return Statement(
        terms=tuple(dict.fromkeys(term for term in content_terms(body, language) if term not in of_facts)),
        facts=facts,
        names=tuple(frozenset(content_terms(sentence[name.start : name.end], language)) for name in named),
        words=max(1, length_in_words(body) - sum(len(name.normal.split()) for name in named)),
        is_opened=is_opened,
        text=body,
    )


def _match_length(pattern: regex.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
