"""Split a passage into pieces that can be quoted: sentences, list items, table rows and code.

Quoted alone, "- in Milan, two days" or "| Berlin | 30 |" is meaningless. So each piece knows what must be
read with it: the previous sentence if it begins with a pronoun, the line that introduces its list, the header
of its table, the question that it answers. Headings and table rules are not pieces; a heading is context for
the pieces below it. A question is quoted with what directly follows it; where nothing does, or where that is
too long for one quotation, it says nothing and is no piece either.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

import regex

from rag.language.asking import is_question
from rag.language.recent_texts import PASSAGE_CHARACTERS, cache_up_to
from rag.language.sentences import Sentence, sentences
from rag.language.tables import compile_pattern

Kind = Literal["sentence", "item", "row", "code"]

_MAX_PIECES = 80
_MAX_QUOTE_CHARACTERS = 300
"""A quotation is extended up to this length, so that it stays easy to read."""
_MAX_PIECE_CHARACTERS = 600
"""A longer single piece, such as a page of code, is cut."""

_QUOTED = r"(?:[ \t]*>)*[ \t]*"
_HEADING = regex.compile(rf"{_QUOTED}\#{{1,6}}(?:[ \t]|$)")
_ROW = regex.compile(rf"{_QUOTED}\|")
_TABLE_RULE = regex.compile(rf"{_QUOTED}\|[ \t:|]*+-[ \t:|-]*+$")
_RULE = regex.compile(rf"{_QUOTED}(?:[-=*_][ \t]*){{3,}}$")
_ITEM = regex.compile(rf"{_QUOTED}(?:[-*+•·▪‣◦]|\d{{1,3}}[.)]|\p{{L}}\)|\(\p{{N}}{{1,3}}\))[ \t]")
_FENCE = regex.compile(rf"{_QUOTED}(?:`{{3}}|~{{3}})")
_INTRODUCES = regex.compile(r"[:：][*_]{0,2}$")
_OPENING = regex.compile(r"[\s>*_\"'«“„¿¡(\[]*")
_OPENING_CHARACTERS = 40


@dataclass(frozen=True, slots=True)
class Piece:
    """A part of a passage that can be quoted; offsets are code points of the passage's text.

    Args:
        kind: A sentence of prose, a sentence of a list item, a row of a table, or a code block.
        start: Its start.
        end: Offset of its end.
        quote_start: Start of the self-contained quotation.
        quote_end: Offset of that quotation's end.
        lead: What introduces it but does not stand before it, or is too far away for one quotation: a list's
            first line, a table's header; verbatim, or empty.
        before: The sentence before it, or its introduction: it may name the subject.
        heading: The nearest heading above it inside the passage.
    """

    kind: Kind
    start: int
    end: int
    quote_start: int
    quote_end: int
    lead: str = ""
    before: str = ""
    heading: str = ""


@cache_up_to(PASSAGE_CHARACTERS)  # popular passages are found again and again
def pieces(text: str) -> tuple[Piece, ...]:
    """Split a passage's text into pieces, in reading order; only the first eighty sentences are read."""
    found = list(_split(text, sentences(text)[:_MAX_PIECES]))
    quoted = (_extend_quote(text, found, number) for number in range(len(found)))
    return tuple(piece for piece in quoted if not _is_mere_question(text, piece))


