"""Reads presentations (PPTX), OpenDocument (ODT, ODS, ODP) and e-books (EPUB) as HTML.

The elements of their XML get the names that the same things have in HTML; what nobody sees is left out.
Hidden slides, shapes, sheets and rows are left out, and so are the date, the number and the foot of a slide.
"""

from __future__ import annotations

import copy
import posixpath
from collections.abc import Iterator, Mapping
from urllib.parse import unquote

import regex
from lxml import etree

from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders.content import GAP, Content, Outline, TextLimit
from rag.knowledge.loaders.html import gaps, leave_out, load_html, read_page, shown_text
from rag.knowledge.loaders.number_formats import GENERAL, shown_number
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name, opened
from rag.knowledge.loaders.unseen import PALE, TINY
from rag.language.visible import one_line
from rag.reasons import Reason

_TITLES = {"title", "ctrTitle"}
_FURNITURE = {"dt", "sldNum", "ftr", "hdr"}
_SLIDE_TAGS = {
    "p": "div", "sp": "section", "graphicFrame": "section", "tbl": "table", "tr": "tr", "tc": "td",
    "br": "br",
}  # fmt: skip
_DOCUMENT_TAGS = {
    "p": "p", "h": "h1", "list-item": "li", "table": "table", "table-row": "tr", "table-cell": "td",
    "covered-table-cell": "span", "line-break": "br",
}  # fmt: skip
# Changes that were made, comments of reviewers, lists of contents, and the numbers of notes.
_NOT_SHOWN = {
    "tracked-changes", "annotation", "annotation-end", "table-of-content", "forms", "desc", "title",
    "note-citation",
}  # fmt: skip
_LEAST_POINTS = 200  # hundredths; letters of more are seen
_GROUNDS = (
    "//*[local-name()='bgPr' or local-name()='pic' or local-name()='blipFill']"
    "| //*[contains(local-name(), 'pPr')]/*[contains(local-name(), 'Fill')][local-name()!='noFill']"
    "| //*[local-name()='fillRef'][@idx!='0'] | //*[local-name()='clrMap'][@bg1!='lt1']"
    "| //*[local-name()='bgRef']/*[@val!='bg1']"
)
"""What may make white letters seen: on a slide, its layout, or that one's master."""
_INKS = "//*[local-name()='rPr'][not(ancestor::*[local-name()='tbl'])]/*[local-name()='solidFill']/*[not(*)]"
_REPEATED = 1000  # a row that is repeated more often fills a sheet with nothing
_PAGES = {"application/xhtml+xml", "text/html"}


def rename(root: etree._Element, tags: Mapping[str, str]) -> None:
    """Give the elements of Word or PowerPoint the tags of HTML, in place; only ``t`` holds text."""
    for element in list(root.iter(etree.Element)):
        name = local_name(element)
        if name != "t":
            element.text = {"tab": " ", "noBreakHyphen": "-"}.get(name, gaps(element.text))
        element.tail = gaps(element.tail)
        element.tag = tags.get(name, "span")
        for key in set(element.attrib) - {"rowspan", "colspan"}:
            del element.attrib[key]


def set_charts(root: etree._Element, package: Package, part: str) -> bool:
    """Put a table in the place of each chart; returns False if the numbers of one are not in the file."""
    relations = package.relations(part)
    is_complete = True
    for frame in list(root.iter("{*}chart")):
        relation = relations.get(attribute(frame, "id"))
        rows = _chart_rows(package.root(relation.part)) if relation and relation.kind == "chart" else []
        for row in rows:
            line = etree.SubElement(frame, "tr")
            for value in row:
                etree.SubElement(etree.SubElement(line, "tc"), "t").text = value
        frame.tag = "tbl"
        is_complete &= bool(rows)
    return is_complete


def _chart_rows(chart: etree._Element) -> list[list[str]]:
    """A title and a row a category with a column a series, from the copy of its numbers; none without one."""
    series = list(chart.iter("{*}ser"))
    names = [next(iter(_points(one, "tx").values()), "") for one in series]
    columns = [_points(one, "val", "yVal") for one in series]
    categories: dict[str, str] = {}
    for one in series:
        categories = _points(one, "cat", "xVal") | categories
    places = list(dict.fromkeys([*categories, *(place for column in columns for place in column)]))
    titles = (one_line("".join(found.itertext("{*}t"))) for found in chart.iter("{*}title"))
    title = next(filter(None, titles), "")
    rows = [[categories.get(place, ""), *(column.get(place, "") for column in columns)] for place in places]
    return [[title or "-", *names], *rows] if any(columns) else []


