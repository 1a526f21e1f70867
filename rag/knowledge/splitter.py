"""Splits documents into passages that fit a prompt and make sense alone.

Three rules help retrieval. A passage stays under one heading path, so that it can be named as a source. A
short section stays whole, even if it is half as long again as a passage should be. A line or two that only
introduce the first subsection stay with it. Passages do not overlap; neighbours are joined when they are
found.
"""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace

import regex

from rag.knowledge.cutting import cut
from rag.knowledge.documents import Chunk, Document, Section
from rag.knowledge.loaders.content import HEADING_SEPARATOR
from rag.language.markdown import code_blocks
from rag.settings import Knowledge
from rag.values import Anchor, PassageId

_WHOLE = 1.5  # a section up to this multiple of the size is not split, and a rest is joined up to it
_INTRODUCTION = 0.2  # a section below this share of a size goes with its first subsection
_REST = 0.25  # a last passage below this share of a size is joined to the one before

_UNSPACED = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}ー]")
# An address or a line of base64 is one "word", but costs as many tokens as several.
_WORD = regex.compile(r"\S{1,20}")

_TABLE_LINE = regex.compile(r"[ \t]*\|")
_TABLE_RULE = regex.compile(r"[ \t]*+\|[ \t:|]*+-[ \t:|-]*+")


def measure(text: str) -> int:
    """Size of a text in words; two characters of a script without spaces count as one word."""
    if text.isascii():
        return len(_WORD.findall(text))
    spaced, unspaced = _UNSPACED.subn(" ", text)
    return len(_WORD.findall(spaced)) + (unspaced + 1) // 2


def split(document: Document, settings: Knowledge) -> tuple[Chunk, ...]:
    """Split a document into passages in reading order.

    Every character of its sections, except blank space at the edges, is in exactly one passage; only the
    first row of a table is repeated where the table continues.

    Args:
        settings: `chunk_tokens` is the target size; no passage is larger than one and a half times that.
    """
    chunks: list[Chunk] = []
    seen: Counter[tuple[str, str]] = Counter()
    for section in _with_introductions(document.sections, settings.chunk_tokens):
        lead = section.lead
        for start, text in _passages(section.text, settings.chunk_tokens):
            occurrence = seen[section.heading, text]
            seen[section.heading, text] += 1
            chunk_id = _chunk_id(document.key, section.heading, text, occurrence)
            anchors = _anchors_within(section.anchors, start, start + len(text))
            chunk = Chunk(chunk_id, section.heading, text, len(chunks), anchors=anchors)
            chunks.append(replace(chunk, lead=lead, lead_heading=section.lead_heading) if lead else chunk)
            # It is short, so the first passage holds it.
            lead = 0
    return tuple(chunks)


def _chunk_id(key: str, heading: str, text: str, occurrence: int) -> PassageId:
    identity = json.dumps([key, heading, text, occurrence]).encode()
    return PassageId(hashlib.sha256(identity).hexdigest()[:32])


def _anchors_within(anchors: tuple[Anchor, ...], start: int, end: int) -> tuple[Anchor, ...]:
    """The places of a stretch of a section, counted from its beginning; first the one that it begins in."""
    before = [anchor for anchor in anchors if anchor.start <= start][-1:]
    within = [anchor for anchor in anchors if start < anchor.start < end]
    found = (replace(anchor, start=max(anchor.start - start, 0)) for anchor in (*before, *within))
    return tuple(found)


def _with_introductions(sections: tuple[Section, ...], size: int) -> Iterator[Section]:
    """Yield the sections; a very short one is joined to its first subsection.

    The pair gets the subsection's heading, whose path begins with the other's, so no word is lost.
    """
    nothing = introduction = Section("", "")
    for section in sections:
        if introduction.text and section.heading.startswith(introduction.heading + HEADING_SEPARATOR):
            shift = len(introduction.text) + 2
            moved = (replace(anchor, start=anchor.start + shift) for anchor in section.anchors)
            section = Section(
                section.heading,
                f"{introduction.text}\n\n{section.text}",
                (*introduction.anchors, *moved),
                lead=len(introduction.text),
                # For several in a row, the path that they have in common.
                lead_heading=introduction.lead_heading or introduction.heading,
            )
        elif introduction.text:
            yield introduction
        introduction = nothing
        if section.heading and measure(section.text) < size * _INTRODUCTION:
            introduction = section
        else:
            yield section
    if introduction.text:
        yield introduction


