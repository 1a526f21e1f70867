"""Answer a question about all rows of a table by reading them: the highest, the lowest, how many, which ones.

No reader sees a long table as a whole, so code reads its rows. It answers only if each content word of the
question is accounted for: it names a column, a cell or the document, or says what is asked of the rows.
Sums are not answered: of eleven on public tables, code had three right.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache
from typing import Final, Literal

import regex

from rag.knowledge.loaders.content import is_table_rule, table_cells
from rag.language.negation import denies
from rag.language.numbers import find_numbers, plain_digits
from rag.language.qualifiers import qualifiers
from rag.language.tables import Rows
from rag.language.tables import language as table_of
from rag.language.words import content_terms
from rag.values import Passage

Operation = Literal["highest", "lowest", "count", "list"]

_SIZE: Final = regex.compile(r"([kmgtp])b", regex.IGNORECASE)
_CURRENCY: Final = regex.compile(r"\p{Sc}")
_YEARS: Final = (Decimal(1000), Decimal(2200))
_NARROWING: Final = frozenset(
    {"only", "except", "some", "at least", "at most", "before", "after", "more", "less", "without", "former"}
)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of a table: its cells, as wide as the header, and the line of the passage that it stands in."""

    cells: tuple[str, ...]
    line: str
    passage: Passage


@dataclass
class Table:
    """A table with all its rows, which may stand in several passages.

    Args:
        line: The header as it stands in the passages.
        is_whole: Every line of it could be read as a row.
    """

    header: tuple[str, ...]
    line: str
    rows: list[Row] = field(default_factory=list)
    is_whole: bool = True


@dataclass(frozen=True, slots=True)
class RowAnswer:
    """What the rows of a table answer.

    Args:
        value: The highest or lowest value as written, or the number of rows that are meant.
        names: What the rows are called, each once.
        compared: Number of rows that were compared, or of which some are meant.
    """

    operation: Operation
    value: str
    column: str
    names: tuple[str, ...]
    rows: tuple[Row, ...]
    table: Table
    compared: int


def answers_from_rows(question: str, language: str, passages: Sequence[Passage]) -> list[RowAnswer]:
    """Return what the rows of each table of a document answer; two tables that answer may differ.

    Args:
        question: The question, which can be understood without the conversation.
        passages: All passages of the document, in order.
    """
    operation = _operation_of(question, language)
    if operation is None:
        return []
    answers = (_Reading(question, language, operation, table).answer() for table in read_tables(passages))
    return [answer for answer in answers if answer is not None]


def asks_for_rows(question: str, language: str) -> bool:
    """Return whether a question asks for the highest or lowest value, how many, or which ones."""
    return _operation_of(question, language) is not None


def has_table(passage: Passage) -> bool:
    """Return whether rows of a table stand in a passage."""
    return bool(_table_lines(passage))


def read_tables(passages: Sequence[Passage]) -> list[Table]:
    """Return the Markdown tables of a document; one that goes on in the next passage is one table."""
    tables: list[Table] = []
    for passage in passages:
        lines = _table_lines(passage)
        at = 0
        while at < len(lines):
            is_head = at + 1 < len(lines) and is_table_rule(lines[at + 1])
            if is_head and not (tables and tables[-1].line == lines[at] and _goes_on(tables[-1], passage)):
                tables.append(Table(table_cells(lines[at]), lines[at]))
            elif tables and not is_head:
                _add_row(tables[-1], lines[at], passage)
            at += 2 if is_head else 1
    return tables


def _table_lines(passage: Passage) -> list[str]:
    return [line for line in passage.text.split("\n") if line.lstrip().startswith("|")]


def _goes_on(table: Table, passage: Passage) -> bool:
    return bool(table.rows) and table.rows[-1].passage.section == passage.section


def _add_row(table: Table, line: str, passage: Passage) -> None:
    cells = table_cells(line)
    if len(cells) > len(table.header) or not line.strip().endswith("|"):
        table.is_whole = False
        return
    table.rows.append(Row((*cells, *[""] * (len(table.header) - len(cells))), line, passage))


