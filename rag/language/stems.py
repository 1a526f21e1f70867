"""Stems of words, by Snowball."""

from __future__ import annotations

import threading
import unicodedata
from functools import lru_cache
from typing import Protocol

import regex

_SNOWBALL = {
    "ar": "arabic", "ca": "catalan", "cs": "czech", "da": "danish", "de": "german", "el": "greek",
    "en": "english", "es": "spanish", "et": "estonian", "eu": "basque", "fa": "persian", "fi": "finnish",
    "fr": "french", "ga": "irish", "hi": "hindi", "hu": "hungarian", "hy": "armenian", "id": "indonesian",
    "it": "italian", "lt": "lithuanian", "nb": "norwegian", "ne": "nepali", "nl": "dutch", "no": "norwegian",
    "pl": "polish", "pt": "portuguese", "ro": "romanian", "ru": "russian", "sv": "swedish", "ta": "tamil",
    "tr": "turkish",
}  # fmt: skip
"""Snowball's name of a language, by ISO 639-1 code. Serbian is left out: its stemmer changes the script."""

_SCRIPTS: tuple[tuple[str, str, frozenset[str]], ...] = (
    (r"\p{Latin}", "en", frozenset(_SNOWBALL) - {"ar", "el", "fa", "hi", "hy", "ne", "ru", "ta"}),
    (r"\p{Cyrillic}", "ru", frozenset({"ru"})),
    (r"\p{Greek}", "el", frozenset({"el"})),
    (r"\p{Arabic}", "ar", frozenset({"ar", "fa"})),
    (r"\p{Devanagari}", "hi", frozenset({"hi", "ne"})),
    (r"\p{Armenian}", "hy", frozenset({"hy"})),
    (r"\p{Tamil}", "ta", frozenset({"ta"})),
)
"""Scripts, each with the language of its default stemmer and the languages written in it."""
_SCRIPT_PATTERNS = tuple((regex.compile(script), default, known) for script, default, known in _SCRIPTS)
_MARKS = regex.compile(r"\p{Mn}+")
_CACHED_WORDS = 50_000


class _Stemmer(Protocol):
    def stemWord(self, word: str) -> str:  # noqa: N802 - Snowball's name
        ...


_stemmers: dict[str, _Stemmer] = {}
_stemming = threading.Lock()  # Snowball stemmers are stateful


@lru_cache(maxsize=_CACHED_WORDS)  # words are cut where they are found, which bounds the memory
def stem(word: str, language: str) -> str:
    """Return the stem of a lower-case word, without marks on Latin and Greek letters."""
    code = _stemmer_language(word, language)
    if code and not any(character.isdigit() for character in word):
        with _stemming:
            if code not in _stemmers:
                # Imported here, because it loads every language: 50 ms and more.
                from snowballstemmer import stemmer

                _stemmers[code] = stemmer(_SNOWBALL[code])
            word = _stemmers[code].stemWord(word) or word
    if code == "el" or _SCRIPT_PATTERNS[0][0].search(word):
        word = unicodedata.normalize("NFC", _MARKS.sub("", unicodedata.normalize("NFD", word)))
    return spell_alphanumeric(word)


def _stemmer_language(word: str, language: str) -> str:
    for script, default, known in _SCRIPT_PATTERNS:
        if script.match(word):
            return language if language in known else default
    return ""


def spell_alphanumeric(word: str) -> str:
    """Write letters at which FTS5 would split (Thai and Indic vowels, new scripts) as their code points."""
    if word.isalnum():
        return word
    return "".join(
        character if character.isalnum() else f"{ord(character):x}"
        for character in word
        if unicodedata.category(character)[0] != "P"
    )