def _points(series: etree._Element, *names: str) -> dict[str, str]:
    """The value of each point by its place, numbers as the chart shows them."""
    values: dict[str, str] = {}
    for part in (child for child in series if local_name(child) in names):
        code = next((found.text for found in part.iter("{*}formatCode")), None) or GENERAL
        is_number = next(part.iter("{*}numCache"), None) is not None
        for point in part.iter("{*}pt"):
            value = next((found.text for found in point.iter("{*}v")), None) or ""
            values[point.get("idx", "")] = shown_number(value, code) if is_number else one_line(value)
    return values


def load_pptx(content: bytes, limit: TextLimit) -> Content:
    """Read a presentation: a section a slide, under its number and title, with tables, charts and notes."""
    outline, title, notes, hidden = Outline(), "", list[Reason](), 0
    with opened(content, limit, "PowerPoint") as package:
        main = package.main_part()
        relations = package.relations(main)
        for number, element in enumerate(package.root(main).iter("{*}sldId"), start=1):
            # The other attribute of that name is a number of its own.
            name = next((str(value) for key, value in element.attrib.items() if str(key).endswith("}id")), "")
            target = relations.get(name)
            slide = package.root(target.part) if target and target.kind == "slide" else None
            if target is None or slide is None or slide.get("show", "1") in {"0", "false"}:
                hidden += slide is not None
                continue
            if not set_charts(slide, package, target.part):
                notes.append(Reason("chart-not-read", {"place": f"slide {number}"}))
            _set_diagrams(slide, package, target.part)
            is_paper = _is_paper(slide, package, target.part)
            hidden += _leave_out_unseen(slide, package.root(main), is_paper=is_paper)
            shapes = [(_placeholder(shape), shape) for shape in _shapes(slide)]
            name = one_line(" ".join(_words(shape) for kind, shape in shapes if kind in _TITLES))
            title = title or name
            limit.count(name)
            outline.heading(1, f"slide {number}: {name}" if name else f"slide {number}")
            _read_shapes([shape for kind, shape in shapes if kind not in _TITLES], outline, limit)
            for page in package.related(target.part, "notesSlide"):
                hidden += _leave_out_unseen(page, page)
                bodies = [one for one in _shapes(page) if _placeholder(one) == "body"]
                if any(map(_words, bodies)):
                    outline.heading(2, "Notes")
                    _read_shapes(bodies, outline, limit)
    notes += [Reason("html-hidden", {"count": hidden})] if hidden else []
    return Content(title, outline.sections(), tuple(notes))


def _is_paper(slide: etree._Element, package: Package, part: str) -> bool:
    """Whether nothing colours a slide, so that nobody sees what is white on it."""
    layout = next((one.part for one in package.relations(part).values() if one.kind == "slideLayout"), "")
    roots = (slide, *package.related(part, "slideLayout"), *package.related(layout, "slideMaster"))
    return not any(root.xpath(_GROUNDS) for root in roots)


def _leave_out_struck(root: etree._Element) -> None:
    """Remove the words that they themselves, or the list style of their shape, strike out."""
    for run in root.iter("{*}r", "{*}fld"):
        level = next((_measure(one, "lvl") for one in run.xpath("../*[local-name()='pPr']")), 0) + 1
        path = f"../../*[local-name()='lstStyle']/*[local-name()='lvl{level}pPr' or local-name()='defPPr']"
        styles = [run.find("{*}rPr"), *(one.find("{*}defRPr") for one in run.xpath(path)[::-1])]
        if next(filter(None, (attribute(one, "strike") for one in styles)), "noStrike") != "noStrike":
            for words in run.iter("{*}t"):
                words.text = GAP


