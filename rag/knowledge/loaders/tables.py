"""Writes the rows of a sheet or a delimited file so that a passage says what its values are.

A blank row ends a table. The first row of words is its head: it becomes the head of a Markdown table, which
the splitter repeats where the table goes on. A head too long to be repeated is written beside each value.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Sequence

import regex

from rag.knowledge.loaders.content import Outline, TextLimit, table_row, table_rule
from rag.language.visible import one_line, visible

_REPEATED_CHARACTERS = 240  # of a head that the splitter can repeat; a longer one would fill the passage
_VALUE = regex.compile(r"[\p{Sc}\s+(-]*+\d[\d\s.,:/%TZ)-]*+[\p{Sc}%]?", regex.IGNORECASE)


def add_table(rows: Iterable[Sequence[str]], outline: Outline, limit: TextLimit) -> None:
    """Add the rows to the section that is open.

    Args:
        rows: Cells as they are shown, empty ones included.
        outline: Where the lines go.
        limit: Counts what is written.
    """
    for block in _blocks(rows):
        _add_block(block, outline, limit)


def _blocks(rows: Iterable[Sequence[str]]) -> Iterator[list[list[str]]]:
    """Yield the rows between blank rows, each as wide as its widest row, without columns that are empty."""
    block: list[list[str]] = []
    for row in rows:
        cells = [one_line(visible(cell)) for cell in row]
        if any(cells):
            block.append(cells)
        elif block:
            yield _trimmed(block)
            block = []
    if block:
        yield _trimmed(block)


def _trimmed(block: list[list[str]]) -> list[list[str]]:
    width = max(len(row) for row in block)
    used = [column for column in range(width) if any(column < len(row) and row[column] for row in block)]
    return [[row[column] if column < len(row) else "" for column in used] for row in block]


def _add_block(block: list[list[str]], outline: Outline, limit: TextLimit) -> None:
    outline.blank()
    while block and (len(block[0]) == 1 or sum(map(bool, block[0])) == 1 < len(block[0])):
        # A title, a remark, or a list of one column.
        _add_line("".join(block.pop(0)), outline, limit)
    if block:
        if len(block) > 2 and _is_group(block[0]) and _is_words(block[1]):
            # Two rows name the columns: "2025" stands above "Q1" and "Q2".
            block[:2] = [[" ".join(filter(None, pair)) for pair in zip(*block[:2], strict=True)]]
        head = block[0] if len(block) > 1 and _is_head(block[0]) else None
        if head is None:
            for row in block:
                _add_line(table_row(row), outline, limit)
        elif sum(map(len, head)) > _REPEATED_CHARACTERS:
            for row in block[1:]:
                _add_line(_record(head, row), outline, limit)
        else:
            outline.blank()
            _add_line(table_row(head), outline, limit)
            outline.line(table_rule(len(head)))
            for row in block[1:]:
                _add_line(table_row(row), outline, limit)
    outline.blank()


def _is_head(row: Sequence[str]) -> bool:
    """Whether a row names columns: words, no two alike, and not a single value."""
    named = [cell for cell in row if cell]
    return len(set(named)) == len(named) and _is_words(row)


def _is_words(row: Sequence[str]) -> bool:
    return not any(_VALUE.fullmatch(cell) for cell in row if cell)


def _is_group(row: Sequence[str]) -> bool:
    """Whether a row names several columns at once."""
    return any(cell and cell == next_cell for cell, next_cell in itertools.pairwise(row))


def _record(head: Sequence[str], row: Sequence[str]) -> str:
    named = (f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=True) if cell)
    return f"- {'; '.join(named)}"


def _add_line(line: str, outline: Outline, limit: TextLimit) -> None:
    limit.count(line)
    outline.line(line)
