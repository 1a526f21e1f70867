"""Reads presentations (PPTX): a section a slide, under its number and title, with its tables and notes.

Hidden slides and hidden shapes are left out, and so are the date, the number and the foot of a slide.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.package import Package, Relation, attribute, is_on, local_name
from rag.knowledge.loaders.tables import add_table
from rag.language.visible import one_line, visible

_TITLES = {"title", "ctrTitle"}
_FURNITURE = {"dt", "sldNum", "ftr", "hdr"}
# The second copy of a shape for old programs, and animations, which repeat texts.
_SKIPPED = {"Fallback", "timing"}
_NOTES = "Notes"


def load_pptx(content: bytes, limit: TextLimit, max_unpacked_bytes: int) -> Content:
    """Read a presentation.

    Raises:
        DocumentError: It is damaged, encrypted, unpacks to too much, or declares XML entities.
    """
    outline = Outline()
    title = ""
    with Package(content, max_unpacked_bytes, "PowerPoint") as package:
        main = package.main_part()
        relations = package.relations(main)
        root = package.root(main)
        for number, element in enumerate(root.iter("{*}sldId"), start=1):
            target = relations.get(_relation_id(element))
            if target is None or target.kind != "slide" or not package.holds(target.part):
                continue
            slide = package.root(target.part)
            if slide.get("show", "1") in {"0", "false"}:
                continue
            found = _add_slide(package, target.part, slide, number, outline, limit)
            title = title or found
    return Content(title, outline.sections())


def _relation_id(element: etree._Element) -> str:
    """The relation of a slide; the other attribute of that name is a number of its own."""
    return next((str(value) for key, value in element.attrib.items() if str(key).endswith("}id")), "")


def _add_slide(
    package: Package, part: str, slide: etree._Element, number: int, outline: Outline, limit: TextLimit
) -> str:
    """Add a slide to the outline and return its title."""
    relations = package.relations(part)
    shapes = list(_shapes(slide))
    titles = [_lines(shape) for shape in shapes if _placeholder(shape) in _TITLES]
    title = one_line(" ".join(line for lines in titles for line in lines))
    limit.count(title)
    outline.heading(1, f"slide {number}: {title}" if title else f"slide {number}")
    for shape in shapes:
        if _placeholder(shape) not in _TITLES:
            _add_shape(package, relations, shape, outline, limit)
    for relation in relations.values():
        if relation.kind == "notesSlide" and package.holds(relation.part):
            bodies = [
                shape for shape in _shapes(package.root(relation.part)) if _placeholder(shape) == "body"
            ]
            lines = [line for shape in bodies for line in _lines(shape)]
            if lines:
                outline.heading(2, _NOTES)
                _add_lines(lines, outline, limit)
    return title


def _shapes(root: etree._Element) -> Iterator[etree._Element]:
    """Yield the shapes that are seen, those of groups included, in their order."""
    pending = [root]
    while pending:
        element = pending.pop()
        name = local_name(element)
        if name in _SKIPPED or (name in {"sp", "grpSp", "graphicFrame"} and _is_hidden(element)):
            continue
        if name in {"sp", "graphicFrame"}:
            if _placeholder(element) not in _FURNITURE:
                yield element
        else:
            pending.extend(reversed(element))


def _is_hidden(shape: etree._Element) -> bool:
    own = next((child for child in shape if local_name(child).startswith("nv")), None)
    return own is not None and any(is_on(found.get("hidden", "")) for found in own.iter("{*}cNvPr"))


def _placeholder(shape: etree._Element) -> str:
    found = next(shape.iter("{*}ph"), None)
    return "" if found is None else found.get("type", "body")


def _add_shape(
    package: Package,
    relations: dict[str, Relation],
    shape: etree._Element,
    outline: Outline,
    limit: TextLimit,
) -> None:
    table = next(shape.iter("{*}tbl"), None)
    diagram = next(shape.iter("{*}relIds"), None)
    if table is not None:
        add_table(_rows(table), outline, limit)
    elif diagram is not None:
        relation = relations.get(attribute(diagram, "dm"))
        if relation is not None and package.holds(relation.part):
            lines = _lines(package.root(relation.part))
            _add_lines([f"- {line}" for line in lines], outline, limit)
    else:
        _add_lines(_lines(shape), outline, limit)


def _rows(table: etree._Element) -> Iterator[list[str]]:
    """Yield the rows of a table; a cell that is merged over several rows stands in each of them."""
    above: list[str] = []
    for row in table.iter("{*}tr"):
        cells: list[str] = []
        for number, cell in enumerate(child for child in row if local_name(child) == "tc"):
            if is_on(cell.get("vMerge", "")) and number < len(above):
                cells.append(above[number])
            else:
                cells.append(" ".join(_lines(cell)))
        above = cells
        yield cells


def _lines(element: etree._Element) -> list[str]:
    """The paragraphs below an element that hold text."""
    lines = []
    for paragraph in element.iter("{*}p"):
        parts = [
            (found.text or "") if local_name(found) == "t" else " "
            for found in paragraph.iter("{*}t", "{*}br", "{*}tab")
        ]
        line = one_line(visible("".join(parts)))
        if line:
            lines.append(line)
    return lines


def _add_lines(lines: list[str], outline: Outline, limit: TextLimit) -> None:
    for line in lines:
        limit.count(line)
        outline.line(line)
    outline.blank()
