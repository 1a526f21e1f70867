"""Reads spreadsheets (XLSX): a section a sheet, values as they are shown, under the names of their columns.

A formula is the value that was computed last. What a reader of the spreadsheet does not see is left out and
counted: hidden sheets, rows and columns, and numbers whose format shows nothing. A value that is merged over
several rows stands in each of them.

The sheets are read from the XML itself, piece by piece: the library that does it holds every cell in memory,
does not show numbers as their cells do, and cannot tell an empty cell from a formula that was never computed.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field

import regex
from lxml import etree

from rag.knowledge.loaders.content import GAP, Content, Outline, TextLimit, close_gaps
from rag.knowledge.loaders.number_formats import BUILT_IN, GENERAL, shown_number
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name, opened
from rag.knowledge.loaders.tables import add_table
from rag.knowledge.loaders.unseen import PALE, TINY
from rag.language.visible import one_line
from rag.reasons import Reason

_REFERENCE = regex.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_EMPTY = regex.compile(r"(?:(?:\"\s*+\"|\\\s|[_*].|\[[^\]]*+\]|\s)*+(?:;|$)){4}")
"""A format that shows nothing: of numbers above, below and at zero, and of texts."""
_NO_SIZE = regex.compile(r"0*(?:\.0\d*)?")
_COLUMNS = 16_384
_MERGED_CELLS = 100_000  # cells that merging fills, so that one merge does not fill a sheet of a million rows


@dataclass(slots=True)
class _Sheet:
    """The visible cells of a sheet, by row and column from 1; formulas without a value, what is unseen.

    A row or a column is no blank one if something in it is struck out.
    """

    rows: dict[int, dict[int, str]] = field(default_factory=dict)
    hidden_rows: set[int] = field(default_factory=set)
    hidden_columns: set[int] = field(default_factory=set)
    struck_columns: set[int] = field(default_factory=set)
    uncomputed: int = 0
    unseen: set[str] = field(default_factory=set)


def load_xlsx(content: bytes, limit: TextLimit) -> Content:
    """Read a spreadsheet."""
    outline, notes, hidden = Outline(), list[Reason](), 0
    with opened(content, limit, "Excel") as package:
        workbook = package.main_part()
        book = _Book(package, workbook, TextLimit(limit.characters))
        relations = package.relations(workbook)
        for element in package.root(workbook).iter("{*}sheet"):
            target = relations.get(attribute(element, "id"))
            is_seen = element.get("state", "visible") == "visible"
            if not target or target.kind != "worksheet" or not is_seen:
                hidden += not is_seen
                continue
            name = one_line(element.get("name", ""))
            sheet = _read(package, target.part, book)
            outline.heading(1, name)
            add_table(_in_order(sheet), outline, limit)
            hidden += len(sheet.unseen)
            if sheet.uncomputed:
                notes.append(Reason("formulas-uncomputed", {"sheet": name, "count": sheet.uncomputed}))
    notes += [Reason("html-hidden", {"count": hidden})] if hidden else []
    return Content("", outline.sections(), tuple(notes))


class _Book:
    def __init__(self, package: Package, workbook: str, limit: TextLimit) -> None:
        self._strings: list[tuple[str, str]] = []  # each also as it is in a cell that strikes out
        self._formats: list[str] = []
        self._unseen: set[int] = set()
        self._struck: set[int] = set()
        root = package.root(workbook)
        self._is_1904 = any(is_on(attribute(one, "date1904")) for one in root.iter("{*}workbookPr"))
        for relation in package.relations(workbook).values():
            if relation.kind == "sharedStrings":
                for item in package.elements(relation.part, "si"):
                    self._strings.append((_text(item), _text(item, is_struck=True)))
                    limit.count(self._strings[-1][0])
        for styles in package.related(workbook, "styles"):
            # A second list, of conditional formats, uses the same numbers.
            own = {one.get("numFmtId"): one.get("formatCode", "") for one in styles.iterfind("{*}numFmts/*")}
            codes = {str(number): code for number, code in BUILT_IN.items()} | own
            used = (style.get("numFmtId", "0") for style in styles.iterfind("{*}cellXfs/*"))
            self._formats = [codes.get(number) or GENERAL for number in used]
            fonts = list(styles.iterfind("{*}fonts/*"))
            tiny = {n for n, one in enumerate(fonts) if TINY.fullmatch(attribute(one.find("{*}sz"), "val"))}
            white = {n for n, font in enumerate(fonts) if _is_white(font.find("{*}color"))}
            struck = {number for number, font in enumerate(fonts) if _strikes(font)}
            cells = enumerate(styles.iterfind("{*}cellXfs/*"))
            self._struck = {number for number, style in cells if _whole(style.get("fontId", "")) in struck}
            # White is seen on a fill; the first two are none and a pattern for old programs.
            self._unseen = {
                number
                for number, style in enumerate(styles.iterfind("{*}cellXfs/*"))
                if _EMPTY.fullmatch(self._formats[number])
                or (font := _whole(style.get("fontId", ""))) in tiny
                or (font in white and style.get("fillId", "0") == "0")
            }

    def hides(self, style: str) -> bool:
        return _whole(style) in self._unseen

    def strikes(self, style: str) -> bool:
        return _whole(style) in self._struck

    def shown(self, kind: str, value: str, style: str) -> str:
        match kind:
            case "s":
                both = self._strings[_whole(value)] if _whole(value) < len(self._strings) else ("", "")
                return both[self.strikes(style)]
            case _ if self.strikes(style):
                return ""
            case "b":
                return "TRUE" if is_on(value) else "FALSE"
            case "n" | "":
                code = self._formats[_whole(style)] if _whole(style) < len(self._formats) else GENERAL
                return shown_number(value, code, is_1904=self._is_1904)
            case _:  # a text of a formula, an error such as "#N/A", a date in ISO form
                return value


def _is_white(color: etree._Element | None) -> bool:
    theme, place = attribute(color, "theme"), attribute(color, "indexed")  # places of a palette
    is_first = theme == "0" and not attribute(color, "tint")
    return is_first or place in {"1", "9"} or PALE.fullmatch(attribute(color, "rgb")) is not None


def _strikes(font: etree._Element) -> bool:
    mark = font.find("{*}strike")
    return mark is not None and is_on(mark.get("val", "1"))


def _text(element: etree._Element, *, is_struck: bool = False) -> str:
    """The text of a shared or inline string, without the reading aids of East Asian scripts.

    Words with a font of their own are struck out by that one, the others by that of their cell.
    """
    words = []
    for part in element.iter("{*}t"):
        around = part.getparent()
        if local_name(around) != "rPh":
            font = around.find("{*}rPr")
            is_gone = is_struck if font is None else _strikes(font)
            words.append(GAP if is_gone else part.text or "")
    return close_gaps("".join(words))


def _read(package: Package, part: str, book: _Book) -> _Sheet:
    sheet = _Sheet()
    merges: list[tuple[int, int, int, int]] = []
    number = 0
    for element in package.elements(part, "col", "row", "mergeCell"):
        size = element.get("ht") or element.get("width") or "1"
        is_hidden = is_on(element.get("hidden", "")) or _NO_SIZE.fullmatch(size)
        match local_name(element):
            case "col" if is_hidden:
                first, last = (_whole(element.get(name, "")) for name in ("min", "max"))
                sheet.hidden_columns.update(range(first, min(last, _COLUMNS) + 1))
            case "row":
                number = _whole(element.get("r", "")) or number + 1
                if is_hidden:
                    sheet.hidden_rows.add(number)
                    sheet.unseen.update([f"row {number}"] if element.find("{*}c/*") is not None else ())
                elif cells := _cells(element, number, book, sheet):
                    sheet.rows[number] = cells
            case "mergeCell":
                first, _, last = element.get("ref", "").partition(":")
                merges.append((*_place(first), *_place(last or first)))
    _fill(sheet, merges)
    return sheet


def _cells(row: etree._Element, number: int, book: _Book, sheet: _Sheet) -> dict[int, str]:
    cells: dict[int, str] = {}
    column = 0
    for cell in row.iterchildren("{*}c"):
        column = _place(cell.get("r", ""))[1] or column + 1
        is_hidden = column in sheet.hidden_columns
        if is_hidden or book.hides(cell.get("s", "0")):
            sheet.unseen.update([f"column {column}" if is_hidden else cell.get("r", "")] if len(cell) else ())
            continue
        parts = {local_name(part): part for part in cell}
        if "is" in parts:
            text = _text(parts["is"], is_struck=book.strikes(cell.get("s", "0")))
        elif "v" in parts and parts["v"].text:
            text = book.shown(cell.get("t", "n"), parts["v"].text, cell.get("s", "0"))
        else:
            text = ""
            sheet.uncomputed += "f" in parts
        if text.strip():
            cells[column] = text
        elif len(cell) and book.strikes(cell.get("s", "0")):
            sheet.hidden_rows.add(number)
            sheet.struck_columns.add(column)
    return cells


def _fill(sheet: _Sheet, merges: list[tuple[int, int, int, int]]) -> None:
    """Repeat what is merged over several rows in each of them, and a name above several columns in each."""
    filled = 0
    used = {column for cells in sheet.rows.values() for column in cells} - sheet.hidden_columns
    for top, left, bottom, right in merges:
        text = sheet.rows.get(top, {}).get(left, "")
        targets: list[tuple[int, int]] = []
        if text and bottom > top:
            # Rows without a cell are blank or hidden; a merge does not bring them back.
            last = min(bottom, top + _MERGED_CELLS)
            targets = [(row, left) for row in range(top + 1, last + 1) if row in sheet.rows]
        elif text and len(sheet.rows[top]) > 1:  # else a title over the whole table
            targets = [(top, column) for column in used if left < column <= right]
        filled += len(targets)
        if filled > _MERGED_CELLS:
            return
        for row, column in targets:
            sheet.rows[row].setdefault(column, text)


def _in_order(sheet: _Sheet) -> Iterator[list[str]]:
    """Yield the rows from left to right; a blank row or column ends a table."""
    used = {column for row in sheet.rows.values() for column in row}
    columns = _with_blanks(sorted(used), sheet.hidden_columns | sheet.struck_columns)
    for number in _with_blanks(sorted(sheet.rows), sheet.hidden_rows):
        cells = sheet.rows.get(number, {})
        yield [cells.get(column, "") for column in columns]


def _with_blanks(numbers: list[int], hidden: set[int]) -> list[int]:
    """The rows or columns that hold something, with a 0 where others that are seen lie between them."""
    found = numbers[:1]
    for before, number in itertools.pairwise(numbers):
        if any(one not in hidden for one in range(before + 1, number)):
            found.append(0)
        found.append(number)
    return found


def _whole(text: str) -> int:
    return int(text) if text.isdecimal() and len(text) < 10 else 0


def _place(reference: str) -> tuple[int, int]:
    """Row and column of a cell's name (``"B7"``), from 1; zeros for no name."""
    found = _REFERENCE.fullmatch(reference)
    column = 0
    for letter in found[1] if found else "":
        column = 26 * column + ord(letter) - 64
    return int(found[2]) if found else 0, column
