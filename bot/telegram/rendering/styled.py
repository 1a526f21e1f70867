"""A text with formats, before it is cut into messages.

Offsets count code points, so that Python's slices apply; `parts` converts them to UTF-16 units at the end.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from bot.telegram.rendering.characters import grapheme_ends

Kind = Literal[
    "bold", "italic", "strikethrough", "code", "pre", "text_link", "blockquote", "expandable_blockquote"
]

_EXCLUSIVE: tuple[Kind, ...] = ("pre", "text_link", "code")
"""Formats that no other format may overlap, the strongest first."""


@dataclass(frozen=True, slots=True)
class Span:
    """A format from `start` up to `end`, in code points."""

    kind: Kind
    start: int
    end: int
    url: str = ""
    language: str = ""


@dataclass(frozen=True, slots=True)
class Styled:
    """A text and its formats."""

    text: str
    spans: tuple[Span, ...] = ()

    def __add__(self, other: Styled) -> Styled:
        return Styled(self.text + other.text, self.spans + shift(other.spans, len(self.text)))


def styled(text: str, kind: Kind, *, url: str = "", language: str = "") -> Styled:
    """Return `text` in one format from end to end."""
    return Styled(text, (Span(kind, 0, len(text), url, language),) if text else ())


def joined(pieces: Iterable[Styled], separator: str = "\n\n") -> Styled:
    """Join the pieces that are not empty."""
    text: list[str] = []
    spans: list[Span] = []
    length = 0
    for piece in pieces:
        if not piece.text:
            continue
        if text:
            text.append(separator)
            length += len(separator)
        spans += shift(piece.spans, length)
        text.append(piece.text)
        length += len(piece.text)
    return Styled("".join(text), tuple(spans))


def shift(spans: Iterable[Span], by: int) -> tuple[Span, ...]:
    """Return the spans, moved by `by` characters."""
    return tuple(replace(span, start=span.start + by, end=span.end + by) for span in spans)


def clip(spans: Iterable[Span], start: int, end: int) -> tuple[Span, ...]:
    """Return the parts of spans between `start` and `end`, with offsets counted from `start`."""
    return tuple(
        replace(span, start=max(span.start, start) - start, end=min(span.end, end) - start)
        for span in spans
        if span.start < end and start < span.end
    )


def nest(whole: Styled) -> Styled:
    """Make the formats nest as Telegram requires.

    No code lies inside a link, no other format inside code, no block of code inside a quote, and no format
    inside one of its own kind. No format crosses the edge of a link: its part inside the link goes. A format
    neither begins nor ends with white space, except code and links. A format that begins or ends inside a
    grapheme, such as before the skin tone of an emoji, covers the whole grapheme.
    """
    whole = Styled(whole.text, _widen_to_graphemes(whole))
    taken: list[tuple[int, int]] = []
    kept: list[Span] = []
    for kind in _EXCLUSIVE:
        pieces = [
            replace(span, start=start, end=end)
            for span in whole.spans
            if span.kind == kind
            for start, end in _subtract(span.start, span.end, taken)
            if whole.text[start:end].strip()
        ]
        pieces = _separate(pieces)
        taken = sorted(taken + [(piece.start, piece.end) for piece in pieces])
        kept += pieces
    code = sorted((span.start, span.end) for span in kept if span.kind in {"pre", "code"})
    blocks = sorted((span.start, span.end) for span in kept if span.kind == "pre")
    links = [span for span in kept if span.kind == "text_link"]
    for kinds in ({"blockquote", "expandable_blockquote"}, {"bold"}, {"italic"}, {"strikethrough"}):
        merged = _merge([span for span in whole.spans if span.kind in kinds])
        around = blocks if "blockquote" in kinds else code
        for span in merged:
            crossed = [(link.start, link.end) for link in links if _do_cross(span, link)]
            for start, end in _subtract(span.start, span.end, sorted(around + crossed)):
                inside = whole.text[start:end]
                begin = start + len(inside) - len(inside.lstrip())
                stop = start + len(inside.rstrip())
                if begin < stop:
                    kept.append(replace(span, start=begin, end=stop))
    return Styled(whole.text, tuple(sorted(kept, key=lambda span: (span.start, -span.end, span.kind))))


def _widen_to_graphemes(whole: Styled) -> tuple[Span, ...]:
    if not whole.spans or whole.text.isascii():
        return whole.spans
    edges = [0, *grapheme_ends(whole.text)]
    return tuple(
        replace(
            span,
            start=edges[bisect_right(edges, span.start) - 1],
            end=edges[min(bisect_left(edges, span.end), len(edges) - 1)],
        )
        for span in whole.spans
    )


def _do_cross(one: Span, other: Span) -> bool:
    first, second = sorted((one, other), key=lambda span: (span.start, -span.end))
    return second.start < first.end < second.end


def _subtract(start: int, end: int, taken: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return the parts of ``start:end`` outside the sorted stretches `taken`."""
    free: list[tuple[int, int]] = []
    for begin, stop in taken:
        if stop <= start:
            continue
        if begin >= end:
            break
        if begin > start:
            free.append((start, begin))
        start = max(start, stop)
    if start < end:
        free.append((start, end))
    return free


def _separate(spans: list[Span]) -> list[Span]:
    """Make each span begin behind the one before it; adjacent code spans are not merged."""
    free: list[Span] = []
    position = 0
    for span in sorted(spans, key=lambda each: (each.start, each.end)):
        if span.end > max(position, span.start):
            free.append(replace(span, start=max(position, span.start)))
            position = span.end
    return free


def _merge(spans: list[Span]) -> list[Span]:
    united: list[Span] = []
    for span in sorted(spans, key=lambda each: (each.start, -each.end)):
        if united and span.start < united[-1].end:
            united[-1] = replace(united[-1], end=max(united[-1].end, span.end))
        else:
            united.append(span)
    return united
