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
from rag.knowledge.loaders.looks import WHITE, Color, Look, are_alike, color_of, look_of, pixels_in
from rag.knowledge.loaders.number_formats import GENERAL, shown_number
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name, opened
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
_THOUSANDTHS = 100_000  # of a whole, as a drawing writes its parts
_FAINT = 0.05
_COLORS = ("{*}srgbClr", "{*}schemeClr", "{*}sysClr", "{*}prstClr", "{*}scrgbClr")
_FLAT = 2  # pixels
_HIDING = regex.compile(
    r"display=(?:none|false)|visibility=(?:hidden|collapse)|text-scale=[0-4](?:\.\d+)?%|opacity=[0-4]%"
)
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
            hidden += _leave_out_unseen(slide, package.root(main), _Grounds(slide, package, target.part))
            shapes = [(_placeholder(shape), shape) for shape in _shapes(slide)]
            name = one_line(" ".join(_words(shape) for kind, shape in shapes if kind in _TITLES))
            title = title or name
            limit.count(name)
            outline.heading(1, f"slide {number}: {name}" if name else f"slide {number}")
            _read_shapes([shape for kind, shape in shapes if kind not in _TITLES], outline, limit)
            for page in package.related(target.part, "notesSlide"):
                hidden += _leave_out_unseen(page, page, _Grounds(page, package, ""))
                bodies = [one for one in _shapes(page) if _placeholder(one) == "body"]
                if any(map(_words, bodies)):
                    outline.heading(2, "Notes")
                    _read_shapes(bodies, outline, limit)
    notes += [Reason("html-hidden", {"count": hidden})] if hidden else []
    return Content(title, outline.sections(), tuple(notes))


class _Grounds:
    """What is behind the words of a slide: their shape, those below it, or the background."""

    def __init__(self, slide: etree._Element, package: Package, part: str) -> None:
        layout = next((one.part for one in package.relations(part).values() if one.kind == "slideLayout"), "")
        master = next(
            (one.part for one in package.relations(layout).values() if one.kind == "slideMaster"), ""
        )
        self._theme: dict[str, str] = {}
        for scheme in (one for root in package.related(master, "theme") for one in root.iter("{*}clrScheme")):
            colors = {
                local_name(one): one[0].get("lastClr") or one[0].get("val", "") for one in scheme if len(one)
            }
            self._theme |= colors | {"bg1": colors.get("lt1", ""), "tx1": colors.get("dk1", "")}
        roots = [slide, *(package.root(one) for one in (layout, master) if one)]
        for place in (one for root in roots for one in root.iter("{*}clrMap")):
            self._theme |= {name: self._theme.get(value, "") for name, value in place.attrib.items()}
        back = next((one for root in roots for one in root.iterfind("{*}cSld/{*}bg/*")), None)
        self._back = self.color(back, WHITE) if roots[1:] else ()
        drawn = (root.iterfind("{*}cSld/{*}spTree/*") for root in roots[:0:-1])
        below = [one for shapes in drawn for one in shapes if next(one.iter("{*}ph"), None) is None]
        shapes = [*below, *slide.iterfind("{*}cSld/{*}spTree/*")]
        self._boxes = {shape: (number, _box(shape), _fill_of(shape)) for number, shape in enumerate(shapes)}
        self._moves = slide.find("{*}timing") is not None

    def color(self, fill: etree._Element | None, otherwise: Color) -> Color:
        """The colour of a fill, or of what holds one; nothing if that is not known."""
        if fill is None or local_name(fill) == "noFill" or fill.find("{*}noFill") is not None:
            return otherwise
        found = {self._named(one) for one in fill.iter(*_COLORS)}
        return found.pop() if len(found) == 1 and fill.find(".//{*}blip") is None else ()

    def _named(self, color: etree._Element) -> Color:
        value = color.get("lastClr") or color.get("val", "")
        if local_name(color) == "scrgbClr":
            parts = [_measure(color, one) / _THOUSANDTHS for one in "rgb"]
        else:
            value = self._theme.get(value, "") if local_name(color) == "schemeClr" else value
            parts = list(color_of(f"#{value}") or color_of(value))[:3]
        marks = {local_name(one): _measure(one, "val") / _THOUSANDTHS for one in color}
        if {"lumMod", "lumOff"} & set(marks):
            parts = [one * marks.get("lumMod", 1) + marks.get("lumOff", 0) for one in parts]
        return (*parts, marks.get("alpha", 1.0)) if parts else ()

    def of(self, run: etree._Element) -> Color:
        """What is behind a run; nothing if that is not known."""
        cell = next(run.iterancestors("{*}tc"), None)
        if cell is not None:
            fills = cell.xpath("./*[local-name()='tcPr']/*[contains(local-name(), 'Fill')]")
            return self.color(fills[0], ()) if fills else ()
        shapes = [one for one in run.iterancestors() if one in self._boxes or local_name(one) == "sp"]
        if fill := next(filter(None, map(_fill_of, shapes)), None):
            return self.color(fill[0], ())
        if not shapes or shapes[-1] not in self._boxes:
            return ()
        number, box, _ = self._boxes[shapes[-1]]
        for _, other, fill in [*self._boxes.values()][:number][::-1]:
            if fill and _overlaps(other, box):
                return self.color(fill[0], ()) if _covers(other, box) else ()
        return self._back

    def covered(self) -> Iterator[etree._Element]:
        """Yield the shapes with another one on them, unless the slide moves them."""
        covers = [
            (number, box)
            for shape, (number, box, fill) in self._boxes.items()
            if fill and local_name(shape) == "sp" and self.color(fill[0], ())[3:] == (1,) and not self._moves
        ]
        for shape, (number, box, _) in self._boxes.items():
            if any(later > number and _covers(other, box) for later, other in covers):
                yield shape


