"""Reads values separated by commas, semicolons or tabs (CSV, TSV): one table under its column names."""

from __future__ import annotations

import csv
import io
from collections import Counter
from collections.abc import Iterator

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.tables import add_table
from rag.reasons import Reason

_DELIMITERS = ",;\t|"
_SAMPLE_CHARACTERS = 20_000
_SAMPLE_ROWS = 30


def load_delimited(text: str, limit: TextLimit) -> Content:
    """Read a delimited file; which character separates its values is seen from them.

    Args:
        text: The decoded file.
        limit: How much text it may yield.

    Raises:
        DocumentError: A quoted value never ends, or the text is too long.
    """
    delimiter = ""
    first, end, rest = text.partition("\n")
    if first[:4].lower() == "sep=" and len(first.rstrip("\r")) == 5:  # Excel's own way to say it
        delimiter, text = first[4], rest if end else ""
    outline = Outline()
    add_table(_rows(text, delimiter or _delimiter(text)), outline, limit)
    return Content("", outline.sections())


def _rows(text: str, delimiter: str) -> Iterator[list[str]]:
    # The text is at hand already, so a cell as long as all of it costs nothing more.
    csv.field_size_limit(max(len(text), 1))
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=False)
    try:
        yield from reader
    except csv.Error as error:
        raise DocumentError(Reason("csv-damaged", {"line": str(reader.line_num)})) from error


def _delimiter(text: str) -> str:
    """The character that cuts most rows of the beginning into the same number of values, above one."""
    sample = text[:_SAMPLE_CHARACTERS]

    def fitness(delimiter: str) -> tuple[int, int]:
        rows = csv.reader(io.StringIO(sample, newline=""), delimiter=delimiter)
        widths: Counter[int] = Counter()
        try:
            for _, row in zip(range(_SAMPLE_ROWS), rows, strict=False):
                if any(row):
                    widths[len(row)] += 1
        except csv.Error:
            pass
        agreeing = {width: count for width, count in widths.items() if width > 1}
        width = max(agreeing, key=lambda width: (agreeing[width], width), default=0)
        return agreeing.get(width, 0), width

    return max(_DELIMITERS, key=fitness)
