"""What a draft claims once the polite words before the answer are taken off, and whether it declines."""

from __future__ import annotations

from dataclasses import dataclass

import regex

from rag.evidence import bank
from rag.language.sentences import sentences
from rag.language.words import content_terms

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’.,:/-][\p{L}\p{M}\p{N}]+)*")
_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}]")
_CHARACTERS_A_WORD = 2
_CITATION = regex.compile(r"\s*\[\d+(?:\s*,\s*\d+)*\]")


@dataclass(frozen=True, slots=True)
class Claims:
    """A draft, read.

    Args:
        terms: Content terms of its sentences without their openings, in order, each once.
        words: Length of its longest sentence in words, openings not counted.
        declining: Share of the text that stands in sentences which decline to answer, 0-1.
    """

    terms: tuple[str, ...]
    words: int
    declining: float


def read(draft: str, language: str) -> Claims:
    """Read a draft; citation markers are not part of what it says."""
    pieces = [piece.text for piece in sentences(_CITATION.sub("", draft))] or [draft]
    folded = [bank.fold(piece) for piece in pieces]
    bodies = [without_opening(piece) for piece in folded]
    declining = sum(len(piece) for piece in folded if declines(piece))
    return Claims(
        terms=tuple(dict.fromkeys(term for body in bodies for term in content_terms(body, language))),
        words=max(map(length_in_words, bodies)),
        declining=declining / max(1, sum(map(len, folded))),
    )


def declines(sentence: str) -> bool:
    """Whether a folded sentence says, in any of the languages of the bank, that it does not answer."""
    return any(pattern.search(sentence) for pattern in bank.patterns().declining)


def without_opening(sentence: str) -> str:
    """A folded sentence without "as far as I know, it is"; a sentence that is nothing else stays."""
    shorter = sentence
    while shorter:
        cut = max((_matched(pattern, shorter) for pattern in bank.patterns().openings), default=0)
        if not cut or not _WORD.search(shorter, cut):
            break
        shorter = shorter[cut:]
    return shorter


def length_in_words(text: str) -> int:
    """Words of a text; two characters of a script without spaces count as one."""
    unspaced = len(_UNSPACED.findall(text))
    return len(_WORD.findall(_UNSPACED.sub(" ", text))) + -(-unspaced // _CHARACTERS_A_WORD)


def _matched(pattern: regex.Pattern[str], text: str) -> int:
    match = pattern.match(text)
    return match.end() if match else 0