def _leave_out_unseen(slide: etree._Element, deck: etree._Element, *, is_paper: bool = False) -> int:
    """Remove what is struck out, hidden, beside the slide, tiny or white; returns how many were unseen."""
    _leave_out_struck(slide)
    size = next(deck.iter("{*}sldSz"), None)
    unseen = [run for run in slide.iter("{*}r") if 0 < _measure(run.find("{*}rPr"), "sz") <= _LEAST_POINTS]
    inks = ((next(color.iterancestors("{*}r")), color.get("val", "")) for color in slide.xpath(_INKS))
    unseen += [run for run, ink in inks if is_paper and (ink in {"bg1", "lt1"} or PALE.fullmatch(ink))]
    unseen += slide.xpath("//*[*/*[local-name()='cNvPr'][@hidden='1' or @hidden='true']]")
    for shape in slide.iterfind("{*}cSld/{*}spTree/{*}sp"):
        place, extent = shape.find("{*}spPr/{*}xfrm/{*}off"), shape.find("{*}spPr/{*}xfrm/{*}ext")
        for start, length, whole in (("x", "cx", "cx"), ("y", "cy", "cy")):
            first = _measure(place, start)
            if size is not None and (first + _measure(extent, length) < 0 or first > _measure(size, whole)):
                unseen.append(shape)
    found = [one for one in dict.fromkeys(unseen) if "".join(one.itertext("{*}t")).strip()]
    for one in found:
        leave_out(one)
    return len(found)


def _measure(element: etree._Element | None, name: str) -> int:
    written = "" if element is None else element.get(name, "")
    return int(written) if regex.fullmatch(r"-?\d{1,12}", written) else 0


def _shapes(root: etree._Element) -> Iterator[etree._Element]:
    """Yield the shapes that are seen, those of groups included, in their order."""
    walk = etree.iterwalk(root, events=("start",))
    for _, element in walk:
        name = local_name(element)
        # The second copy of a shape for old programs, and animations, which repeat texts.
        if name in {"Fallback", "timing"}:
            walk.skip_subtree()
        elif name in {"sp", "graphicFrame"} and _placeholder(element) not in _FURNITURE:
            yield element


def _placeholder(shape: etree._Element) -> str:
    found = next(shape.iter("{*}ph"), None)
    return "" if found is None else found.get("type", "body")


def _words(shape: etree._Element) -> str:
    lines = ("".join(part.text or " " for part in line.iter("{*}t", "{*}br")) for line in shape.iter("{*}p"))
    return shown_text(" ".join(lines))


def _set_diagrams(slide: etree._Element, package: Package, part: str) -> None:
    """Put the words of each diagram, which stand in a part of their own, in its place."""
    relations = package.relations(part)
    for diagram in list(slide.iter("{*}relIds")):
        if relation := relations.get(attribute(diagram, "dm")):
            words = package.root(relation.part)
            _leave_out_struck(words)
            lines = (_words(point) for point in words.iter("{*}pt"))
            for line in filter(None, lines):
                etree.SubElement(etree.SubElement(diagram, "p"), "t").text = f"- {line}"


def _read_shapes(shapes: list[etree._Element], outline: Outline, limit: TextLimit) -> None:
    for shape in shapes:
        for cell in list(shape.iter("{*}tc")):
            if is_on(cell.get("vMerge", "")) or is_on(cell.get("hMerge", "")):
                cell.getparent().remove(cell)
            else:
                cell.set("rowspan", cell.get("rowSpan", "1"))
                cell.set("colspan", cell.get("gridSpan", "1"))
        rename(shape, _SLIDE_TAGS)
        read_page(shape, outline, limit)


