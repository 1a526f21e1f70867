"""Removes invisible characters, and measures texts as Telegram does.

Invisible characters can hide a message or reverse the direction of a text, so they are removed. An invisible
character stays only where it shapes a visible one: in an emoji, or between letters of a script that joins
letters.
"""

from __future__ import annotations

from itertools import accumulate

import regex

_LINE_ENDS = regex.compile("\r\n?|[\x0b\x0c\x85\u2028\u2029]")
_SURROGATES = regex.compile("[\ud800-\udfff]")
_JOINED_SCRIPTS = (
    r"\p{Arabic}\p{Syriac}\p{Mongolian}\p{Devanagari}\p{Bengali}\p{Gurmukhi}\p{Gujarati}\p{Oriya}\p{Tamil}"
    r"\p{Telugu}\p{Kannada}\p{Malayalam}\p{Sinhala}\p{Khmer}\p{Myanmar}"
)
_PICTURE = r"\p{Extended_Pictographic}"
_HIDDEN = regex.compile(
    rf"""
      (?<=[{_PICTURE}\p{{Emoji_Modifier}}]\uFE0F?) \u200D (?={_PICTURE}) (*SKIP)(*FAIL)
    | (?<=\p{{Emoji}}) [\uFE0E\uFE0F] (*SKIP)(*FAIL)
    | (?<=[{_JOINED_SCRIPTS}]) [\u200C\u200D] (?=[{_JOINED_SCRIPTS}]) (*SKIP)(*FAIL)
    | \p{{Default_Ignorable_Code_Point}} | \p{{Noncharacter_Code_Point}}
    | [\p{{Cf}}--\p{{Prepended_Concatenation_Mark}}] | [\p{{Cc}}--[\n\t]]
    """,
    regex.VERBOSE | regex.V1,
)
_GRAPHEME = regex.compile(r"\X")


def visible(text: str) -> str:
    """Remove invisible characters; make each line end a line feed, and each lone surrogate ``U+FFFD``."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
    return _HIDDEN.sub("", _LINE_ENDS.sub("\n", text))


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
    text = " ".join(visible(text).split())
    ends = grapheme_ends(text)
    if len(ends) <= limit:
        return text
    return text[: ends[limit - 2]].rstrip() + "…"
