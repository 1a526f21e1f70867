"""Cuts a text with formats into messages within Telegram's limits, with the formats as entities.

Telegram counts in UTF-16 units. A cut is made at the best possible place (between paragraphs, lines,
sentences or words), never inside a grapheme, and inside a format only if the format alone is longer than a
message; then both halves have the format.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

import regex

from bot.telegram.rendering.characters import grapheme_ends, utf16_length, utf16_offsets
from bot.telegram.rendering.styled import Kind, Span, Styled, clip, joined, nest

LIMIT = 4096
"""Largest length of a message, in UTF-16 units (Bot API)."""

MOST_ENTITIES = 100
"""Largest number of formats in a message; Telegram drops further ones."""

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
    """A format of a part, with Telegram's name of it; `offset` and `length` are in UTF-16 units."""

    type: Kind
    offset: int
    length: int
    url: str = ""
    language: str = ""

    def fields(self) -> dict[str, str | int]:
        """Return the arguments of Telegram's entity: ``telegram.MessageEntity(**entity.fields())``."""
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
    """Cut a text into messages of at most `limit` UTF-16 units (2 or more); a blank text gives none."""
    return tuple(_part(piece) for piece in pieces(whole, limit))


def cut_with_tail(body: Styled, tail: Styled, limit: int = LIMIT) -> tuple[Part, ...]:
    """Cut `body` so that the last message contains the end of the body and the short `tail`."""
    found = pieces(joined([body, tail]), limit)
    room = limit - utf16_length(tail.text) - 2
    if len(found) > 1 and body.text.strip() and room >= limit // 8:
        *before, last = pieces(body, limit)
        *more, end = pieces(last, room)
        closing = joined([end, tail])
        if len(closing.spans) <= MOST_ENTITIES:
            found = [*before, *more, closing]
    return tuple(_part(piece) for piece in found)


def shorten(whole: Styled, limit: int, mark: str = " …") -> Styled:
    """Shorten a text to `limit` UTF-16 units, ending with `mark`, if it is longer."""
    fitting = pieces(whole, limit)
    if len(fitting) < 2:
        return fitting[0] if fitting else Styled("")
    return pieces(whole, limit - utf16_length(mark))[0] + Styled(mark)


def pieces(whole: Styled, limit: int) -> list[Styled]:
    """Cut a text into pieces of at most `limit` UTF-16 units, without white space at cuts or empty pieces.

    Raises:
        ValueError: `limit` is too small for one character.
    """
    if limit < 2:
        raise ValueError(f"a message of {limit} UTF-16 units cannot hold every character: use 2 or more")
    whole = nest(whole)
    ruler = _Ruler(whole)
    found: list[Styled] = []
    start = 0
    while start < len(whole.text):
        end = ruler.end(start, limit)
        piece = _strip(whole, start, end)
        if piece.text:
            found.append(piece)
        start = end
    return found


def _strip(whole: Styled, start: int, end: int) -> Styled:
    """Return the text between two cuts without white space at its ends; the indentation of code stays."""
    text = whole.text[start:end]
    end = start + len(text.rstrip())
    blank = len(text) - len(text.lstrip())
    code = [
        span.start for span in whole.spans if span.kind == "pre" and span.start <= start + blank < span.end
    ]
    if code:
        blank = max(text.rfind("\n", 0, blank) + 1, code[0] - start)
    begin = min(start + blank, end)
    return nest(Styled(whole.text[begin:end], clip(whole.spans, begin, end)))


class _Ruler:
    def __init__(self, whole: Styled) -> None:
        self._text = whole.text
        self._spans = sorted(whole.spans, key=lambda span: span.start)
        self._units = utf16_offsets(whole.text)
        self._graphemes = grapheme_ends(whole.text)
        ranks = {place.end(): _RANK[str(place.lastgroup)] for place in _PLACES.finditer(whole.text)}
        self._ranks = [ranks.get(end, 0) for end in self._graphemes]

    def end(self, start: int, limit: int) -> int:
        """Return the offset of the best cut after `start`."""
        last = bisect_right(self._units, self._units[start] + limit) - 1
        last = min(last, self._entities_end(start))
        if last >= len(self._text):
            return len(self._text)
        first_place, behind = bisect_right(self._graphemes, start), bisect_right(self._graphemes, last)
        places = range(first_place, behind)
        if not places:
            return last  # a single grapheme, with its combining marks, is longer than a message
        closed = self._find_closed(start, last, limit)
        free = [n for n in places if not _is_inside(self._graphemes[n], closed)]
        return self._graphemes[
            max(free or places, key=lambda n: (self._rank(n, start, last), self._ranks[n], n))
        ]

    def _rank(self, n: int, start: int, last: int) -> int:
        """Return the rank of a place for a cut; to split a word is better than a nearly empty message."""
        fill = (self._graphemes[n] - start) / (last - start)
        if self._ranks[n]:
            return 4 if fill >= _WELL_FILLED else 3 if fill >= _FILLED else 1
        return 2 if fill >= _WELL_FILLED else 0

    def _entities_end(self, start: int) -> int:
        """Return the offset before which at most the allowed number of formats begin."""
        open_ones = sum(span.start < start < span.end for span in self._spans)
        first = bisect_left([span.start for span in self._spans], start)
        beyond = first + MOST_ENTITIES - open_ones
        return self._spans[beyond].start if beyond < len(self._spans) else len(self._text)

    def _find_closed(self, start: int, last: int, limit: int) -> list[Span]:
        """Return the formats that must not be cut: those that fit into one message."""
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