def _fill_of(shape: etree._Element) -> list[etree._Element]:
    """What fills a shape; a picture fills itself."""
    if local_name(shape) in {"pic", "graphicFrame"}:
        return [shape]
    if own := shape.xpath("./*[contains(local-name(), 'pPr')]/*[contains(local-name(), 'Fill')]"):
        return [one for one in own if local_name(one) != "noFill"]
    inner = shape.xpath("self::*[local-name()='grpSp']/*[local-name()='sp' or local-name()='pic']")
    fills = shape.xpath("./*/*[local-name()='fillRef'][@idx!='0']")
    return [*(one for each in inner for one in _fill_of(each)), *fills]


def _overlaps(other: tuple[int, ...], box: tuple[int, ...]) -> bool:
    """Whether one shape is on a part of another; a shape without a place may be anywhere."""
    pairs = zip(other[:2], other[2:], box[:2], box[2:], strict=False)
    return all(start < last and first < end for start, end, first, last in pairs)


def _covers(other: tuple[int, ...], box: tuple[int, ...]) -> bool:
    pairs = list(zip(other[:2], other[2:], box[:2], box[2:], strict=False))
    return bool(pairs) and all(start <= first and last <= end for start, end, first, last in pairs)


def _box(shape: etree._Element) -> tuple[int, ...]:
    place, extent = (next(shape.iterfind(f".//{{*}}xfrm/{{*}}{one}"), None) for one in ("off", "ext"))
    left, top = _measure(place, "x"), _measure(place, "y")
    right, bottom = left + _measure(extent, "cx"), top + _measure(extent, "cy")
    return () if extent is None else (left, top, right, bottom)


def _styles_of(run: etree._Element) -> list[etree._Element]:
    """The properties of a run, and those that the list style of its shape gives it."""
    level = next((_measure(one, "lvl") for one in run.xpath("../*[local-name()='pPr']")), 0) + 1
    path = f"../../*[local-name()='lstStyle']/*[local-name()='lvl{level}pPr' or local-name()='defPPr']"
    styles = [run.find("{*}rPr"), *(one.find("{*}defRPr") for one in run.xpath(path)[::-1])]
    return [one for one in styles if one is not None]


def _leave_out_struck(root: etree._Element) -> None:
    """Remove the words that they themselves, or the list style of their shape, strike out."""
    for run in root.iter("{*}r", "{*}fld"):
        marks = filter(None, (attribute(one, "strike") for one in _styles_of(run)))
        if next(marks, "noStrike") != "noStrike":
            for words in run.iter("{*}t"):
                words.text = GAP


def _leave_out_unseen(slide: etree._Element, deck: etree._Element, grounds: _Grounds) -> int:
    """Remove what is struck out, and what is hidden, tiny, beside the slide or of its ground; counts that."""
    _leave_out_struck(slide)
    size = next(deck.iter("{*}sldSz"), None)
    unseen = [run for run in slide.iter("{*}r", "{*}fld") if _is_unseen(run, grounds)]
    unseen += slide.xpath("//*[*/*[local-name()='cNvPr'][@hidden='1' or @hidden='true']]")
    unseen += grounds.covered()
    for shape in slide.iterfind("{*}cSld/{*}spTree/*"):
        if size is not None and (box := _box(shape)):
            left, top, right, bottom = box
            is_off = right < 0 or bottom < 0 or left > _measure(size, "cx") or top > _measure(size, "cy")
            unseen += [shape] if is_off else []
    found = [one for one in dict.fromkeys(unseen) if "".join(one.itertext("{*}t")).strip()]
    for one in found:
        leave_out(one)
    return len(found)


