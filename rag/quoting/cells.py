"""Put a place in a table into the row and the column that the question names.

A reader of text finds a cell of the right kind, and sometimes one of a neighbour: the supplier of the row
above, or the price of the column beside. A table says by its form what belongs together, so the words of rows
and headers decide where one of them has more of the question than those of the cell that was found.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeVar

from rag.knowledge.loaders.content import is_table_rule, table_cells
from rag.language.words import content_terms
from rag.values import Passage, Place

_MOST_ROWS = 400
_One = TypeVar("_One")
_LIKELY = 0.69
"""Probability at most of words that the reader did not choose itself: likely, and never verified."""


@dataclass(frozen=True, slots=True)
class _Cell:
    text: str
    start: int
    end: int


def put_into_cell(place: Place, passage: Passage, question: str, language: str) -> Place:
    """Return a place in the cell that the standalone question names; elsewhere, the place as it is."""
    header, rows = _table_around(passage.text, place.start)
    own = next((row for row in rows if row[0].start <= place.start <= row[-1].end), None)
    if own is None or place.end > own[-1].end + 1:
        return place
    asked = frozenset(content_terms(question, language))

    def count(text: str) -> int:
        return len(asked.intersection(content_terms(text, language)))

    row = _best(rows, own, lambda one: count(" ".join(cell.text for cell in one)))
    column = next((n for n, cell in enumerate(own) if place.start <= cell.end), len(own) - 1)
    named = _best(range(min(len(header), len(row))), column, lambda n: count(header[n].text))
    is_found = row is own and named == column
    if is_found or named >= len(row) or not row[named].text:
        return place
    cell = row[named]
    return replace(place, start=cell.start, end=cell.end, covers=min(place.covers, _LIKELY))


def _best(ones: Sequence[_One], own: _One, count: Callable[[_One], int]) -> _One:
    """Return the only one that counts more than all others, if it counts more than the own one."""
    counts = [(count(one), number) for number, one in enumerate(ones)]
    most = max(counts, default=(0, 0))
    is_only = sum(score == most[0] for score, _ in counts) == 1
    return ones[most[1]] if is_only and most[0] > count(own) else own


def _table_around(text: str, place: int) -> tuple[list[_Cell], list[list[_Cell]]]:
    lines: list[tuple[int, str]] = []
    start = 0
    for line in text.splitlines(keepends=True):
        stripped = line.strip()
        if stripped.startswith("|"):
            lines.append((start + line.index("|"), stripped))
        elif start > place:
            break
        else:
            lines = []
        start += len(line)
    if len(lines) < 3 or len(lines) > _MOST_ROWS or not is_table_rule(lines[1][1]):
        return [], []
    cells = [_cells(line, offset) for offset, line in lines if not is_table_rule(line)]
    return cells[0], [row for row in cells[1:] if row]


def _cells(line: str, offset: int) -> list[_Cell]:
    found, end = [], 0
    for text in table_cells(line):
        start = line.index(text, end)
        end = start + len(text)
        found.append(_Cell(text, offset + start, offset + end))
    return found
