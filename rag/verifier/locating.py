"""Finds words in a text: as they are written, else in other case, else by their stems and values.

A model that reads a passage answers in words. Where they stand in the passage says more than the words do: a
place can be quoted and compared, and words that stand nowhere were not read but invented.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import regex

from rag.language.detect import detect
from rag.language.sentences import sentences
from rag.language.units import Unit, matches, units
from rag.language.words import Word, content_terms, locate_words

_LEAST_SHARE: Final = 0.75
"""Share of the content words that must stand in one sentence: readers change an ending, or add a word."""
_MAX_CHARACTERS: Final = 400
"""Characters of the words that are looked for; readers are asked for a few words."""
_JOINED: Final = (
    r"[[\p{L}\p{M}\p{N}_]--[\p{Han}\p{Hiragana}\p{Katakana}ー\p{Hangul}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}]]"
)
"""A character that goes on a word: "17" does not stand in "2017"."""


def locate(said: str, text: str) -> tuple[int, int] | None:
    """Return start and end of words in a text; None if they stand nowhere, or have no content."""
    said = " ".join(said.split())[:_MAX_CHARACTERS].strip()
    language = detect(text, "")
    facts = _facts(said, language)
    if not facts and not content_terms(said, language):
        return None
    for flags in (regex.VERSION1, regex.VERSION1 | regex.IGNORECASE):
        if found := regex.search(_pattern(said), text, flags):
            return found.span()
    wanted = _content(said, language, facts)
    return min(_find_by_stems(facts, wanted, text, language), default=(0.0, 0, None))[2]


def stands_in(said: str, language: str, text: str, question: str = "") -> bool:
    """Return whether a text says the same as some words: their content by stems, their facts by value.

    Args:
        language: Their language, as ISO 639-1 code; too few words to detect it in them.
        text: The text; it may be less precise.
        question: Its words need not stand in the text.
    """
    facts, stated = _facts(said, language), _facts(text, detect(text, ""))
    if not all(any(matches(one, other) or matches(other, one) for other in stated) for one in facts):
        return False
    if facts and detect(text, language) != language:
        return True  # translated words can't be compared, and values can
    wanted = _content(said, language, facts)
    asked = set(content_terms(question, language))
    wanted = [terms for terms in wanted if not terms & asked] or ([] if facts else wanted)
    return bool(facts or wanted) and _share(wanted, set(content_terms(text, language))) >= _LEAST_SHARE


def _pattern(said: str) -> str:
    """Return a pattern of the words with any white space between them, and with no word that goes on."""
    before, after = f"(?<!{_JOINED})", f"(?!{_JOINED})"
    if said[0].isdigit():
        before += r"(?<!\d[.,:])"
    if said[-1].isdigit():
        after += r"(?![.,:]\d)"
    words = r"\s+".join(map(regex.escape, said.split()))
    is_joined = regex.compile(_JOINED, regex.VERSION1).match
    return f"{before if is_joined(said[0]) else ''}{words}{after if is_joined(said[-1]) else ''}"


def _find_by_stems(
    facts: Sequence[Unit], wanted: Sequence[set[str]], text: str, language: str
) -> Iterator[tuple[float, int, tuple[int, int]]]:
    """Yield the place in each sentence that holds the facts and most words, with its rank: lowest is best."""
    stated, words = _facts(text, language), locate_words(text, language)
    terms = set().union(*wanted)
    for sentence in sentences(text):
        inside = [one for one in stated if sentence.start <= one.start and one.end <= sentence.end]
        here = [one for one in words if sentence.start <= one.start and one.end <= sentence.end]
        if not all(any(matches(fact, one) for one in inside) for fact in facts):
            continue
        share = _share(wanted, {term for word in here for term in word.terms})
        held: list[Unit | Word] = [one for one in inside if any(matches(fact, one) for fact in facts)]
        held += [word for word in here if terms.intersection(word.terms)]
        if share >= _LEAST_SHARE and held:
            start, end = min(one.start for one in held), max(one.end for one in held)
            yield -share, end - start, (start, end)


def _share(wanted: Sequence[set[str]], there: set[str]) -> float:
    return sum(bool(terms & there) for terms in wanted) / len(wanted) if wanted else 1.0


def _facts(text: str, language: str) -> list[Unit]:
    return units(text, language, with_names=False)


def _content(text: str, language: str, facts: Sequence[Unit]) -> list[set[str]]:
    return [
        set(word.terms)
        for word in locate_words(text, language)
        if word.terms and not any(fact.start < word.end and word.start < fact.end for fact in facts)
    ]