def _is_unseen(run: etree._Element, grounds: _Grounds) -> bool:
    """Whether the letters of a run are tiny, or have no colour of their own."""
    styles = _styles_of(run)
    size = next(filter(None, (_measure(one, "sz") for one in styles)), 1800)
    fits = run.xpath("../../*[local-name()='bodyPr']/*[local-name()='normAutofit'][@fontScale]")
    if size * (_measure(fits[0], "fontScale") / _THOUSANDTHS if fits else 1) <= _LEAST_POINTS:
        return True
    fill = next((one for style in styles for one in style if local_name(one).endswith("Fill")), None)
    if fill is None or any(style.find("{*}ln/{*}solidFill") is not None for style in styles):
        return False
    ink = grounds.color(fill, (0.0, 0.0, 0.0, 0.0))
    return bool(ink) and (ink[3] < _FAINT or bool((ground := grounds.of(run)) and are_alike(ink, ground)))


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
        # White letters may stand on what fills a shape, or a page of slides.
        is_filled = any(regex.search(rb"fill-color=.#", package.content(one)) for one in parts)
        count, styles = 0, dict[str, dict[str, str]]()
        paper = Look(ground=() if is_filled else WHITE)
        # A style stands behind its parent, in that file or this one.
        for style in (
            one for part in parts for one in package.root(part).iter("{*}style", "{*}default-style")
        ):
            properties = dict(styles.get(attribute(style, "parent-style-name"), {}))
            for rule in style:
                properties |= {str(key).rpartition("}")[2]: str(one) for key, one in rule.attrib.items()}
            if local_name(style) == "style":
                styles[attribute(style, "name")] = properties
            elif attribute(style, "family") == "paragraph":
                paper = look_of({"font-size": properties.get("font-size", "")}, paper)
        body = next(root.iter("{*}body"))
        title = next((one_line("".join(heading.itertext())) for heading in body.iter("{*}h")), "")
        slides = list(body.iter("{*}page"))
        collapsed = {cell for table in body.iter("{*}table") for cell in _collapsed(table)}
        looks = _looks(body, styles, paper)
        # What is inside first: a row is copied as HTML.
        for element in reversed(list(body.iter(etree.Element))):
            own = styles.get(attribute(element, "style-name"), {})
            is_struck = own.get("text-line-through-style", "none") != "none"
            is_hidden = is_on(attribute(element, "is-hidden")) or _is_off(element)
            is_hidden |= any(map(_HIDING.fullmatch, (f"{key}={value}" for key, value in own.items())))
            is_hidden |= attribute(element, "display") == "none" or element in collapsed
            is_hidden |= attribute(element, "visibility") in {"collapse", "filter"}
            if looks[element].is_unseen and any(map(str.isalnum, "".join(element.xpath("text()")))):
                is_hidden |= not len(element)
                count += bool(len(element))
                for one in element:  # which may be seen
                    one.tail = GAP
                element.text = GAP if len(element) else element.text
            if is_hidden or is_struck or local_name(element) in _NOT_SHOWN:
                count += is_hidden and any(map(str.isalnum, "".join(element.itertext())))
                leave_out(element, keeps_cell=True)
            if element.getparent() is not None:
                _rename_part(element, slides)
        outline = Outline()
        read_page(body, outline, limit)
    return Content(title, outline.sections(), (Reason("html-hidden", {"count": count}),) if count else ())


def _looks(
    body: etree._Element, styles: Mapping[str, Mapping[str, str]], paper: Look
) -> dict[etree._Element, Look]:
    """How each element looks by its style, and by those around it."""
    looks: dict[etree._Element, Look] = {}
    for element in body.iter(etree.Element):
        own = styles.get(attribute(element, "style-name"), {})
        written = {name: own[name] for name in ("color", "font-size") if name in own}
        if ground := own.get("background-color", ""):
            written["background"] = ground
        around = looks.get(element.getparent(), paper)
        looks[element] = look_of(written, around) if written else around
    return looks


def _is_off(element: etree._Element) -> bool:
    """Whether a frame is without size or beside the page."""
    places = {one: pixels_in(attribute(element, one)) for one in ("x", "y", "width", "height")}
    left, top, wide, high = (next(iter(found), None) for found in places.values())
    if local_name(element) != "frame":
        return False
    is_flat = any(size is not None and size <= _FLAT for size in (wide, high))
    return is_flat or any((start or 0) + (size or 0) < 0 for start, size in ((left, wide), (top, high)))


def _collapsed(table: etree._Element) -> Iterator[etree._Element]:
    """Yield the cells of the columns that are not shown."""
    hidden = list[bool]()
    for column in table.iter("{*}table-column"):
        is_hidden = attribute(column, "visibility") in {"collapse", "filter"}
        hidden += [is_hidden] * min(_number(column, "number-columns-repeated"), _REPEATED)
    for row in table.iter("{*}table-row") if any(hidden) else ():
        place = 0
        for cell in row:
            if place < len(hidden) and hidden[place]:
                yield cell
            place += _number(cell, "number-columns-repeated")


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
