"""Reads Word files (DOCX), after a look at what the package claims to hold.

The text is taken from the XML itself: the library's paragraphs leave out what stands in content
controls and in insertions that wait for approval.
"""

from __future__ import annotations

import io
from collections.abc import Iterator, Mapping

import docx
import docx.document
import regex
from docx.opc.exceptions import OpcError
from docx.oxml.ns import qn
from lxml import etree

from rag.knowledge.loaders.content import Content, Outline, TextLimit, table_row, table_rule
from rag.knowledge.loaders.package import BROKEN_PACKAGE, check_package, damaged
from rag.language.visible import one_line, visible

_HEADING = regex.compile(r"heading (?P<level>[1-9])", regex.IGNORECASE)

_PARAGRAPH, _TABLE, _ROW, _CELL = qn("w:p"), qn("w:tbl"), qn("w:tr"), qn("w:tc")
_TEXT, _RUN = qn("w:t"), qn("w:r")
_BREAKS = {qn("w:tab"): " ", qn("w:br"): "\n", qn("w:cr"): "\n", qn("w:noBreakHyphen"): "-"}
_REFERENCES = {qn("w:footnoteReference"): "footnote", qn("w:endnoteReference"): "endnote"}
_NOTE_PARTS = {"footnotes": "footnote", "endnotes": "endnote"}
_HIDING = [f"{qn('w:rPr')}/{qn(name)}" for name in ("w:vanish", "w:strike", "w:dstrike")]
_OFF = {"0", "false", "off"}
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
    check_package(content, max_unpacked_bytes, "Word")
    try:
        document = docx.Document(io.BytesIO(content))
        body = document.element.body
        notes = _notes(document)
    except (OpcError, etree.XMLSyntaxError, LookupError, AttributeError, *BROKEN_PACKAGE) as error:
        raise damaged("Word") from error
    levels = _heading_levels(document)
    outline, title = Outline(), ""
    for block in _blocks(body):
        if block.tag == _TABLE:
            _add_table(block, outline, limit, notes)
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
            # Beside the words that it explains, so that a passage holds both.
            for note in _noted(block, notes):
                limit.count(note)
                outline.line(note)
            if not is_item:
                outline.blank()
    return Content(title, outline.sections())


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
    """Return whether an element is text that is hidden or struck out."""
    if element.tag != _RUN:
        return False
    marks = map(element.find, _HIDING)
    return any(mark is not None and mark.get(qn("w:val"), "true") not in _OFF for mark in marks)


def _add_table(
    table: etree._Element, outline: Outline, limit: TextLimit, notes: Mapping[tuple[str, str], str]
) -> None:
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
    for note in _noted(table, notes):
        limit.count(note)
        outline.line(note)


def _notes(document: docx.document.Document) -> dict[tuple[str, str], str]:
    """The footnotes and endnotes by kind and id."""
    notes: dict[tuple[str, str], str] = {}
    for relation in document.part.rels.values():
        kind = _NOTE_PARTS.get(relation.reltype.rpartition("/")[2])
        if kind is None or relation.is_external:
            continue
        parser = etree.XMLParser(resolve_entities=False, no_network=True, load_dtd=False)
        for note in etree.fromstring(relation.target_part.blob, parser):
            # Those with a type are the lines between text and notes.
            if note.get(qn("w:type"), "normal") == "normal":
                paragraphs = (_text(paragraph) for paragraph in note.iter(_PARAGRAPH))
                notes[kind, note.get(qn("w:id"), "")] = one_line(visible(" ".join(paragraphs)))
    return notes


def _noted(block: etree._Element, notes: Mapping[tuple[str, str], str]) -> Iterator[str]:
    """Yield the notes that the text of a block refers to, as lines of their own."""
    for reference in block.iter(*_REFERENCES):
        text = notes.get((_REFERENCES[str(reference.tag)], reference.get(qn("w:id"), "")), "")
        if text and not any(_is_skipped(ancestor) for ancestor in reference.iterancestors()):
            yield f"({text})"


def _is_skipped(element: etree._Element) -> bool:
    return element.tag in _SKIPPED or _is_hidden(element)


def _below(element: etree._Element, tag: str) -> Iterator[etree._Element]:
    """Yield the next elements of a tag, but none inside another one of the same tag."""
    pending = list(reversed(element))
    while pending:
        child = pending.pop()
        if child.tag == tag:
            yield child
        elif child.tag not in _SKIPPED:
            pending.extend(reversed(child))
