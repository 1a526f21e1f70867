"""Texts as the evidence compares them: sentences with their content terms and units."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from rag.language.sentences import sentences
from rag.language.words import content_terms

_LONGEST_WINDOW = 3
_MOST_SENTENCES = 80


@dataclass(frozen=True, slots=True)
class Window:
    """A few neighbouring sentences of a passage, with the passage's headings.

    Args:
        terms: Content terms of the sentences.
        context: Content terms of the sentences, of the headings and of the sentence before.
        text: The sentences.
    """

    terms: frozenset[str]
    context: frozenset[str]
    text: str


@lru_cache(maxsize=4096)
def windows(heading: str, text: str, language: str) -> tuple[Window, ...]:
    """Every window of one to three sentences; cached, because popular passages come again."""
    pieces = [piece.text for piece in sentences(text)[:_MOST_SENTENCES]] or [text]
    terms = [frozenset(content_terms(piece, language)) for piece in pieces]
    title = frozenset(content_terms(heading, language))
    return tuple(_windows(pieces, terms, title))


def _windows(pieces: list[str], terms: list[frozenset[str]], title: frozenset[str]) -> Iterator[Window]:
    for start in range(len(pieces)):
        before = terms[start - 1] if start else frozenset()
        for length in range(1, _LONGEST_WINDOW + 1):
            if start + length > len(pieces):
                break
            inside = frozenset().union(*terms[start : start + length])
            yield Window(inside, inside | title | before, " ".join(pieces[start : start + length]))