def _split(text: str, parts: Sequence[Sentence]) -> Iterator[Piece]:
    heading = before = head = ""
    leads: list[tuple[int, str]] = []  # (indentation, line) that introduces the following list items
    is_item = False
    for number, part in enumerate(parts):
        begins_line = not text[text.rfind("\n", 0, part.start) + 1 : part.start].strip(" \t>")
        if begins_line and _HEADING.match(part.text):
            heading, before, head, leads, is_item = part.text.lstrip("#> \t"), "", "", [], False
            continue
        if _RULE.match(part.text) or _TABLE_RULE.match(part.text):
            before = ""
            continue
        if begins_line and _ROW.match(part.text):
            following = parts[number + 1].text if number + 1 < len(parts) else ""
            if _TABLE_RULE.match(following):
                head = part.text
                continue
            yield Piece("row", part.start, part.end, part.start, part.end, head, before, heading)
            continue
        head = ""
        if _FENCE.match(part.text):
            yield Piece("code", part.start, part.end, part.start, part.end, "", before, heading)
            continue
        indentation = part.start - text.rfind("\n", 0, part.start) - 1
        starts_item = begins_line and bool(_ITEM.match(part.text))
        if starts_item:
            leads = [lead for lead in leads if lead[0] < indentation]
            is_item = True
        elif begins_line and not indentation:
            leads, is_item = [], False
        lead = leads[-1][1] if leads and is_item else ""
        kind: Kind = "item" if is_item else "sentence"
        yield Piece(
            kind, part.start, part.end, part.start, part.end, lead, lead if starts_item else before, heading
        )
        if _INTRODUCES.search(part.text) or starts_item:
            leads.append((indentation if starts_item else -1, part.text))
        before = part.text


def _extend_quote(text: str, found: Sequence[Piece], number: int) -> Piece:
    """Return a piece with its self-contained quotation, as far as the maximum length allows."""
    piece = found[number]
    start, end = piece.start, piece.end
    if piece.lead:
        at = text.rfind(piece.lead, 0, start)
        # Other rows between the header and this one would hide it.
        is_near = piece.kind != "row" or _TABLE_RULE.match(text[at + len(piece.lead) : start].strip())
        if at >= 0 and is_near and end - at <= _MAX_QUOTE_CHARACTERS:
            start = at
    elif number and (piece.kind == "code" or leans(text[start:end]) or _may_answer(text, found, number)):
        before = found[number - 1]
        if before.kind in {"sentence", piece.kind} and end - before.start <= _MAX_QUOTE_CHARACTERS:
            start = before.start
    last = number
    is_answered = is_question(text[start:end]) and _may_answer(text, found, number + 1)
    if is_answered and found[number + 1].end - start <= _MAX_QUOTE_CHARACTERS:
        last = number + 1
        end = found[last].end
    followers = found[last + 1 :]
    if _INTRODUCES.search(text, start, end) or _asks_for_list(text, found[last:]):
        for follower in followers:
            is_other = follower.kind == "sentence" or follower.kind != followers[0].kind
            if is_other or follower.end - start > _MAX_QUOTE_CHARACTERS:
                break
            end = follower.end
    if end - start > _MAX_PIECE_CHARACTERS:
        cut = start + _MAX_PIECE_CHARACTERS
        end = max(text.rfind(" ", start + 1, cut), text.rfind("\n", start + 1, cut))
        end = end if end > start else cut
    return replace(piece, quote_start=start, quote_end=end, lead="" if start < piece.start else piece.lead)


def _is_mere_question(text: str, piece: Piece) -> bool:
    is_alone = (piece.quote_start, piece.quote_end) == (piece.start, piece.end) and not piece.lead
    return is_alone and is_question(text[piece.start : piece.end])


def _may_answer(text: str, found: Sequence[Piece], number: int) -> bool:
    """Return whether a sentence directly follows a question, and is none itself."""
    if not 0 < number < len(found) or found[number].kind not in {"sentence", "item"}:
        return False
    asked, answer = found[number - 1], found[number]
    if is_question(text[answer.start : answer.end]) or not is_question(text[asked.start : asked.end]):
        return False
    return asked.kind == answer.kind and not text[asked.end : answer.start].strip()


def _asks_for_list(text: str, found: Sequence[Piece]) -> bool:
    """Return whether the first piece is a question, and a list or a table of its section follows it."""
    asked = found[0]
    return (
        is_question(text[asked.start : asked.end])
        and len(found) > 1
        and found[1].kind in {"item", "row"}
        and found[1].kind != asked.kind
        and found[1].heading == asked.heading
    )


@cache
def _leaning() -> regex.Pattern[str]:
    return compile_pattern(lambda one: one.words.leaning)


def leans(sentence: str) -> bool:
    """Return whether a sentence begins with a word that refers to the previous one: this, it, then."""
    start = _OPENING.match(sentence)
    beginning = sentence[start.end() if start else 0 :][:_OPENING_CHARACTERS].casefold()
    return bool(_leaning().match(beginning))
