"""Search terms: what the word index stores and what a question looks up.

Terms have only letters and digits, so that SQLite's ``unicode61`` tokenizer keeps each of them whole.

A document and the question that should find it must be stemmed alike, but a question of four words is too
short to tell Spanish from Indonesian. So only the side with a known language uses it: `terms` stems a
document in its detected language, and `query_terms` returns every stem of the question's words in *any*
language of the corpus. A stem that no document has finds nothing and costs nothing. Without a language, each
script has one default stemmer (Latin: English, Cyrillic: Russian …), the same on both sides.

Scripts without spaces are split into pairs of characters, which needs no dictionary and cannot split a word
wrongly. Korean is too, because Snowball has no Korean stemmer and particles are attached to words.

An identifier gives its parts and the whole, so that ``max_retries``, ``maxRetries`` and "max retries" match.
"""

from __future__ import annotations

import itertools
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache, lru_cache

import regex

from rag.language.recent_texts import PASSAGE_CHARACTERS, cache_recent, cache_up_to
from rag.language.stems import spell_alphanumeric, stem
from rag.language.tables import language as table
from rag.language.tables import languages

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}ー\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD_CHARACTER = rf"[[\p{{L}}\p{{M}}\p{{N}}]--[{_UNSPACED}\p{{Hangul}}]]"
_TOKEN = regex.compile(
    rf"""
    (?P<number>(?<![\p{{L}}\d.,])(?:
        \d{{1,3}}(?:(?P<group>[,.'’ ])\d{{3}})(?:(?P=group)\d{{3}})*(?:[.,]\d+)?
      | \d+(?:[.,]\d+)*
    )(?![\p{{L}}\d_\-]|[.,]\d))
  | (?P<hangul>\p{{Hangul}}+)
  | (?P<unspaced>[{_UNSPACED}]+)
  | (?P<word>{_WORD_CHARACTER}+(?:[_\-.'’]{_WORD_CHARACTER}+)*)
    """,
    regex.VERBOSE | regex.VERSION1,
)
_ASCII_TOKEN = re.compile(
    r"""
    (?P<number>(?<![A-Za-z\d.,])(?:
        \d{1,3}(?:(?P<group>[,.' ])\d{3})(?:(?P=group)\d{3})*(?:[.,]\d+)?
      | \d+(?:[.,]\d+)*
    )(?![A-Za-z\d_\-]|[.,]\d))
  | (?P<word>[A-Za-z0-9]+(?:[_\-.'][A-Za-z0-9]+)*)
    """,
    re.VERBOSE | re.ASCII,
)
"""The same for ASCII text, several times as fast."""
_PART = regex.compile(
    r"\d+(?:[.,]\d+)+|\p{N}+|\p{Lu}+(?!\p{Ll})\p{M}*|[\p{Lu}\p{Lt}]?[\p{Ll}\p{Lo}\p{Lm}\p{M}]+|[\p{L}\p{M}]",
    regex.VERSION1,
)
_SEPARATOR = regex.compile(r"[,.'’ ]")
_APOSTROPHE = regex.compile(r"['’]")
_ENGLISH_TAIL = regex.compile(r"['’](?:s|t|re|ve|ll|d|m)$")
_VERSION = regex.compile(r"^v?(\d+(?:\.\d+)+)$")
_MARKS = regex.compile(r"\p{Mn}+")
_HAN = regex.compile(r"\p{Han}")
_HIRAGANA_ONLY = regex.compile(r"^[\p{Hiragana}ー]+$")

_MAX_WORD_CHARACTERS = 100
"""Characters of a word or a number that are read; a longer one is a key, a picture or an attack."""
_MAX_CACHED_CHARACTERS = 24
"""Maximum length of a token whose terms are cached; together with the number of tokens it bounds the
memory."""
_CACHED_TOKENS = 50_000
_VERSION_PREFIXES = 4


def terms(text: str, language: str = "") -> list[str]:
    """Return the terms of `text` in order, with repetitions; a known `language` selects the stemmer."""
    found: list[str] = []
    for kind, token in _tokens(text):
        found.extend(_token_terms(kind, token, language))
    return found


@cache_up_to(PASSAGE_CHARACTERS)  # popular passages recur, and several callers need the same one
def term_set(text: str) -> frozenset[str]:
    """Return the distinct `terms` of a text in an unknown language."""
    return frozenset(terms(text))


