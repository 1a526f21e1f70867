"""Reads spreadsheets (XLSX): a section a sheet, values as they are shown, under the names of their columns.

A formula is the value that was computed last. What a reader of the spreadsheet does not see is left out:
hidden sheets, rows and columns, and numbers whose format shows nothing. A value that is merged over several
rows stands in each of them.

The sheets are read from the XML itself, piece by piece: the library that does it holds every cell in memory,
does not show numbers as their cells do, and cannot tell an empty cell from a formula that was never computed.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import regex
from lxml import etree

from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.number_formats import BUILT_IN, GENERAL, shown_number
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name
from rag.knowledge.loaders.tables import add_table
from rag.language.visible import one_line
from rag.reasons import Reason

_REFERENCE = regex.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_COLUMNS = 16_384
_MERGED_CELLS = 100_000  # cells that merging fills, so that one merge does not fill a sheet of a million rows


@dataclass(slots=True)
class _Book:
    """The styles and texts that the sheets of a file share.

    Args:
        strings: Texts that cells name by their position.
        formats: Number formats that cells name by their position.
        is_1904: Days count from 1904.
    """

    strings: list[str] = field(default_factory=list)
    formats: list[str] = field(default_factory=list)
    is_1904: bool = False

    def shown(self, kind: str, value: str, style: str) -> str:
        """The value of a cell as its reader sees it."""
        match kind:
            case "s":
                position = int(value) if value.isdecimal() and len(value) < 10 else -1
                return self.strings[position] if 0 <= position < len(self.strings) else ""
            case "b":
                return "TRUE" if is_on(value) else "FALSE"
            case "n" | "":
                position = int(style) if style.isdecimal() and len(style) < 10 else 0
                code = self.formats[position] if position < len(self.formats) else GENERAL
                return shown_number(value, code, is_1904=self.is_1904)
            case _:  # a text of a formula, an error such as "#N/A", a date in ISO form
                return value


@dataclass(slots=True)
class _Sheet:
    """The visible cells of a sheet, by row and column from 1.

    Args:
        rows: Values by column, for the rows that have any.
        hidden: Rows that are hidden.
        uncomputed: Formulas without a value.
    """

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    hidden: set[int] = field(default_factory=set)
    uncomputed: int = 0


def load_xlsx(content: bytes, limit: TextLimit, max_unpacked_bytes: int) -> Content:
    """Read a spreadsheet.

    Raises:
        DocumentError: It is damaged, encrypted, unpacks to too much, or declares XML entities.
    """
    outline = Outline()
    notes: list[Reason] = []
    with Package(content, max_unpacked_bytes, "Excel") as package:
        workbook = package.main_part()
        relations = package.relations(workbook)
        book = _Book()
        for relation in relations.values():
            if relation.kind == "sharedStrings" and package.holds(relation.part):
                book.strings = _strings(package, relation.part, TextLimit(limit.characters))
            elif relation.kind == "styles" and package.holds(relation.part):
                book.formats = _formats(package.root(relation.part))
        root = package.root(workbook)
        book.is_1904 = any(
            is_on(attribute(element, "date1904")) for element in root if local_name(element) == "workbookPr"
        )
        for element in root.iter("{*}sheet"):
            target = relations.get(attribute(element, "id"))
            name = one_line(element.get("name", ""))
            is_seen = element.get("state", "visible") == "visible"
            if target is None or target.kind != "worksheet" or not is_seen or not package.holds(target.part):
                continue
            sheet = _read(package, target.part, book)
            outline.heading(1, name)
            add_table(_in_order(sheet), outline, limit)
            if sheet.uncomputed:
                notes.append(Reason("formulas-uncomputed", {"sheet": name, "count": sheet.uncomputed}))
    return Content("", outline.sections(), tuple(notes))


def _strings(package: Package, part: str, limit: TextLimit) -> list[str]:
    strings: list[str] = []
    for item in package.elements(part, "si"):
        text = _text(item)
        limit.count(text)
        strings.append(text)
    return strings


def _text(element: etree._Element) -> str:
    """The text of a shared or inline string, without the reading aids of East Asian scripts."""
    return "".join(
        text.text or ""
        for text in element.iter("{*}t")
        if (parent := text.getparent()) is None or local_name(parent) != "rPh"
    )


def _formats(root: etree._Element) -> list[str]:
    codes = dict(BUILT_IN)
    for element in root.iter("{*}numFmt"):
        number = element.get("numFmtId", "")
        parent = element.getparent()
        # A second list, of conditional formats, uses the same numbers.
        if number.isdecimal() and parent is not None and local_name(parent) == "numFmts":
            codes[int(number)] = element.get("formatCode", GENERAL)
    formats: list[str] = []
    for element in root:
        if local_name(element) == "cellXfs":
            for style in element:
                number = style.get("numFmtId", "0")
                formats.append(codes.get(int(number), GENERAL) if number.isdecimal() else GENERAL)
    return formats


def _read(package: Package, part: str, book: _Book) -> _Sheet:
    sheet = _Sheet()
    hidden: set[int] = set()
    merges: list[tuple[int, int, int, int]] = []
    number = 0
    for element in package.elements(part, "col", "row", "mergeCell"):
        match local_name(element):
            case "col":
                if is_on(element.get("hidden", "")):
                    first, last = (_whole(element.get(name, "")) for name in ("min", "max"))
                    hidden.update(range(first, min(last, _COLUMNS) + 1))
            case "row":
                number = _whole(element.get("r", "")) or number + 1
                if is_on(element.get("hidden", "")):
                    sheet.hidden.add(number)
                elif cells := _cells(element, book, sheet, hidden):
                    sheet.rows[number] = cells
            case _:
                merges.append(_range(element.get("ref", "")))
    _fill(sheet, merges, hidden)
    return sheet


def _cells(row: etree._Element, book: _Book, sheet: _Sheet, hidden: set[int]) -> dict[int, str]:
    cells: dict[int, str] = {}
    column = 0
    for cell in row:
        if local_name(cell) != "c":
            continue
        column = _place(cell.get("r", ""))[1] or column + 1
        if column in hidden:
            continue
        parts = {local_name(part): part for part in cell}
        if "is" in parts:
            text = _text(parts["is"])
        elif "v" in parts and parts["v"].text:
            text = book.shown(cell.get("t", "n"), parts["v"].text, cell.get("s", "0"))
        else:
            sheet.uncomputed += "f" in parts
            continue
        if text.strip():
            cells[column] = text
    return cells


def _fill(sheet: _Sheet, merges: list[tuple[int, int, int, int]], hidden: set[int]) -> None:
    """Repeat what is merged over several rows in each of them, and a name above several columns in each."""
    filled = 0
    used = {column for cells in sheet.rows.values() for column in cells} - hidden
    for top, left, bottom, right in merges:
        text = sheet.rows.get(top, {}).get(left, "")
        if not text:
            continue
        if bottom > top:
            # Rows without a cell are blank or hidden; a merge does not bring them back.
            last = min(bottom, top + _MERGED_CELLS)
            targets = [(row, left) for row in range(top + 1, last + 1) if row in sheet.rows]
        elif len(sheet.rows[top]) > 1:
            targets = [(top, column) for column in used if left < column <= right]
        else:
            continue  # a title over the whole table
        filled += len(targets)
        if filled > _MERGED_CELLS:
            return
        for row, column in targets:
            sheet.rows[row].setdefault(column, text)


def _in_order(sheet: _Sheet) -> Iterator[list[str]]:
    """Yield the rows from left to right, and a blank one where a row is blank, which ends a table."""
    columns = sorted({column for cells in sheet.rows.values() for column in cells})
    before = 0
    for number in sorted(sheet.rows):
        if before and any(row not in sheet.hidden for row in range(before + 1, number)):
            yield [""]
        yield [sheet.rows[number].get(column, "") for column in columns]
        before = number


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _place(reference: str) -> tuple[int, int]:
    """Row and column of a cell's name (``"B7"``), from 1; zeros for no name."""
    found = _REFERENCE.fullmatch(reference)
    if not found:
        return 0, 0
    column = 0
    for letter in found[1]:
        column = 26 * column + ord(letter) - 64
    return int(found[2]), column


def _range(reference: str) -> tuple[int, int, int, int]:
    first, _, last = reference.partition(":")
    return *_place(first), *_place(last or first)
