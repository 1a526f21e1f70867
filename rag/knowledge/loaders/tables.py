"""Writes the rows of a sheet or a delimited file so that a passage says what its values are.

A blank row or column ends a table. The first row of words is its head: it becomes the head of a Markdown
table, which the splitter repeats where the table goes on. A head too long to be repeated is written beside
each value.
"""

from __future__ import annotations

import csv
import io
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

import regex

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, Outline, TextLimit, table_row, table_rule
from rag.language.visible import one_line
from rag.reasons import Reason

_REPEATED_CHARACTERS = 240  # of a head that the splitter can repeat; a longer one would fill the passage
_VALUE = regex.compile(r"[\p{Sc}\s+(-]*+\d[\d\s.,:/%TZ)-]*+[\p{Sc}%]?", regex.IGNORECASE)
_DELIMITERS = ",;\t|"
_SAMPLE_CHARACTERS = 20_000
_SAMPLE_ROWS = 30


def load_delimited(text: str, limit: TextLimit) -> Content:
    """Read values separated by commas, semicolons or tabs (CSV, TSV); which of them is seen from the rows."""
    delimiter = ""
    first, end, rest = text.partition("\n")
    if first[:4].lower() == "sep=" and len(first.rstrip("\r")) == 5:  # Excel's own way to say it
        delimiter, text = first[4], rest if end else ""
    # The text is at hand already, so a cell as long as all of it costs nothing more.
    csv.field_size_limit(max(len(text), csv.field_size_limit()))
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter or _delimiter(text))
    outline = Outline()
    try:
        add_table(rows, outline, limit)
    except csv.Error as error:
        raise DocumentError(Reason("csv-damaged", {"line": str(rows.line_num)})) from error
    return Content("", outline.sections())


def _delimiter(text: str) -> str:
    """The character that cuts most rows of the beginning into the same number of values, above one."""

    def fitness(delimiter: str) -> tuple[int, int]:
        rows = csv.reader(io.StringIO(text[:_SAMPLE_CHARACTERS], newline=""), delimiter=delimiter)
        try:
            widths = Counter(len(row) for row in itertools.islice(rows, _SAMPLE_ROWS) if len(row) > 1)
        except csv.Error:
            return 0, 0
        return max(((count, width) for width, count in widths.items()), default=(0, 0))

    return max(_DELIMITERS, key=fitness)


def add_table(
    rows: Iterable[Sequence[str]], outline: Outline, limit: TextLimit, *, is_named: bool = False
) -> None:
    """Add the rows to the section that is open.

    Args:
        rows: Cells as they are shown, empty ones included.
        outline: Where the lines go.
        limit: Counts what is written.
        is_named: The rows are one table, and the first one names its columns.
    """
    for block in _blocks(rows, is_whole=is_named):
        lines = list(_lines(block, is_named=is_named))
        outline.blank()
        for line in lines:
            limit.count(line)
            if line:
                outline.line(line)
            else:
                outline.blank()
        outline.blank()


def _blocks(rows: Iterable[Sequence[str]], *, is_whole: bool = False) -> Iterator[list[list[str]]]:
    """Yield the tables between blank rows and blank columns, each row as wide as its table."""
    block: list[list[str]] = []
    for row in itertools.chain(rows, [[""]]):
        cells = [one_line(cell) for cell in row]
        if any(cells):
            block.append(cells)
        elif block:
            width = max(map(len, block))
            even = [[*row, *[""] * (width - len(row))] for row in block]
            yield from [even] if is_whole else _side_by_side(even)
            block = []


def _side_by_side(block: list[list[str]]) -> Iterator[list[list[str]]]:
    """Yield the tables of a block: a blank column ends one, unless values follow, which lack their names."""
    tables: list[list[tuple[str, ...]]] = []
    before: tuple[str, ...] = ()
    for column in zip(*block, strict=True):
        if any(column) and (any(before) or (tables and _is_of_values(column))):
            tables[-1].append(column)
        elif any(column):
            tables.append([column])
        before = column
    for table in tables:
        part = [list(row) for row in zip(*table, strict=True)]
        yield from [part] if len(tables) == 1 else _blocks(part)


def _is_of_values(column: Sequence[str]) -> bool:
    filled = [cell for cell in column[1:] if cell]
    return bool(filled) and 2 * sum(_VALUE.fullmatch(cell) is not None for cell in filled) > len(filled)


def _lines(block: list[list[str]], *, is_named: bool) -> Iterator[str]:
    while block and sum(map(bool, block[0])) == 1 and not (is_named and len(block[0]) > 1):
        yield "".join(block.pop(0))  # a title, a remark, or a list of one column
    if len(block) > 2 and _is_group(block[0]) and _is_words(block[1]):
        # Two rows name the columns: "2025" stands above "Q1" and "Q2".
        block[:2] = [[" ".join(filter(None, dict.fromkeys(pair))) for pair in zip(*block[:2], strict=True)]]
    head = block[0] if block and (is_named or (len(block) > 1 and _is_head(block[0]))) else None
    if head is None:
        yield from map(table_row, block)
    elif sum(map(len, head)) > _REPEATED_CHARACTERS:
        for row in block[1:]:
            named = (
                f"{name}: {cell}" if name else cell for name, cell in zip(head, row, strict=True) if cell
            )
            yield f"- {'; '.join(named)}"
    else:
        yield from ("", table_row(head), table_rule(len(head)), *map(table_row, block[1:]))


def _is_head(row: Sequence[str]) -> bool:
    """Whether a row names columns: words, no two alike, and not a single value."""
    named = [cell for cell in row if cell]
    return len(set(named)) == len(named) and _is_words(row)


def _is_words(row: Sequence[str]) -> bool:
    return not any(_VALUE.fullmatch(cell) for cell in row if cell)


def _is_group(row: Sequence[str]) -> bool:
    return any(cell and cell == next_cell for cell, next_cell in itertools.pairwise(row))
