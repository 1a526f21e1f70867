"""Selects the few passages that a model reads from the ranked ones; pure.

Reading the same text twice costs twice, so near-duplicates are dropped, neighbours of one section become one
passage, and the rest is cut to the budget.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from rag.language.sentences import sentences
from rag.language.words import term_set
from rag.models.tokens import estimate_tokens
from rag.values import Anchor, Passage, PassageId

_ALIKE = 0.9
"""Share of common terms from which two passages count as duplicates."""

_JOINT = "+"
"""Separates the ids of joined passages; ids themselves contain only letters and digits."""


@dataclass(frozen=True, slots=True)
class PlacedPassage:
    """A passage and its position in its document."""

    passage: Passage
    ordinal: int


def parts(passages: Iterable[PassageId]) -> set[PassageId]:
    """The ids of the stored passages, where given ids may belong to joined passages."""
    return {PassageId(part) for passage in passages for part in passage.split(_JOINT)}


def select(ranked: Sequence[PlacedPassage], count: int, budget_tokens: int) -> tuple[Passage, ...]:
    """Choose the passages to read, best first; joined neighbours take the place of the better one.

    Args:
        count: Maximum number of stored passages.
        budget_tokens: Maximum estimated tokens of all of them; if necessary, the best passage is cut to it.
    """
    chosen: list[PlacedPassage] = []
    seen: list[frozenset[str]] = []
    left = budget_tokens
    for placed in ranked:
        if len(chosen) == count:
            break
        words = term_set(placed.passage.text)
        if _is_known(words, seen):
            continue
        tokens = estimate_tokens(placed.passage.text)
        if tokens > left:
            if chosen:
                continue
            text = _cut(placed.passage.text, left)
            placed, tokens = replace(placed, passage=replace(placed.passage, text=text)), left
        chosen.append(placed)
        seen.append(words)
        left -= tokens
    return tuple(_joined(chosen))


def _is_known(words: frozenset[str], seen: Collection[frozenset[str]]) -> bool:
    """Whether an earlier passage says the same or more; a different number makes it different."""
    return any(
        len(words & other) >= _ALIKE * len(words)
        and all(word in other for word in words if any(map(str.isdigit, word)))
        for other in seen
    )


def _cut(text: str, budget_tokens: int) -> str:
    """The beginning of a text: whole sentences if at least one fits, else as many characters as fit."""
    end = 0
    for sentence in sentences(text):
        if estimate_tokens(text[: sentence.end]) > budget_tokens:
            break
        end = sentence.end
    return text[:end] if end else text[: max(1, len(text) * budget_tokens // estimate_tokens(text))]


def _joined(chosen: Sequence[PlacedPassage]) -> list[Passage]:
    groups: list[list[PlacedPassage]] = []
    for placed in chosen:
        touching = [group for group in groups if any(_are_neighbours(placed, other) for other in group)]
        if not touching:
            groups.append([placed])
            continue
        # A passage between two others joins them to one group of three.
        first, *others = touching
        first.append(placed)
        for other in others:
            first.extend(other)
            groups.remove(other)
    return [_join(group) for group in groups]


def _are_neighbours(one: PlacedPassage, other: PlacedPassage) -> bool:
    return (
        abs(one.ordinal - other.ordinal) == 1
        and one.passage.source == other.passage.source
        and one.passage.section == other.passage.section
    )


def _anchors(in_order: Iterable[Passage]) -> Iterator[Anchor]:
    start = 0
    for passage in in_order:
        for anchor in passage.anchors:
            yield replace(anchor, start=anchor.start + start)
        start += len(passage.text) + 2


def _join(group: Sequence[PlacedPassage]) -> Passage:
    if len(group) == 1:
        return group[0].passage
    in_order = [placed.passage for placed in sorted(group, key=lambda one: one.ordinal)]
    return replace(
        in_order[0],
        id=PassageId(_JOINT.join(passage.id for passage in in_order)),
        text="\n\n".join(passage.text for passage in in_order),
        anchors=tuple(_anchors(in_order)),
        score=max(passage.score for passage in in_order),
    )
