"""Find proper names by their capitals, in scripts that have them.

The first word of a sentence is always capitalised, so its capital proves nothing. Headings are skipped, and
German, which capitalises every noun, counts only names of several words.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache

import regex

from rag.language.recent_texts import cache_recent
from rag.language.sentences import sentences
from rag.language.tables import languages
from rag.language.words import terms

_WORD = r"\p{Lu}[\p{L}\p{M}]*(?:['’]\p{Lu}?[\p{Ll}\p{M}]+)*"
_RUN = regex.compile(rf"(?<![\p{{L}}\p{{M}}\p{{N}}_'’]){_WORD}(?:[ \-]{_WORD})*(?![\p{{N}}_])")
_PIECE = regex.compile(_WORD)
_BEFORE_START = regex.compile(r"[\p{L}\p{N}\x00]")
_NEW_START = regex.compile(r"[:：;(\[\"“«„'‘*_|>–—•-]\s*[\"“«„'‘*_(]*$")
_HEADING = regex.compile(r"\s*#{1,6}(?:\s|$)")
_WORD_END = regex.compile(r"['’]")
_LONG_WORD = regex.compile(r"\p{L}{2,}")
_MIN_SHOUTED_WORDS = 3


@dataclass(frozen=True, slots=True)
class Name:
    """A name: the stems of its words, separated by spaces, and its offsets."""

    normal: str
    start: int
    end: int


@cache
def _function_words() -> frozenset[str]:
    return frozenset().union(*(one.words.stop for one in languages().values()))


@cache_recent
def names(text: str, language: str = "") -> tuple[Name, ...]:
    """Find the names in `text`. Stretches known to be something else must be NUL characters."""
    return tuple(_find_names(text, language))


def _find_names(text: str, language: str) -> Iterator[Name]:
    for sentence in sentences(text):
        if _HEADING.match(sentence.text) or _is_shouted(sentence.text):
            continue
        for run in _RUN.finditer(text, sentence.start, sentence.end):
            before = text[sentence.start : run.start()]
            starts = not _BEFORE_START.search(before) or bool(_NEW_START.search(before[-8:]))
            yield from _trim_name(run, starts=starts, least_words=2 if language == "de" else 1)


def _trim_name(run: regex.Match[str], *, starts: bool, least_words: int) -> Iterator[Name]:
    pieces = list(_PIECE.finditer(run.group()))
    if starts and not (len(pieces[0].group()) > 1 and pieces[0].group().isupper()):
        pieces = pieces[1:]
    while pieces and _is_function_word(pieces[0].group()):
        pieces = pieces[1:]
    while pieces and _is_function_word(pieces[-1].group()):
        pieces = pieces[:-1]
    if len(pieces) < least_words or not pieces or all(len(piece.group()) < 2 for piece in pieces):
        return
    start, end = run.start() + pieces[0].start(), run.start() + pieces[-1].end()
    normal = " ".join(terms(run.string[start:end]))
    if normal:
        yield Name(normal, start, end)


def _is_function_word(word: str) -> bool:
    return _WORD_END.split(word.casefold())[0] in _function_words()  # I've


def _is_shouted(text: str) -> bool:
    words = _LONG_WORD.findall(text)
    return len(words) >= _MIN_SHOUTED_WORDS and all(word.isupper() for word in words)