@dataclass(frozen=True, slots=True)
class _Piece:
    """A stretch that is not split; `table` is the head of its table if it is a later row, or empty."""

    text: str
    size: int
    table: str = ""

    @classmethod
    def of(cls, text: str, table: str = "") -> _Piece:
        return cls(text, measure(text), table)


def _passages(text: str, size: int) -> list[tuple[int, str]]:
    total = measure(text)
    if total <= size * _WHOLE:
        return _trimmed([(0, text)])
    groups = _groups(list(_pieces(text, size)), size, share=_share(total, size))
    if len(groups) > 1 and _size(groups[-1]) < size * _REST:
        rest = groups.pop()
        groups[-1].extend(rest)
    passages: list[tuple[int, str]] = []
    start = 0
    for group in groups:
        own = "".join(piece.text for piece in group)
        passages.append((start, group[0].table + own))
        start += len(own)
    return _trimmed(passages)


def _trimmed(passages: list[tuple[int, str]]) -> list[tuple[int, str]]:
    """The passages without blank edges; the indent of the first line is kept, because it may be code."""
    trimmed = []
    for start, passage in passages:
        if passage.strip():
            begun = passage.lstrip("\n")
            trimmed.append((start + len(passage) - len(begun), begun.rstrip("\n").rstrip()))
    return trimmed


def _share(total: int, size: int) -> int:
    """Size of equal parts of a text, which are better than full passages and a small rest."""
    return -(-total // -(-total // size))


def _groups(pieces: list[_Piece], size: int, share: int) -> list[list[_Piece]]:
    """Group neighbouring pieces until a group has its share or the next piece does not fit."""
    groups: list[list[_Piece]] = [[]]
    for piece in pieces:
        used = _size(groups[-1])
        if groups[-1] and piece.size and (used + piece.size > size or used >= share):
            groups.append(_lead(groups[-1], size - piece.size))
        groups[-1].append(piece)
    return groups


def _size(group: list[_Piece]) -> int:
    return sum(piece.size for piece in group)


def _lead(group: list[_Piece], room: int) -> list[_Piece]:
    """Take the line that announces what follows ("The commands are:") off the end of a full group."""
    if len(group) > 1 and group[-1].text.rstrip().endswith((":", "：")) and group[-1].size <= room:
        return [group.pop()]
    return []


def _pieces(text: str, size: int) -> Iterator[_Piece]:
    position = 0
    for block in code_blocks(text):
        yield from _prose_pieces(text[position : block.start], size)
        code = _Piece.of(text[block.start : block.end])
        if code.size <= size:
            yield code
        else:
            for line in code.text.splitlines(keepends=True):
                yield from _cut(line, size)
        position = block.end
    yield from _prose_pieces(text[position:], size)


def _prose_pieces(text: str, size: int) -> Iterator[_Piece]:
    paragraph: list[str] = []
    table: list[str] = []
    for line in text.splitlines(keepends=True):
        if _TABLE_LINE.match(line):
            yield from _cut("".join(paragraph), size)
            paragraph = []
            table.append(line)
            continue
        yield from _rows(table, size)
        table = []
        if line.strip() and paragraph and not paragraph[-1].strip():
            yield from _cut("".join(paragraph), size)
            paragraph = []
        paragraph.append(line)
    yield from _rows(table, size)
    yield from _cut("".join(paragraph), size)


def _rows(lines: list[str], size: int) -> Iterator[_Piece]:
    """Yield the rows of a table; later rows keep its head if that is short."""
    has_head = len(lines) > 2 and _TABLE_RULE.fullmatch(lines[1].rstrip())
    head = "".join(lines[:2]) if has_head else ""
    if measure(head) > size * _REST:
        head = ""
    start = 0
    if head:
        yield _Piece.of(head + lines[2]) if measure(head + lines[2]) <= size else _Piece.of(head)
        start = 3 if measure(head + lines[2]) <= size else 2
    for line in lines[start:]:
        for piece in _cut(line, size):
            yield replace(piece, table=head)


def _cut(text: str, size: int) -> Iterator[_Piece]:
    whole = _Piece.of(text)
    if whole.size <= size:
        if text:
            yield whole
        return
    for part in cut(text, min(size, _share(whole.size, size) * 11 // 10), measure):
        yield _Piece.of(part)
