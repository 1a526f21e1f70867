"""Whether an answer quotes a sentence of the corpus; pure.

A quotation is verbatim except for case, punctuation and white space, and in one piece. Its ends can be cut as
long as four fifths of the sentence are left and nothing essential is cut: no digit, number word, denial, or
word such as "only" or "unless".
"""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Iterable

import regex

from rag.language.negation import denies
from rag.language.numbers import find_numbers
from rag.language.qualifiers import qualifiers

_LEAST_SHARE = 0.8
"""Minimum share of a sentence's words in a quotation of it; chosen, not fitted."""

_MOST_CUT = 12
"""Maximum number of words that can be cut; it also bounds the time."""

_UNSPACED = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"[{_UNSPACED}]\p{{M}}*|[\p{{L}}\p{{M}}\p{{N}}--[{_UNSPACED}]]+", regex.V1)
"""A word, or a character where a script puts no spaces between words."""

_DIGIT = regex.compile(r"\p{N}")
_BORDER = "\n"  # separates compared words; never part of a word


def quotes(text: str, sentence: str) -> bool:
    """Whether a text contains a sentence, or so much of it that it still says the same.

    Citation markers are taken out of the text already. A sentence without words is never quoted.
    """
    words = list(_WORD.finditer(sentence))
    if not words:
        return False
    said = _joined(word.group() for word in _WORD.finditer(text))
    cut = min(len(words) - math.ceil(_LEAST_SHARE * len(words)), _MOST_CUT)
    front = _harmless([sentence[: word.start()] for word in words[1 : cut + 1]])
    back = _harmless([sentence[word.end() :] for word in words[-2 : -cut - 2 : -1]])
    # A longer quotation contains the shorter ones, so only the shortest have to be searched for.
    return any(
        _joined(word.group() for word in words[left : len(words) - min(back, cut - left)]) in said
        for left in range(front + 1)
    )


def _harmless(pieces: list[str]) -> int:
    """Return how many of the pieces, growing word by word, can be left out."""
    for count, piece in enumerate(pieces):
        if _is_essential(piece):
            return count
    return len(pieces)


def _is_essential(piece: str) -> bool:
    signs = (_DIGIT.search(piece), find_numbers(piece, liberal=True), denies(piece), qualifiers(piece))
    return any(signs)


def _joined(words: Iterable[str]) -> str:
    folded = (unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", word).casefold()) for word in words)
    return f"{_BORDER}{_BORDER.join(folded)}{_BORDER}"
