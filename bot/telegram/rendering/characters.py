"""Measures texts as Telegram does."""

from __future__ import annotations

from itertools import accumulate

import regex

from rag.language.visible import one_line

_GRAPHEME = regex.compile(r"\X")


def utf16_length(text: str) -> int:
    """Return the length of a text in UTF-16 units, which Telegram counts."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_offsets(text: str) -> list[int]:
    """Return the number of UTF-16 units before each character, and before the end."""
    return [0, *accumulate(2 if ord(character) > 0xFFFF else 1 for character in text)]


def grapheme_ends(text: str) -> list[int]:
    """Return the offsets, in code points, behind each grapheme."""
    return [cluster.end() for cluster in _GRAPHEME.finditer(text)]


def shorten(text: str, limit: int) -> str:
    """Put `text` on one line, cut to `limit` characters with an ellipsis."""
    text = one_line(text)
    ends = grapheme_ends(text)
    if len(ends) <= limit:
        return text
    return text[: ends[limit - 2]].rstrip() + "…"
