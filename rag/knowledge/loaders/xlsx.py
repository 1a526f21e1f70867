"""Reads spreadsheets (XLSX): a section a sheet, values as they are shown, under the names of their columns.

A formula is the value that was computed last. What a reader of the spreadsheet does not see is left out and
counted: hidden sheets, rows and columns, and numbers whose format shows nothing. A value that is merged over
several rows stands in each of them.

The sheets are read from the XML itself, piece by piece: the library that does it holds every cell in memory,
does not show numbers as their cells do, and cannot tell an empty cell from a formula that was never computed.
"""

from __future__ import annotations

import itertools
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache

import regex
from lxml import etree

from rag.knowledge.loaders.content import GAP, Content, Outline, TextLimit, close_gaps
from rag.knowledge.loaders.looks import Look
from rag.knowledge.loaders.number_formats import BUILT_IN, GENERAL, shown_number
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name, opened, theme_colors
from rag.knowledge.loaders.tables import add_table
from rag.knowledge.loaders.unseen import styled
from rag.language.visible import one_line
from rag.reasons import Reason

_REFERENCE = regex.compile(r"\$?([A-Z]{1,3})\$?(\d{1,7})")
_SECTION = regex.compile(r"((?:[^;\"\\]|\"[^\"]*+\"?|\\(?s:.)?)*+)(?:;|$)")
_EMPTY = regex.compile(r"(?:\"\s*+\"|\\\s|[_*].|\[[^\]]*+\]|\s)*+")
"""A section of a format that shows nothing: of numbers above, below and at zero, and of texts."""
_TINY = regex.compile(r"[01](?:\.\d*)?|2(?:\.0*)?")
_NO_SIZE = regex.compile(r"0*(?:\.0\d*)?")
_TEXTS = {"s", "str", "inlineStr"}
_PALETTE = {"0": "#000", "1": "#fff", "8": "#000", "9": "#fff"}
_THEME = dict(enumerate(("lt1", "dk1", "lt2", "dk2", *(f"accent{n}" for n in range(1, 7)))))
_STRUCK = ";text-decoration:line-through"
_COLOURED_BY = {"table", "pivotTable", "image"}  # other parts that colour the cells of a sheet
_COLUMNS = 16_384
_MERGED_CELLS = 1_000_000  # cells within merges, so that they do not fill a sheet of a million rows


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


_Words = tuple[tuple[str, str], ...]
"""The parts of a text, each with the font that it does not have from its cell, as CSS."""


@dataclass(frozen=True, slots=True)
class _Style:
    """How a cell looks: its font, its ground and its format."""

    font: str = ""
    ground: str = ""
    code: str = GENERAL

    @property
    def is_struck(self) -> bool:
        return _STRUCK in self.font


@lru_cache(1_000)
def _look(style: _Style, *, is_text: bool, is_plain: bool) -> Look:
    """How a cell looks; nothing else gives it colours on a plain sheet."""
    sections = _SECTION.findall(style.code)[:4]
    shown = sections[3:] if is_text else sections
    if len(sections) == 4 and all(map(_EMPTY.fullmatch, shown)):
        return Look(is_gone=True)
    is_sure = is_plain and "[" not in style.code  # by which a format gives colours
    return styled(f"{style.font};{style.ground if is_sure else 'background:?'}", Look())


