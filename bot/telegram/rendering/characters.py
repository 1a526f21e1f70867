"""Which characters a reader may be shown, and how long a text is for Telegram.

What cannot be seen can carry a message for somebody else, or turn a text round, so it is taken out. An
invisible character stays only where it shapes a visible one: in an emoji, or between the letters of a
script that joins them.
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
    """`text` without what cannot be seen; every line end is a line feed, half a surrogate pair ``U+FFFD``."""
    if text.isascii() and text.isprintable():
        return text
    text = _SURROGATES.sub("\N{REPLACEMENT CHARACTER}", text)
    return _HIDDEN.sub("", _LINE_ENDS.sub("\n", text))


def utf16_length(text: str) -> int:
    """Length in UTF-16 units, which is what Telegram counts."""
    if text.isascii():
        return len(text)
    return len(text.encode("utf-16-le", "surrogatepass")) // 2


def utf16_offsets(text: str) -> list[int]:
    """UTF-16 units before each character, and before the end."""
    return [0, *accumulate(2 if ord(character) > 0xFFFF else 1 for character in text)]


def grapheme_ends(text: str) -> list[int]:
    """Offsets, in code points, behind each character as a reader sees it."""
    return [cluster.end() for cluster in _GRAPHEME.finditer(text)]


def shortened(text: str, limit: int) -> str:
    """`text` on one line, cut to `limit` characters with an ellipsis."""
    text = " ".join(visible(text).split())
    ends = grapheme_ends(text)
    if len(ends) <= limit:
        return text
    return text[: ends[limit - 2]].rstrip() + "…"
