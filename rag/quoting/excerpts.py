"""Cut an excerpt out of a passage, around the words that answer: whole sentences, items, rows and blocks.

A sentence alone often says little: its list began above it, its table has a header, the next sentence has the
condition. So an excerpt is the block of the passage in which the words stand (a paragraph, a list with the
line that introduces it, a table), or of a longer block what stands next to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import regex

from rag.language.asking import is_question
from rag.language.phrases import points_back
from rag.language.recent_texts import PASSAGE_CHARACTERS, cache_up_to
from rag.language.sentences import Sentence, sentences

_MAX_SENTENCES = 200
_STEPS = 1200
"""Characters that a numbered list may have to be shown whole: who does half of the steps is not helped."""
_SHORT = 60
"""Characters up to which a paragraph that is no sentence is a term or a title of what follows."""

_QUOTED = r"(?:[ \t]*>)*[ \t]*"
_HEADING = regex.compile(rf"{_QUOTED}\#{{1,6}}(?:[ \t]|$)")
_ROW = regex.compile(rf"{_QUOTED}\|")
_RULE = regex.compile(rf"{_QUOTED}(?:\|[ \t:|]*+-[ \t:|-]*+|(?:[-=*_][ \t]*){{3,}})$")
_ITEM = regex.compile(rf"{_QUOTED}(?:[-*+•·▪‣◦]|\d{{1,3}}[.)]|\p{{L}}\)|\(\p{{N}}{{1,3}}\))[ \t]")
_STEP = regex.compile(rf"{_QUOTED}\d{{1,3}}[.)][ \t]")
_INTRODUCES = regex.compile(r"[:：][*_]{0,2}$")
_ENDS = regex.compile(r"[.!?。！？…][\"'”’»*_)\]]{0,3}$")


@dataclass(frozen=True, slots=True)
class Excerpt:
    """A part of a text; offsets are code points.

    Args:
        lead: The line that introduces its list, or the header of its table, if it is not the sentence itself;
            verbatim, or empty.
        sentence: The sentence, item or row in which the words that answer stand.
    """

    start: int
    end: int
    lead: str
    sentence: str


def excerpt(
    text: str,
    start: int,
    end: int,
    limit: int,
    *,
    with_blocks_around: bool = False,
    begins_at_answer: bool = False,
) -> Excerpt | None:
    """Return the excerpt around a place; None if nothing but headings stands there and behind.

    Args:
        start: Where the words that answer begin; words of a heading stand for what follows it.
        limit: Characters that an excerpt may have, if it is more than one sentence; a longer sentence is cut.
        with_blocks_around: It goes on into the blocks behind and before, as far as the limit allows.
        begins_at_answer: Of prose, nothing stands before the sentence that answers, unless it points back; of
            a table, only the rows that answer; of a numbered list, only the number that answers, unless it is
            the first one, as of a list of steps that is asked for; of a nested list, only the items below
            the one that the answer belongs to.
    """
    blocks = _blocks(text)
    parts = [part for block in blocks for part in block]
    inside = [i for i, part in enumerate(parts) if part.end > start and not _is_context(parts, i)]
    if not inside:
        return None
    first = inside[0]
    last = max((i for i in inside if parts[i].start < end), default=first)
    sentence = text[parts[first].start : parts[last].end]
    if _STEP.match(parts[first].text):
        limit = max(limit, _STEPS)
    if len(sentence) > limit:
        return _cut(text, parts[first].start, parts[last].end, start, limit)
    # The block of the first words; the last ones may stand in a later one.
    low, high = _bounds(blocks, first)
    opening, within = low, (low, max(high, last))
    is_rule = _is_further_step(parts, first) and first == last
    if begins_at_answer and (_ROW.match(parts[first].text) or is_rule):
        within = (first, last)
    elif begins_at_answer and not _ITEM.match(parts[first].text):
        opening = max(first - points_back(parts[first].text), low)
        within = (opening, within[1])
    elif begins_at_answer:
        within = _branch(text, parts, first, within)
    begin, stop = _grow(parts, first, last, within, limit)
    if with_blocks_around and (begin, stop) == within:
        begin, stop = _grow(parts, begin, stop, (0, len(parts) - 1), limit)
    while stop > last and (_is_context(parts, stop) or _INTRODUCES.search(parts[stop].text)):
        stop -= 1
    while begin < first and (_HEADING.match(parts[begin].text) or _RULE.match(parts[begin].text)):
        begin += 1
    lead = parts[opening].text
    leads = opening < first and (_INTRODUCES.search(lead) or _is_header(parts, opening))
    return Excerpt(parts[begin].start, parts[stop].end, lead if leads else "", sentence)


def _is_further_step(parts: Sequence[Sentence], number: int) -> bool:
    return number > 0 and all(_STEP.match(parts[n].text) for n in (number - 1, number))


def _branch(text: str, parts: Sequence[Sentence], number: int, within: tuple[int, int]) -> tuple[int, int]:
    """Return an item with those below it, or those below the item that it stands below; else all parts."""
    low, high = within
    depths = [
        part.start - text.rfind("\n", 0, part.start) if _ITEM.match(part.text) else len(text)
        for part in parts[: high + 1]
    ]
    top = next((n for n in range(number - 1, low - 1, -1) if depths[n] < depths[number]), number)
    end = next((n for n in range(top + 1, high + 1) if depths[n] <= depths[top]), high + 1) - 1
    return (top, end) if end > top else within


@cache_up_to(PASSAGE_CHARACTERS)  # popular passages are found again and again
def _blocks(text: str) -> tuple[tuple[Sentence, ...], ...]:
    """Return the sentences of a text by paragraphs, lists with their introductions, and tables."""
    blocks: list[list[Sentence]] = []
    for part in sentences(text)[:_MAX_SENTENCES]:
        if not blocks or _begins_block(text, blocks[-1][-1], part):
            blocks.append([])
        blocks[-1].append(part)
    return tuple(tuple(block) for block in blocks)


def _begins_block(text: str, before: Sentence, part: Sentence) -> bool:
    if _HEADING.match(part.text):
        return True
    if _HEADING.match(before.text) or _INTRODUCES.search(before.text) or is_question(before.text):
        return False
    if bool(_ROW.match(part.text)) != bool(_ROW.match(before.text)):
        return True
    between = text[before.end : part.start]
    if between.count("\n") < 2:
        return False
    if _ITEM.match(before.text) and _ITEM.match(part.text):
        return False
    is_indented = between.endswith((" ", "\t"))
    return not is_indented and (len(before.text) > _SHORT or bool(_ENDS.search(before.text)))


def _is_context(parts: Sequence[Sentence], number: int) -> bool:
    """Return whether a part only says what others are about: a heading, a rule, the header of a table."""
    text = parts[number].text
    return bool(_HEADING.match(text) or _RULE.match(text)) or _is_header(parts, number)


def _is_header(parts: Sequence[Sentence], number: int) -> bool:
    following = parts[number + 1].text if number + 1 < len(parts) else ""
    is_rule = _ROW.match(following) and _RULE.match(following)
    return bool(_ROW.match(parts[number].text) and is_rule)


def _bounds(blocks: Sequence[Sequence[Sentence]], number: int) -> tuple[int, int]:
    low = 0
    for block in blocks:
        if number < low + len(block):
            return low, low + len(block) - 1
        low += len(block)
    raise ValueError("no block has this part")


def _grow(
    parts: Sequence[Sentence], first: int, last: int, within: tuple[int, int], limit: int
) -> tuple[int, int]:
    while True:
        before = (first, last)
        if last < within[1] and parts[last + 1].end - parts[first].start <= limit:
            last += 1
        if first > within[0] and parts[last].end - parts[first - 1].start <= limit:
            first -= 1
        if (first, last) == before:
            return before


def _cut(text: str, start: int, end: int, place: int, limit: int) -> Excerpt:
    """Return a part of a sentence that is too long, such as a page of code, around a place."""
    begin = start if place - start < limit else max(text.rfind(" ", start, place - limit // 2), start)
    stop = min(begin + limit, end)
    if stop < end:
        stop = max(text.rfind(" ", place + 1, stop), text.rfind("\n", place + 1, stop), -1)
        stop = stop if stop > begin else min(begin + limit, end)
    whole = text[begin:stop]
    begin += len(whole) - len(whole.lstrip())
    return Excerpt(begin, stop, "", text[begin:stop])
