"""Messages: a text cut to what Telegram takes in one, with its formats as entities.

Telegram counts in UTF-16 units. A cut comes at the best place there is (between paragraphs, lines, sentences,
words), never inside a character as a reader sees it, and inside a format only when the format alone is longer
than a message; then both halves have it.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from bot.telegram.rendering.characters import grapheme_ends, utf16_length, utf16_offsets
from bot.telegram.rendering.styled import Kind, Span, Styled, clipped, joined, nested

LIMIT = 4096
"""UTF-16 units of text in a message."""

MOST_ENTITIES = 100
"""Formats in a message; Telegram drops those beyond."""

_PLACES = regex.compile(
    r"""(?P<paragraph>\n(?:[ \t]*\n)+) | (?P<line>\n)
      | (?P<sentence>(?<!^\s*\d+)[.!?…]["'»”)\]]*[ ]+|[。！？]["'”」』）]*)
      | (?P<word>(?<!^\s*(?:\d+\.|[•◦▪☐☑]))[ \t]+|[，、；：])""",
    regex.VERBOSE | regex.MULTILINE,
)
_WELL_FILLED, _FILLED = 0.5, 0.25
_RANK = {"paragraph": 4, "line": 3, "sentence": 2, "word": 1}


@dataclass(frozen=True, slots=True)
class Entity:
    """A format of a part.

    Args:
        type: As Telegram names it.
        offset: UTF-16 units before it.
        length: UTF-16 units in it.
        url: Where a ``text_link`` leads, or an empty string.
        language: Of the code in a ``pre``, or an empty string.
    """

    type: Kind
    offset: int
    length: int
    url: str = ""
    language: str = ""

    def fields(self) -> dict[str, str | int]:
        """What Telegram calls a ``MessageEntity``: ``telegram.MessageEntity(**entity.fields())``."""
        optional = {"url": self.url, "language": self.language}
        return {
            "type": self.type,
            "offset": self.offset,
            "length": self.length,
            **{name: value for name, value in optional.items() if value},
        }


@dataclass(frozen=True, slots=True)
class Part:
    """One message: its text, and its formats in order."""

    text: str
    entities: tuple[Entity, ...] = ()


def cut(whole: Styled, limit: int = LIMIT) -> tuple[Part, ...]:
    """Cut a text into messages; a text without anything to see gives none.

    Args:
        whole: The text.
        limit: UTF-16 units that a message may have, at least 2.
    """
    return tuple(_part(piece) for piece in pieces(whole, limit))


def cut_with_tail(body: Styled, tail: Styled, limit: int = LIMIT) -> tuple[Part, ...]:
    """Cut `body` so that `tail`, a few lines, stands in the last message with some of the body before it."""
    found = pieces(joined([body, tail]), limit)
    room = limit - utf16_length(tail.text) - 2
    if len(found) > 1 and body.text.strip() and room >= limit // 8:
        *before, last = pieces(body, limit)
        *more, end = pieces(last, room)
        closing = joined([end, tail])
        if len(closing.spans) <= MOST_ENTITIES:
            found = [*before, *more, closing]
    return tuple(_part(piece) for piece in found)


def shortened(whole: Styled, limit: int, mark: str = " …") -> Styled:
    """Cut the end of a text off, and say so with `mark`, if one message of `limit` units cannot hold it."""
    fitting = pieces(whole, limit)
    if len(fitting) < 2:
        return fitting[0] if fitting else Styled("")
    return pieces(whole, limit - utf16_length(mark))[0] + Styled(mark)


def pieces(whole: Styled, limit: int) -> list[Styled]:
    """Cut a text into texts that fit; what is empty is left out, white space at the cuts as well.

    Raises:
        ValueError: `limit` is too small for one character.
    """
    if limit < 2:
        raise ValueError(f"a message of {limit} UTF-16 units cannot hold every character: use 2 or more")
    whole = nested(whole)
    ruler = _Ruler(whole)
    found: list[Styled] = []
    start = 0
    while start < len(whole.text):
        end = ruler.end(start, limit)
        piece = _stripped(whole, start, end)
        if piece.text:
            found.append(piece)
        start = end
    return found


def _stripped(whole: Styled, start: int, end: int) -> Styled:
    """What stands between two cuts, without the space at its ends; the indentation of code stays."""
    text = whole.text[start:end]
    end = start + len(text.rstrip())
    blank = len(text) - len(text.lstrip())
    code = [
        span.start for span in whole.spans if span.kind == "pre" and span.start <= start + blank < span.end
    ]
    if code:
        blank = max(text.rfind("\n", 0, blank) + 1, code[0] - start)
    begin = min(start + blank, end)
    return nested(Styled(whole.text[begin:end], clipped(whole.spans, begin, end)))


class _Ruler:
    """Where a text may be cut, and how well."""

    def __init__(self, whole: Styled) -> None:
        self._text = whole.text
        self._spans = sorted(whole.spans, key=lambda span: span.start)
        self._units = utf16_offsets(whole.text)
        self._graphemes = grapheme_ends(whole.text)
        ranks = {place.end(): _RANK[str(place.lastgroup)] for place in _PLACES.finditer(whole.text)}
        self._ranks = [ranks.get(end, 0) for end in self._graphemes]

    def end(self, start: int, limit: int) -> int:
        """Offset of the best cut behind `start`."""
        last = bisect_right(self._units, self._units[start] + limit) - 1
        last = min(last, self._entities_end(start))
        if last >= len(self._text):
            return len(self._text)
        first_place, behind = bisect_right(self._graphemes, start), bisect_right(self._graphemes, last)
        places = range(first_place, behind)
        if not places:
            return last  # one character, with its marks, is longer than a message
        closed = self._closed(start, last, limit)
        free = [n for n in places if not _is_inside(self._graphemes[n], closed)]
        return self._graphemes[
            max(free or places, key=lambda n: (self._tier(n, start, last), self._ranks[n], n))
        ]

    def _tier(self, n: int, start: int, last: int) -> int:
        """How good a place is; a word in two is better than a nearly empty message."""
        fill = (self._graphemes[n] - start) / (last - start)
        if self._ranks[n]:
            return 4 if fill >= _WELL_FILLED else 3 if fill >= _FILLED else 1
        return 2 if fill >= _WELL_FILLED else 0

    def _entities_end(self, start: int) -> int:
        """Offset before which no more than the allowed number of formats begins."""
        open_ones = sum(span.start < start < span.end for span in self._spans)
        first = bisect_left([span.start for span in self._spans], start)
        beyond = first + MOST_ENTITIES - open_ones
        return self._spans[beyond].start if beyond < len(self._spans) else len(self._text)

    def _closed(self, start: int, last: int, limit: int) -> list[Span]:
        """The formats that no cut may go through: those that fit into one message."""
        return [
            span
            for span in self._spans
            if start <= span.start < last and self._units[span.end] - self._units[span.start] <= limit
        ]


def _is_inside(place: int, spans: Sequence[Span]) -> bool:
    return any(span.start < place < span.end for span in spans)


def _part(piece: Styled) -> Part:
    units = utf16_offsets(piece.text)
    return Part(
        piece.text,
        tuple(
            Entity(span.kind, units[span.start], units[span.end] - units[span.start], span.url, span.language)
            for span in piece.spans
        ),
    )
