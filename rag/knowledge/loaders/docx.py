"""Reads Word files (DOCX), after a look at what the package claims to hold.

The text is taken from the XML itself: the library's paragraphs leave out what stands in content
controls and in insertions that wait for approval.
"""

from __future__ import annotations

import io
import zipfile
import zlib
from collections.abc import Iterator

import docx
import docx.document
import regex
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from lxml import etree

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, Outline, TextLimit, table_row, table_rule
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_DAMAGED = Reason("word-damaged")
_OLD_OR_ENCRYPTED = Reason("word-encrypted")
_DECLARES_ENTITIES = Reason("word-entities")

# What `zipfile` raises on damaged, encrypted and unknown content.
_BROKEN_PACKAGE = (zipfile.BadZipFile, zlib.error, EOFError, OSError, ValueError, RuntimeError)
_COMPOUND_FILE = b"\xd0\xcf\x11\xe0"
_PARTS = 10_000
_PROLOGUE_BYTES = 100_000
_HEADING = regex.compile(r"heading (?P<level>[1-9])", regex.IGNORECASE)

_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_TEXT, _RUN = qn("w:t"), qn("w:r")
_BREAKS = {qn("w:tab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
# Deleted and moved text, settings, and the second copy of a drawing for old readers.
_SKIPPED = {
    qn("w:del"), qn("w:moveFrom"), qn("w:pPr"), qn("w:rPr"), qn("w:sectPr"),
    "{http://schemas.openxmlformats.org/markup-compatibility/2006}Fallback",
}  # fmt: skip


def load_docx(content: bytes, limit: TextLimit, max_unpacked_bytes: int) -> Content:
    """Read a Word file.

    Raises:
        DocumentError: It is damaged, encrypted, unpacks to too much, or declares XML entities.
    """
    _check_package(content, max_unpacked_bytes)
    try:
        document = docx.Document(io.BytesIO(content))
        body = document.element.body
    except (OpcError, etree.XMLSyntaxError, LookupError, AttributeError, *_BROKEN_PACKAGE) as error:
        raise DocumentError(_DAMAGED) from error
    levels = _heading_levels(document)
    outline, title = Outline(), ""
    for block in _blocks(body):
        if block.tag == _TABLE:
            _add_table(block, outline, limit)
            continue
        style = block.find(f"{qn('w:pPr')}/{qn('w:pStyle')}")
        name = style.get(qn("w:val"), "") if style is not None else ""
        text = visible(_text(block)).strip()
        limit.count(text)
        if text and name in levels:
            title = title or (one_line(text) if levels[name] == 1 else "")
            outline.heading(levels[name], text)
        else:
            is_item = block.find(f"{qn('w:pPr')}/{qn('w:numPr')}") is not None or name.startswith("List")
            if text:
                outline.line(f"- {text}" if is_item else text)
            if not is_item:
                outline.blank()
    return Content(title, outline.sections())


def _check_package(content: bytes, max_unpacked_bytes: int) -> None:
    """Refuse what is no Word package or is made to do harm, before a parser sees it."""
    if content.startswith(_COMPOUND_FILE):
        raise DocumentError(_OLD_OR_ENCRYPTED)
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            parts = package.infolist()
            unpacked = sum(part.file_size for part in parts)
            if len(parts) > _PARTS or unpacked > max_unpacked_bytes:
                raise DocumentError(
                    Reason("word-too-large", {"megabytes": unpacked // 1_000_000, "rows": len(parts)})
                )
            for part in parts:
                if part.filename.endswith((".xml", ".rels")):
                    with package.open(part) as file:
                        # A declaration stands before the first element; UTF-16 has zeros between its letters.
                        prologue = file.read(_PROLOGUE_BYTES).replace(b"\0", b"").upper()
                    if b"<!DOCTYPE" in prologue or b"<!ENTITY" in prologue:
                        raise DocumentError(_DECLARES_ENTITIES)
    except _BROKEN_PACKAGE as error:
        raise DocumentError(_DAMAGED) from error


def _heading_levels(document: docx.document.Document) -> dict[str, int]:
    """Level of each style that is a heading, or is based on one, by the style's id."""
    levels: dict[str, int] = {}
    for style in document.styles:
        ancestor, steps = style, 0
        while ancestor is not None and steps < 20:  # a style may be made its own ancestor
            name = ancestor.name or ""
            heading = _HEADING.fullmatch(name)
            if heading or name.lower() == "title":
                levels[style.style_id] = int(heading["level"]) if heading else 1
                break
            ancestor, steps = getattr(ancestor, "base_style", None), steps + 1
    return levels


def _blocks(parent: etree._Element) -> Iterator[etree._Element]:
    """Yield paragraphs and tables in reading order, those in content controls and insertions included."""
    pending = [parent]
    while pending:
        element = pending.pop()
        if element.tag in {_PARAGRAPH, _TABLE}:
            yield element
        elif element.tag not in _SKIPPED:
            pending.extend(reversed(element))


def _text(paragraph: etree._Element) -> str:
    """The text of a paragraph, without deletions and hidden runs."""
    parts: list[str] = []
    pending = [paragraph]
    while pending:
        element = pending.pop()
        if element.tag == _TEXT:
            parts.append(element.text or "")
        elif element.tag in _BREAKS:
            parts.append(_BREAKS[element.tag])
        elif element.tag not in _SKIPPED and not _is_hidden(element):
            if element.tag == _PARAGRAPH and element is not paragraph:
                parts.append("\n")  # a text box
            pending.extend(reversed(element))
    return "".join(parts)


def _is_hidden(element: etree._Element) -> bool:
    if element.tag != _RUN:
        return False
    vanish = element.find(f"{qn('w:rPr')}/{qn('w:vanish')}")
    return vanish is not None and vanish.get(qn("w:val"), "true") not in {"0", "false", "off"}


def _add_table(table: etree._Element, outline: Outline, limit: TextLimit) -> None:
    outline.blank()
    for number, row in enumerate(_below(table, _ROW)):
        cells = [
            " ".join(_text(paragraph) for paragraph in cell.iter(_PARAGRAPH)) for cell in _below(row, _CELL)
        ]
        line = table_row(cells)
        limit.count(line)
        outline.line(line)
        if number == 0:
            outline.line(table_rule(len(cells)))
    outline.blank()


def _below(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Yield the next elements of a tag, but none inside another one of the same tag."""
    pending = list(reversed(element))
    while pending:
        child = pending.pop()
        if child.tag == tag:
            yield child
        elif child.tag not in _SKIPPED:
            pending.extend(reversed(child))