def query_terms(text: str, languages: Iterable[str] = ()) -> list[str]:
    """Return the terms to look up for a question: each once, stemmed in every language of the corpus.

    They stand in reading order; there are function words only if there are no others.
    """
    tokens = list(_tokens(text))
    content = _content_tokens(tokens, "")
    codes = ("", *languages)
    return list(
        dict.fromkeys(
            term
            for kind, token in content or tokens
            for code in codes
            for term in _token_terms(kind, token, code)
        )
    )


def content_terms(text: str, language: str = "") -> list[str]:
    """Return `terms` without function words: what the text is about.

    Without a language, the function words of the best matching language are dropped.
    """
    return list(_content_terms(text, language))


@cache_recent
def _content_terms(text: str, language: str) -> tuple[str, ...]:
    found: list[str] = []
    for kind, token in _content_tokens(list(_tokens(text)), language):
        found.extend(_content_token_terms(kind, token, language))
    return tuple(found)


@dataclass(frozen=True, slots=True)
class Word:
    """A word and its offsets; in a script without spaces, a character with the next one.

    Args:
        terms: Its content terms; none for a function word.
        start: Offset in the text, in code points.
    """

    terms: tuple[str, ...]
    text: str
    start: int
    end: int


def locate_words(text: str, language: str) -> list[Word]:
    """Return the words of `text` in order, with function words; the offsets hold for a text in NFKC."""
    stop = _stop_words(language)
    found: list[Word] = []
    for match in _TOKEN.finditer(text):
        kind, token = _token(match)
        if kind == "unspaced":
            found.extend(_place_pairs(token, match.start()))
            continue
        is_content = kind not in {"word", "hangul"} or _fold(token) not in stop
        own = _content_token_terms(kind, token, language) if is_content else ()
        found.append(Word(own, match.group(), match.start(), match.end()))
    return found


def _place_pairs(run: str, offset: int) -> Iterator[Word]:
    words = {at for match in _unspaced_stop_words().finditer(run) for at in range(*match.span())}
    for at, character in enumerate(run):
        if at in words:
            yield Word((), character, offset + at, offset + at + 1)
        elif at + 1 < len(run) and at + 1 not in words:
            yield Word(_pairs(run[at : at + 2]), run[at : at + 2], offset + at, offset + at + 2)
        else:
            yield Word((), character, offset + at, offset + at + 1)


def _tokens(text: str) -> Iterable[tuple[str, str]]:
    if text.isascii():
        for match in _ASCII_TOKEN.finditer(text):
            yield _token(match)
        return
    for found in _TOKEN.finditer(unicodedata.normalize("NFKC", text)):
        yield _token(found)


def _token(match: re.Match[str] | regex.Match[str]) -> tuple[str, str]:
    kind, token = match.lastgroup or "", match.group()
    return kind, token if kind in {"hangul", "unspaced"} else token[:_MAX_WORD_CHARACTERS].rstrip(",.'’ _-")


def _content_tokens(tokens: list[tuple[str, str]], language: str) -> list[tuple[str, str]]:
    words = [_fold(token) if kind in {"word", "hangul"} else "" for kind, token in tokens]
    stop = _stop_words(language or _likely_language(words))
    return [pair for pair, word in zip(tokens, words, strict=True) if word not in stop]


@lru_cache(maxsize=256)
def _stop_words(language: str) -> frozenset[str]:
    """Return the function words of a language, and those of languages with their own script."""
    apart = (one.words.stop for one in languages().values() if one.detection.family != "Latin")
    return frozenset(table(language).words.stop).union(*apart)


def _likely_language(words: list[str]) -> str:
    hits = Counter(code for word in words for code in _stop_languages().get(word, ()))
    return max(languages(), key=lambda code: hits[code])  # English is first, so it wins a tie


@cache
def _stop_languages() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    for code, one in languages().items():
        for word in dict.fromkeys(one.words.stop):
            found[word] = (*found.get(word, ()), code)
    return found


@cache
def _unspaced_stop_words() -> regex.Pattern[str]:
    return regex.compile("|".join(word for one in languages().values() for word in one.words.stop_unspaced))


@cache
def _korean_endings() -> Mapping[str, int]:
    return {ending: len(ending) for ending in sorted(table("ko").words.endings, key=len, reverse=True)}


def _fold(word: str) -> str:
    return word.casefold().replace("ё", "е").replace("’", "'")


def _token_terms(kind: str, token: str, language: str) -> tuple[str, ...]:
    find = _cached_terms if len(token) <= _MAX_CACHED_CHARACTERS else _cached_terms.__wrapped__
    return find(kind, token, language)