class _Book:
    def __init__(self, package: Package, workbook: str, limit: TextLimit) -> None:
        self._strings: dict[int, _Words] = {}
        self._styles: dict[int, _Style] = {}
        self.is_plain = True  # on the sheet that is read, the styles of cells decide their colours
        self._theme, self._palette = theme_colors(package, workbook), _PALETTE
        root = package.root(workbook)
        self._is_1904 = any(is_on(attribute(one, "date1904")) for one in root.iter("{*}workbookPr"))
        for relation in package.relations(workbook).values():
            if relation.kind == "sharedStrings":
                for item in package.elements(relation.part, "si"):
                    self._strings[len(self._strings)] = words = self._words(item)
                    limit.count("".join(text for text, _ in words))
        for styles in package.related(workbook, "styles"):
            palette = enumerate(styles.iterfind("{*}colors/{*}indexedColors/*"))
            self._palette = {str(n): f"#{attribute(one, 'rgb')[-6:]}" for n, one in palette} or _PALETTE
            # A second list, of conditional formats, uses the same numbers.
            own = {one.get("numFmtId"): one.get("formatCode", "") for one in styles.iterfind("{*}numFmts/*")}
            codes = {str(number): code for number, code in BUILT_IN.items()} | own
            fonts = dict(enumerate(map(self._font, styles.iterfind("{*}fonts/*"))))
            grounds = dict(enumerate(map(self._ground, styles.iterfind("{*}fills/*"))))
            for style in styles.iterfind("{*}cellXfs/*"):
                font = fonts.get(_whole(style.get("fontId", "")), "")
                ground = grounds.get(_whole(style.get("fillId", "")), "")
                code = codes.get(style.get("numFmtId", "0")) or GENERAL
                self._styles[len(self._styles)] = _Style(font, ground, code)

    def _color(self, color: etree._Element | None) -> str:
        """A colour as CSS writes it; "?" if it is not known."""
        theme, place, tint, rgb = (attribute(color, one) for one in ("theme", "indexed", "tint", "rgb"))
        if tint.strip("-0."):
            return "?"
        if theme:
            return self._theme.get(_THEME.get(_whole(theme), ""), "?")
        return self._palette.get(place, f"#{rgb[-6:]}" if rgb else "?")

    def _ground(self, fill: etree._Element) -> str:
        pattern = fill.find("{*}patternFill")
        kind = "gradient" if pattern is None else attribute(pattern, "patternType")
        color = self._color(fill.find("{*}patternFill/{*}fgColor")) if kind == "solid" else "?"
        return "" if kind in {"", "none"} else f"background:{color}"

    def _font(self, font: etree._Element) -> str:
        mark = font.find("{*}strike")
        color, size = self._color(font.find("{*}color")), attribute(font.find("{*}sz"), "val")
        return f"color:{color};font-size:{size}pt" + _STRUCK * (
            mark is not None and is_on(mark.get("val", "1"))
        )

    def _words(self, text: etree._Element) -> _Words:
        """The parts of a shared or inline string, without the reading aids of East Asian scripts."""
        parts = [one for one in text.iter("{*}t") if local_name(one.getparent()) != "rPh"]
        fonts = [one.getparent().find("{*}rPr") for one in parts]
        return tuple(
            (one.text or "", "" if font is None else self._font(font))
            for one, font in zip(parts, fonts, strict=True)
        )

    def style(self, number: str) -> _Style:
        return self._styles.get(_whole(number), _Style())

    def shown(self, cell: etree._Element, parts: Mapping[str, etree._Element]) -> tuple[str, bool]:
        """What a cell shows, and whether it has words beside that nobody sees."""
        style, kind = self.style(cell.get("s", "0")), cell.get("t", "n")
        look = _look(style, is_text=kind in _TEXTS, is_plain=self.is_plain)
        value = (parts["v"].text or "") if "v" in parts else ""
        if "is" in parts or kind == "s":
            words = self._words(parts["is"]) if "is" in parts else self._strings.get(_whole(value), ())
            if len(words) > 1 or (words and words[0][1]):
                looks = (styled(font, look) if font and not look.is_gone else look for _, font in words)
                unseen = [one.is_unseen for one in looks]
                shown = (
                    GAP if is_unseen or _STRUCK in (font or style.font) else text
                    for (text, font), is_unseen in zip(words, unseen, strict=True)
                )
                return close_gaps("".join(shown)), any(unseen)
            kind, value = "s", words[0][0] if words else ""
        if look.is_unseen:
            return "", bool(parts)
        match kind:
            case _ if style.is_struck:
                return "", False
            case "b":
                return "TRUE" if is_on(value) else "FALSE", False
            case "n" | "":
                return shown_number(value, style.code, is_1904=self._is_1904) if value else "", False
            case _:  # a text of a formula, an error such as "#N/A", a date in ISO form
                return value, False


def _read(package: Package, part: str, book: _Book) -> _Sheet:
    sheet = _Sheet()
    book.is_plain = _COLOURED_BY.isdisjoint(one.kind for one in package.relations(part).values())
    book.is_plain &= b"conditionalFormatting" not in package.content(part)
    merges: list[tuple[int, int, int, int]] = []
    number = 0
    for element in package.elements(part, "col", "row", "mergeCell"):
        size = element.get("ht") or element.get("width") or "1"
        is_flat = _NO_SIZE.fullmatch(size) or _TINY.fullmatch(element.get("ht", ""))
        is_hidden = is_on(element.get("hidden", "")) or is_flat
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
        if column in sheet.hidden_columns:
            sheet.unseen.update([f"column {column}"] if len(cell) else ())
            continue
        parts = {local_name(part): part for part in cell}
        text, has_unseen = book.shown(cell, parts)
        sheet.unseen.update([cell.get("r", "")] if has_unseen else ())
        sheet.uncomputed += "f" in parts and not ("is" in parts or cell.findtext("{*}v"))
        if text.strip():
            cells[column] = text
        elif len(cell) and book.style(cell.get("s", "0")).is_struck:
            sheet.hidden_rows.add(number)
            sheet.struck_columns.add(column)
    return cells


def _fill(sheet: _Sheet, merges: list[tuple[int, int, int, int]]) -> None:
    """Repeat what is merged over several rows in each of them, and a name above several columns in each.

    What else was in the cells is not shown.
    """
    order, seen = sorted(sheet.rows), 0
    used = {column for cells in sheet.rows.values() for column in cells} - sheet.hidden_columns
    for top, left, bottom, right in merges:
        # Rows without a cell are blank or hidden; a merge does not bring them back.
        rows = order[bisect_left(order, top) : bisect_right(order, bottom)]
        columns = range(left, min(right, _COLUMNS) + 1)
        seen += len(rows) * len(columns)
        if seen > _MERGED_CELLS:
            return
        text = sheet.rows.get(top, {}).get(left, "")
        is_name = (
            bool(text) and bottom == top and len(sheet.rows[top]) > 1
        )  # else a title over the whole table
        for row, column in itertools.product(rows, columns):
            if (row, column) == (top, left):
                continue
            if sheet.rows[row].pop(column, ""):
                sheet.unseen.add(f"cell {row} {column}")
            if text and ((column == left and row > top) or (is_name and column in used)):
                sheet.rows[row][column] = text


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