@cache
def _patterns(language: str) -> dict[str, regex.Pattern[str]]:
    """Return the patterns of a language, those of English for one without any; no other language's words."""
    rows = table_of(language).rows
    rows = rows if rows.most else table_of("en").rows
    return {
        name: regex.compile(str(getattr(rows, name)) or r"(?!)", regex.IGNORECASE)
        for name in Rows.model_fields
    }


def _operation_of(question: str, language: str) -> Operation | None:
    patterns = _patterns(language)
    is_least = bool(patterns["least"].search(question) or patterns["cheapest"].search(question))
    is_most = bool(patterns["most"].search(question) or patterns["dearest"].search(question))
    if denies(question) or _NARROWING.intersection(qualifiers(question)) or (is_least and is_most):
        return None
    if is_least or is_most:
        return "lowest" if is_least else "highest"
    if patterns["count"].search(question):
        return "count"
    return "list" if patterns["list"].search(question) else None


class _Reading:
    """One question, read against one table."""

    def __init__(self, question: str, language: str, operation: Operation, table: Table) -> None:
        self._language = language
        self._operation = operation
        self._table = table
        patterns = _patterns(language)
        self._is_about_price = any(
            patterns[name].search(question) for name in ("price", "cheapest", "dearest")
        )
        for name in ("most", "least", "cheapest", "dearest", "price", "count", "list", "asking"):
            question = patterns[name].sub(" ", question)
        self._asked = frozenset(content_terms(question, language))
        self._rows = [row for row in table.rows if not patterns["total"].match(row.cells[0].strip("*_` "))]
        self._columns = [self._terms(name) & self._asked for name in table.header]

    def answer(self) -> RowAnswer | None:
        filters = self._find_filters() if self._rows and self._table.is_whole else None
        if filters is None or not self._is_accounted_for(filters):
            return None
        rows = [row for row in self._rows if all(row.cells[at] == cell for at, cell in filters.items())]
        numbers = [self._numbers(column, rows) for column in range(len(self._table.header))]
        named = [column for column, terms in enumerate(self._columns) if terms and column not in filters]
        measured = [column for column in named if numbers[column]] or self._find_prices(numbers)
        labels = [column for column in named if not numbers[column]]
        if not rows or len(measured) > 1 or len(labels) > 1 or any(_is_mixed(rows, one) for one in labels):
            return None
        if self._operation in {"highest", "lowest"}:
            unnamed = [column for column in range(len(numbers)) if not _is_number(rows[0].cells[column])]
            label = (labels or unnamed or [0])[0]
            return self._find_extreme(rows, label, measured[0], numbers[measured[0]]) if measured else None
        return self._find_rows(rows, labels[0], filters) if labels and not measured else None

    def _find_rows(self, rows: Sequence[Row], label: int, filters: dict[int, str]) -> RowAnswer | None:
        names = {row.cells[label] for row in rows}
        is_clear = 1 < len(names) == len(rows) and "" not in names
        if not is_clear or (self._operation == "list" and not filters):
            return None
        return self._make(str(len(rows)), label, label, rows, len(self._rows))

    def _find_filters(self) -> dict[int, str] | None:
        """Return the cell that the question names by column; None if it is not clear which one is meant."""
        filters: dict[int, str] = {}
        for column in range(len(self._table.header)):
            cells = {row.cells[column]: self._terms(row.cells[column]) for row in self._rows}
            named = {cell: terms for cell, terms in cells.items() if terms and terms <= self._asked}
            if not self._columns[column]:  # a bare number names a cell only beside the name of its column
                named = {cell: terms for cell, terms in named.items() if not cell.isnumeric()}
            named = {cell: terms for cell, terms in named.items() if terms != self._columns[column]}
            longest = [
                cell for cell, terms in named.items() if all(terms >= other for other in named.values())
            ]
            if len(longest) != min(len(named), 1):
                return None
            if longest:
                filters[column] = longest[0]
                chosen = cells[longest[0]]
                if any(chosen <= terms for cell, terms in cells.items() if cell != longest[0]):
                    return None  # "open" and "open (late)" may both be meant
        used = [
            term for column, cell in filters.items() for term in self._terms(cell) - self._columns[column]
        ]
        return filters if len(used) == len(set(used)) else None

    def _is_accounted_for(self, filters: dict[int, str]) -> bool:
        passage = self._rows[0].passage
        named = self._terms(f"{passage.document}\n{passage.section}")
        known = frozenset(term for term in named if not term.isnumeric()).union(*self._columns)
        return known.union(*(self._terms(cell) for cell in filters.values())) >= self._asked

    def _find_prices(self, numbers: Sequence[Sequence[Decimal]]) -> list[int]:
        if not self._is_about_price:
            return []
        signs = [f"{name}{self._rows[0].cells[column]}" for column, name in enumerate(self._table.header)]
        price = _patterns(self._language)["price"]
        return [
            column
            for column, name in enumerate(self._table.header)
            if numbers[column] and (price.search(name) or _CURRENCY.search(signs[column]))
        ]

    def _find_extreme(
        self, rows: Sequence[Row], label: int, column: int, values: Sequence[Decimal]
    ) -> RowAnswer | None:
        asked = self._columns[column]
        if asked and 2 * len(asked) < len(self._terms(self._table.header[column])):
            return None  # "draft" is not the column "Draft order round"
        if len({row.cells[label] for row in rows}) < len(rows) or label == column or _is_mixed(rows, label):
            return None  # several rows are about one thing, or one row sums others up
        best = max(values) if self._operation == "highest" else min(values)
        are_ranks = sorted(values) == [Decimal(n) for n in range(1, len(values) + 1)]
        if len(values) < 2 or are_ranks or (len(values) > 2 and 2 * max(values) == sum(values)):
            return None  # the highest rank is a low number, and the largest may be the sum of the others
        chosen = [row for row, value in zip(rows, values, strict=True) if value == best]
        if _are_years(values) or any(not all(row.cells) or _is_merged(row, label) for row in chosen):
            return None  # such a row may sum up or remark
        return self._make(chosen[0].cells[column], column, label, chosen, len(rows))

    def _make(self, value: str, column: int, label: int, rows: Sequence[Row], compared: int) -> RowAnswer:
        names = tuple(dict.fromkeys(row.cells[label] for row in rows))
        header = self._table.header[column]
        return RowAnswer(self._operation, value, header, names, tuple(rows), self._table, compared)

    def _numbers(self, column: int, rows: Sequence[Row]) -> list[Decimal]:
        """Return the values of a column, if all its cells are numbers in the same unit; else none."""
        read = [_read_number(row.cells[column], self._language) for row in rows]
        known = [one for one in read if one is not None]
        return (
            [value for value, _ in known]
            if len({unit for _, unit in known}) == 1 and len(known) == len(read)
            else []
        )

    def _terms(self, text: str) -> frozenset[str]:
        return frozenset(content_terms(text, self._language))


def _is_number(cell: str) -> bool:
    return cell[:1].isnumeric()


def _is_mixed(rows: Sequence[Row], column: int) -> bool:
    return len({_is_number(row.cells[column]) for row in rows}) > 1


def _is_merged(row: Row, label: int) -> bool:
    return row.cells.count(row.cells[label]) > 1


def _are_years(values: Sequence[Decimal]) -> bool:
    return all(_YEARS[0] <= value <= _YEARS[1] and value % 1 == 0 for value in values)


def _read_number(cell: str, language: str) -> tuple[Decimal, str] | None:
    text = plain_digits(cell.replace("−", "-"))
    found = find_numbers(text, language)
    if len(found) != 1 or "|" in found[0].normal:
        return None
    number = regex.match(r"(-?\d+(?:\.\d+)?)(.*)", found[0].normal)
    if number is None:
        return None
    unit = " ".join((number.group(2), text[: found[0].start], text[found[0].end :])).casefold().strip()
    value = Decimal(number.group(1))
    if size := _SIZE.fullmatch(unit):
        return value * Decimal(1000) ** ("kmgtp".index(size.group(1).lower()) + 1), "b"
    return value, unit