def load_opendocument(content: bytes, limit: TextLimit) -> Content:
    """Read an OpenDocument file: a text, a spreadsheet or a presentation."""
    with opened(content, limit, "OpenDocument") as package:
        root = package.root("content.xml")
        for mark in root.iter("{*}hidden-paragraph"):
            if is_on(attribute(mark, "is-hidden")):
                mark.getparent().set("display", "none")
        parts = [one for one in ("styles.xml", "content.xml") if package.holds(one)]
        grounds = (regex.search(rb"(?:background|fill)-color=.#", package.content(one)) for one in parts)
        is_paper = not any(grounds)
        hidden, struck, count = set[str](), set[str](), 0
        for rule in root.iterfind(".//{*}style/*"):
            name, is_white = attribute(rule.getparent(), "name"), PALE.fullmatch(attribute(rule, "color"))
            is_tiny = TINY.fullmatch(attribute(rule, "font-size"))
            if attribute(rule, "display") in {"none", "false"} or is_tiny or (is_paper and is_white):
                hidden.add(name)
        # Styles have a parent, which in that file or this one stands before them.
        for style in (style for one in parts for style in package.root(one).iter("{*}style")):
            marks = [attribute(rule, "text-line-through-style") for rule in style]
            own = next(
                filter(None, marks), "solid" if attribute(style, "parent-style-name") in struck else "none"
            )
            struck.update([attribute(style, "name")] if own != "none" else [])
        body = next(root.iter("{*}body"))
        title = next((one_line("".join(heading.itertext())) for heading in body.iter("{*}h")), "")
        slides = list(body.iter("{*}page"))
        # What is inside first: a row is copied as HTML.
        for element in reversed(list(body.iter(etree.Element))):
            style = attribute(element, "style-name")
            is_hidden = style in hidden or is_on(attribute(element, "is-hidden"))
            is_hidden |= attribute(element, "display") == "none"
            is_hidden |= attribute(element, "visibility") in {"collapse", "filter"}
            if is_hidden or style in struck or local_name(element) in _NOT_SHOWN:
                count += is_hidden and any(map(str.isalnum, "".join(element.itertext())))
                leave_out(element, keeps_cell=True)
            if element.getparent() is not None:
                _rename_part(element, slides)
        outline = Outline()
        read_page(body, outline, limit)
    return Content(title, outline.sections(), (Reason("html-hidden", {"count": count}),) if count else ())


def _rename_part(element: etree._Element, slides: list[etree._Element]) -> None:
    name, parent = local_name(element), local_name(element.getparent())
    element.tag = _DOCUMENT_TAGS.get(name, "span")
    match name:
        case "h":
            element.tag = f"h{min(_number(element, 'outline-level'), 9)}"
        case "p":
            around = {local_name(above) for above in element.iterancestors()}
            element.tag = "span" if "note-body" in around else "div" if "list-item" in around else "p"
        case "s" | "tab":
            element.text = " "
        case "note-body":
            element.text, element.tail = " (", f"){element.tail or ''}"
        case "page":
            _set_heading(element, f"slide {slides.index(element) + 1}")
        case "table" if parent == "spreadsheet":
            _set_heading(element, attribute(element, "name"))
            element.set("class", "sheet")
        case "table-row" | "table-cell":
            repeated = "number-rows-repeated" if name == "table-row" else "number-columns-repeated"
            times = min(_number(element, repeated), _REPEATED)
            if "".join(element.itertext()).strip():
                for _ in range(times - 1):
                    element.addnext(copy.deepcopy(element))
            else:
                element.set("colspan", str(times))
            element.set("rowspan", str(_number(element, "number-rows-spanned")))


def _set_heading(element: etree._Element, words: str) -> None:
    heading = etree.Element("h1")
    heading.text = words
    element.addprevious(heading)


def _number(element: etree._Element, name: str) -> int:
    number = attribute(element, name)
    return int(number) if number.isdecimal() and len(number) < 10 else 1


def load_epub(content: bytes, limit: TextLimit) -> Content:
    """Read an e-book: its pages in their order, each as HTML."""
    sections, notes = list[Section](), list[Reason]()
    with opened(content, limit, "EPUB") as package:
        file = attribute(package.root("META-INF/container.xml").find(".//{*}rootfile"), "full-path")
        book = package.root(file)
        title = next((one_line(found.text or "") for found in book.iter("{*}title")), "")
        pages = {
            item.get("id"): posixpath.normpath(
                posixpath.join(posixpath.dirname(file), unquote(item.get("href", "")))
            )
            for item in book.iter("{*}item")
            if item.get("media-type") in _PAGES
        }

        def style_sheet(address: str) -> bytes:
            name = posixpath.normpath(posixpath.join(posixpath.dirname(page), unquote(address)))
            return package.content(name) if package.holds(name) else b""

        for page in (pages.get(reference.get("idref"), "") for reference in book.iter("{*}itemref")):
            if not package.holds(page):
                continue
            try:
                found = load_html(package.content(page), limit, style_sheet)
            except DocumentError as error:
                notes.append(Reason("part-not-read", {"name": page, "reason": error.reason}))
                continue
            # The addresses of a page within the book lead nowhere outside of it.
            sections += (Section(section.heading, section.text) for section in found.sections)
            notes += found.notes
    return Content(title, tuple(sections), tuple(notes))