@lru_cache(maxsize=_CACHED_TOKENS)
def _cached_terms(kind: str, token: str, language: str) -> tuple[str, ...]:
    if kind == "hangul":
        noun = token[:1] if token[1:] in _korean_endings() else ""
        return (*_pairs(token), noun) if noun else _pairs(token)
    if kind == "unspaced":
        singles = map(spell_alphanumeric, _HAN.findall(token) if len(token) > 1 else [])
        return (*_pairs(token), *singles)
    if kind in {"number", "group"}:
        return tuple(dict.fromkeys(_number_terms(token)))
    return tuple(_word_terms(token, language))


def _content_token_terms(kind: str, token: str, language: str) -> tuple[str, ...]:
    is_short = len(token) <= _MAX_CACHED_CHARACTERS
    find = _cached_content_terms if is_short else _cached_content_terms.__wrapped__
    return find(kind, token, language)


@lru_cache(maxsize=_CACHED_TOKENS)
def _cached_content_terms(kind: str, token: str, language: str) -> tuple[str, ...]:
    if kind == "hangul":
        return () if token in _korean_endings() else _pairs(_without_ending(token))
    if kind == "unspaced":
        mixed = not _HIRAGANA_ONLY.match(token)
        return tuple(
            pair
            for run in _unspaced_stop_words().split(token)
            for pair in _pairs(run)
            if not (mixed and _HIRAGANA_ONLY.match(pair))  # Japanese grammar between content words
        )
    return _token_terms(kind, token, language)


def _without_ending(word: str) -> str:
    if len(word) == 2 and word[1] in table("ko").words.particles:
        return word[0]
    for ending, length in _korean_endings().items():
        if word.endswith(ending) and len(word) - length >= 2:
            return word[:-length]
    return word


def _pairs(run: str) -> tuple[str, ...]:
    letters = regex.findall(r"\X", run) if _MARKS.search(run) else list(run)
    letters = [spell_alphanumeric(letter) for letter in letters]
    if len(letters) < 2:
        return tuple(letter for letter in letters if letter)
    return tuple(first + second for first, second in itertools.pairwise(letters))


def _number_terms(token: str) -> Iterable[str]:
    """Return 1000 for ``1,000`` and ``1 000``, both readings for ``1.000``, and ``1d5`` for ``1.5``."""
    groups = _SEPARATOR.split(token)
    separators = [character for character in token if character in ",.'’ "]
    if not separators:
        yield _normalise_digits(token)
        return
    grouped = len(groups[0]) <= 3 and all(len(group) == 3 for group in groups[1:-1])
    one_kind = len(set(separators)) == 1
    if grouped and one_kind and len(groups[-1]) == 3 and (separators[0] != "." or groups[0] != "0"):
        yield _normalise_digits("".join(groups))
        if separators[0] == "." and len(groups) == 2:
            yield f"{_normalise_digits(groups[0])}d{groups[1]}"
        if separators[0] == " ":
            yield from map(_normalise_digits, groups)  # "in room 12 300 people" are two numbers
        return
    if grouped and len(set(separators[:-1])) == 1 and separators[-1] not in separators[:-1]:
        yield f"{_normalise_digits(''.join(groups[:-1]))}d{groups[-1]}"
        return
    longest = min(len(groups), 1 + _VERSION_PREFIXES)
    for length in range(2, longest + 1):  # a version: 3.11 finds 3.11.2
        yield "d".join(map(_normalise_digits, groups[:length]))


def _normalise_digits(digits: str) -> str:
    ascii_digits = "".join(str(unicodedata.digit(digit, digit)) for digit in digits)
    return ascii_digits.lstrip("0") or "0"


def _word_terms(token: str, language: str) -> Iterable[str]:
    version = _VERSION.match(token.casefold())
    if version:
        yield from _number_terms(version.group(1))
        return
    if _APOSTROPHE.search(token):
        if _ENGLISH_TAIL.search(token) and not regex.search(r"[_\-.]", token):
            yield stem(_fold(token), language)
            return
        token = _APOSTROPHE.sub("-", token)
    parts = _PART.findall(token)
    if len(parts) < 2:
        yield stem(_fold(token), language)
        return
    whole = stem("".join(_fold(part) for part in parts if part), language)
    seen = {whole}
    yield whole
    for part in parts:
        for term in _number_terms(part) if part[0].isdigit() else (stem(_fold(part), language),):
            if term not in seen and (len(term) > 1 or term.isdigit()):
                seen.add(term)
                yield term
