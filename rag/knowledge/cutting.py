"""Cuts a text that is too large for one passage at the best places there are.

No character is lost: the parts, joined, are the text.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

# Where a paragraph can be cut, best places first: before an item of a list, after a sentence, after a line,
# after a clause, after a word. A mark stays with the text that it ends. The last pattern cuts anywhere except
# before a combining character.
_CUTS: Final = tuple(
    re.compile(pattern)
    for pattern in (
        r"\n(?=[ \t]*(?:[-*+•]|\d{1,3}[.)])[ \t])",
        r"[.!?…][\"'”’»)\]]{0,2}\s+|[。！？｡][」』”’）]{0,2}",
        r"\n",
        r"[,;:]\s+|[，、；：]",
        r"\s+",
        r"(?s:.{1,40})(?![\u0300-\u036f\u0e31\u0e34-\u0e3a\u0e47-\u0e4e\u200d\ufe0f])",
    )
)


def cut(text: str, size: int, measure: Callable[[str], int]) -> Iterator[str]:
    """Yield the parts of a text, in order; only what cannot be cut at all is larger than `size`."""
    return _cut(text, size, measure, _CUTS)


def _cut(
    text: str, size: int, measure: Callable[[str], int], cuts: Sequence[re.Pattern[str]]
) -> Iterator[str]:
    usable = next((number for number, pattern in enumerate(cuts) if pattern.search(text)), len(cuts))
    finer = cuts[usable + 1 :]
    pieces = _split_behind(cuts[usable], text) if usable < len(cuts) else (text,)
    part, filled = "", 0
    for piece in pieces:
        length = measure(piece)
        if part and (filled + length > size or length >= size):
            yield part
            part, filled = "", 0
        if length < size or not finer:
            part, filled = part + piece, filled + length
        else:
            yield from _cut(piece, size, measure, finer)
    if part:
        yield part


def _split_behind(pattern: re.Pattern[str], text: str) -> Iterator[str]:
    """Yield the pieces between the places that a pattern finds, each with the mark that ends it."""
    start = 0
    for found in pattern.finditer(text):
        if found.end() > start:
            yield text[start : found.end()]
            start = found.end()
    if start < len(text):
        yield text[start:]
