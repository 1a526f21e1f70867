"""Split passages into sentences and windows of sentences, with their content terms."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rag.language.recent_texts import PASSAGE_CHARACTERS, cache_up_to
from rag.language.sentences import sentences
from rag.language.words import content_terms

_MAX_WINDOW_SENTENCES = 3
_MAX_SENTENCES = 80
"""Maximum number of sentences of a passage that are compared."""


@dataclass(frozen=True, slots=True)
class Window:
    """A few neighbouring sentences of a passage.

    Args:
        start: Number of its first sentence.
        end: Number after its last sentence.
        terms: Content terms of the sentences and of the heading.
        context: The same with the sentence before, which often names the subject.
    """

    start: int
    end: int
    terms: frozenset[str]
    context: frozenset[str]


@dataclass(frozen=True, slots=True)
class SplitPassage:
    """A passage, split into sentences and windows.

    Args:
        sentences: Its heading, then its sentences.
        windows: Every window of one to three sentences.
    """

    sentences: tuple[str, ...]
    terms: tuple[frozenset[str], ...]
    windows: tuple[Window, ...]


@cache_up_to(PASSAGE_CHARACTERS)
def split_passage(heading: str, text: str, language: str) -> SplitPassage:
    """Split a passage; cached, because popular passages are found again and again."""
    pieces = (heading, *[piece.text for piece in sentences(text)[:_MAX_SENTENCES]])
    terms = tuple(frozenset(content_terms(piece, language)) for piece in pieces)
    return SplitPassage(pieces, terms, tuple(_windows(terms)))


def _windows(terms: tuple[frozenset[str], ...]) -> Iterator[Window]:
    heading = terms[0]
    for start in range(1, len(terms)):
        before = terms[start - 1]
        inside = heading
        for end in range(start + 1, min(start + _MAX_WINDOW_SENTENCES, len(terms)) + 1):
            inside |= terms[end - 1]
            yield Window(start, end, inside, inside | before)
