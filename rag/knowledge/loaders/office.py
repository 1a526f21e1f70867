"""Reads presentations (PPTX), OpenDocument (ODT, ODS, ODP) and e-books (EPUB) as HTML.

The elements of their XML get the names that the same things have in HTML; what nobody sees is left out.
Hidden slides, shapes, sheets and rows are left out, and so are the date, the number and the foot of a slide.
"""

from __future__ import annotations

import copy
import posixpath
from collections.abc import Iterable, Iterator, Mapping
from urllib.parse import unquote

import regex
from lxml import etree

from rag.errors import DocumentError
from rag.knowledge.documents import Section
from rag.knowledge.loaders.content import GAP, Content, Outline, TextLimit
from rag.knowledge.loaders.html import gaps, leave_out, leave_out_words, load_html, read_page, shown_text
from rag.knowledge.loaders.looks import WHITE, Color, Look, are_alike, color_of
from rag.knowledge.loaders.number_formats import GENERAL, shown_number
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name, opened, theme_colors
from rag.knowledge.loaders.unseen import styled
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
_FILL = "./*[contains(local-name(), 'Pr')]/*[contains(local-name(), 'Fill')][local-name()!='noFill']"
_PAINT = f"{_FILL} | ./*/*[local-name()='fillRef'][@idx!='0']"
_BARE = {"sp", "cxnSp", "nvGrpSpPr", "grpSpPr"}  # nothing is painted by them without a fill
_DRAWN = (
    "*[local-name()='highlight' or local-name()='hlinkClick'] | *[starts-with(local-name(), 'effect')]/*"
    " | *[local-name()='ln']/*[local-name()!='noFill']"
)
"""What shows letters whatever their colour is."""
_CLEAR = regex.compile(r"\d{1,4}|[0-4](?:\.\d*)?%")
"""A part of less than a twentieth, as the two dialects of drawings write it."""
_SHAPES = 1_000  # of a slide; how more of them lie on each other is not known
_IN_CSS = {
    "color": "color", "font-size": "font-size", "background-color": "background", "text-scale": "scale",
    "x": "left",
}  # fmt: skip
"""What OpenDocument names like CSS, or otherwise."""
_GROUNDS = regex.compile(
    rb"fill-(?:color|image-name)=|page-layout-properties[^<>]*background-color=.#"
    rb"|background-image\s[^<>]*href|run-through=.background"
)
"""What may be behind white letters, besides the grounds of styles."""
_OFF = {"display": {"none", "false"}, "visibility": {"hidden", "collapse", "filter"}, "is-hidden": {"true"}}
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
            hidden += _leave_out_unseen(slide, package.root(main), _Colors(slide, package, target.part))
            shapes = [(_placeholder(shape), shape) for shape in _shapes(slide)]
            name = one_line(" ".join(_words(shape) for kind, shape in shapes if kind in _TITLES))
            title = title or name
            limit.count(name)
            outline.heading(1, f"slide {number}: {name}" if name else f"slide {number}")
            _read_shapes([shape for kind, shape in shapes if kind not in _TITLES], outline, limit)
            for page in package.related(target.part, "notesSlide"):
                hidden += _leave_out_unseen(page, page, _Colors(page, package, ""))
                bodies = [one for one in _shapes(page) if _placeholder(one) == "body"]
                if any(map(_words, bodies)):
                    outline.heading(2, "Notes")
                    _read_shapes(bodies, outline, limit)
    notes += [Reason("html-hidden", {"count": hidden})] if hidden else []
    return Content(title, outline.sections(), tuple(notes))


class _Colors:
    """The colours of a slide that are sure, and the shapes that another one covers."""

    def __init__(self, slide: etree._Element, package: Package, part: str) -> None:
        layout = next((one.part for one in package.relations(part).values() if one.kind == "slideLayout"), "")
        master = next(
            (one.part for one in package.relations(layout).values() if one.kind == "slideMaster"), ""
        )
        roots = [slide, *(package.root(one) for one in (layout, master) if one)]
        maps = [one for root in roots for one in root.iter("{*}clrMap", "{*}overrideClrMapping")]
        theme = theme_colors(package, master) if len(maps) == 1 else {}
        self._theme = {name: theme.get(str(value), "") for one in maps for name, value in one.attrib.items()}
        back = next((one for root in roots for one in root.iterfind("{*}cSld/{*}bg/*")), None)
        paper = WHITE if back is None else self._color(back)
        drawn = [one for root in roots for one in root.iterfind("{*}cSld/{*}spTree/*")]
        own = list(slide.iterfind("{*}cSld/{*}spTree/*")) if len(drawn) <= _SHAPES else []
        filled = [_box(one) for one in drawn if local_name(one) not in _BARE or one.xpath(_PAINT)]
        is_bare = {one: not any(_overlaps(other, _box(one)) for other in filled) for one in own}
        self._papers = {one: paper for one, is_so in is_bare.items() if is_so and master}
        self.covered: list[etree._Element] = []
        for place, lid in enumerate(own):
            if self._is_lid(lid) and slide.find("{*}timing") is None:  # by which shapes come and go
                self.covered += (one for one in own[:place] if _covers(_box(lid), _box(one)))

    def _color(self, fill: etree._Element | None) -> Color:
        """The colour of a fill; nothing if it is not sure."""
        colors = [] if fill is None else fill.xpath("(. | *)[local-name()='solidFill' or @idx='1001']/*")
        value = colors[0].get("lastClr") or colors[0].get("val", "") if len(colors) == 1 else ""
        if not value or len(colors[0]):
            return ()
        is_named = local_name(colors[0]) == "schemeClr"
        return color_of(self._theme.get(value, "") if is_named else f"#{value}") or color_of(value)

    def _is_lid(self, shape: etree._Element) -> bool:
        """Whether nobody sees what is under a shape."""
        form = shape.find("{*}spPr/{*}prstGeom")
        return attribute(form, "prst") == "rect" and bool(self._color(shape.find("{*}spPr/{*}solidFill")))

    def hide(self, run: etree._Element) -> bool:
        """Whether the letters of a run are tiny, clear, or have the colour of what is behind them."""
        styles = _styles_of(run)
        if 0 < next(filter(None, (_measure(style, "sz") for style in styles)), 0) <= _LEAST_POINTS:
            return True
        fill = next((one for style in styles for one in style if local_name(one).endswith("Fill")), None)
        if fill is None or any(style.xpath(_DRAWN) for style in styles):
            return False
        alphas = [attribute(one, "val") for one in fill.iter("{*}alpha")]
        if local_name(fill) == "noFill" or (alphas and all(map(_CLEAR.fullmatch, alphas))):
            return True
        ink, around = self._color(fill), next(run.iterancestors("{*}tc", "{*}sp"), run)
        fills = around.xpath(_FILL)
        ground = self._color(fills[0]) if fills else self._papers.get(around, ())
        return bool(ink and ground) and are_alike(ink, ground)


_Box = list[tuple[int, int]]
"""From where to where a shape goes, across and down; empty if that is not known."""


def _overlaps(other: _Box, box: _Box) -> bool:
    """Whether one shape is on a part of another; a shape without a place may be anywhere."""
    return all(one[0] < two[1] and two[0] < one[1] for one, two in zip(other, box, strict=False))


def _covers(other: _Box, box: _Box) -> bool:
    places = zip(other, box, strict=False)
    return bool(other and box) and all(one[0] <= two[0] and two[1] <= one[1] for one, two in places)


def _box(shape: etree._Element) -> _Box:
    place = shape.find("{*}xfrm") if shape.find("{*}xfrm") is not None else shape.find("./*/{*}xfrm")
    if place is None or _measure(place, "rot") or place.find("{*}ext") is None:
        return []
    start, extent = place.find("{*}off"), place.find("{*}ext")
    return [(_measure(start, one), _measure(start, one) + _measure(extent, f"c{one}")) for one in "xy"]


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


def _leave_out_unseen(slide: etree._Element, deck: etree._Element, colors: _Colors) -> int:
    """Remove what is struck out, and what is hidden, tiny, beside the slide or of its ground; counts that."""
    _leave_out_struck(slide)
    size = next(deck.iter("{*}sldSz"), None)
    unseen = [run for run in slide.iter("{*}r", "{*}fld") if colors.hide(run)]
    unseen += slide.xpath("//*[*/*[local-name()='cNvPr'][@hidden='1' or @hidden='true']]")
    unseen += colors.covered
    for shape in slide.iterfind("{*}cSld/{*}spTree/*") if size is not None else ():
        sides = zip(_box(shape), (_measure(size, "cx"), _measure(size, "cy")), strict=False)
        unseen += [shape for (start, end), whole in sides if end < 0 or start > whole]
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
        is_filled = any(_GROUNDS.search(package.content(one)) for one in parts)
        styles = _styles_in([package.root(one) for one in parts])
        paper = styled(_style_of(styles[""]), Look(ink=(), ground=() if is_filled else WHITE))
        body = next(root.iter("{*}body"))
        title = next((one_line("".join(heading.itertext())) for heading in body.iter("{*}h")), "")
        slides, count = list(body.iter("{*}page")), 0
        looks: dict[etree._Element, Look] = {}
        for element in body.iter(etree.Element):
            around = looks.get(element.getparent(), paper)
            style = _style_of(styles.get(attribute(element, "style-name") or "?", {}), element)
            looks[element] = styled(style, paper if around.is_gone else around) if style else around
        # What is inside first: a row is copied as HTML.
        for element in reversed(list(body.iter(etree.Element))):
            own = styles.get(attribute(element, "style-name") or "?", {})
            is_struck = own.get("text-line-through-style", "none") != "none"
            look = looks[element]
            is_hidden = look.is_gone and looks.get(element.getparent()) is not look
            if look.is_unseen and not look.is_gone and _has_words(element.xpath("text()")):
                is_hidden = not len(element)
                if not is_hidden:
                    count += 1
                    leave_out_words(element)
            if is_hidden or is_struck or local_name(element) in _NOT_SHOWN:
                count += is_hidden and _has_words(element.itertext())
                leave_out(element, keeps_cell=True)
            if element.getparent() is not None:
                _rename_part(element, slides)
        outline = Outline()
        read_page(body, outline, limit)
    return Content(title, outline.sections(), (Reason("html-hidden", {"count": count}),) if count else ())


def _styles_in(roots: list[etree._Element]) -> dict[str, dict[str, str]]:
    """What each style says, with what it has from its parent; that of all paragraphs has no name."""
    styles: dict[str, dict[str, str]] = {"": {}}
    # A style stands behind its parent, in that file or this one.
    for style in (one for root in roots for one in root.iter("{*}style", "{*}default-style")):
        found = dict(styles.get(attribute(style, "parent-style-name") or "?", {}))
        for rule in style:
            found |= _attributes(rule)
        if name := attribute(style, "name"):
            styles[name] = found
        elif attribute(style, "family") == "paragraph":
            styles[""] = {"font-size": found.get("font-size", "")}
    return styles


def _attributes(element: etree._Element) -> dict[str, str]:
    return {str(key).rpartition("}")[2]: str(value) for key, value in element.attrib.items()}


def _has_words(texts: Iterable[str]) -> bool:
    return any(map(str.isalnum, "".join(texts)))


def _style_of(own: Mapping[str, str], element: etree._Element | None = None) -> str:
    """How an element looks by its style and its attributes, as CSS."""
    written = {} if element is None else _attributes(element)
    is_frame = element is not None and local_name(element) == "frame"
    found = {**own, **written} if is_frame else own
    if own.get("use-window-font-color") == "true":
        found = {**found, "color": "?"}
    # Its column, or a condition, may give a cell other colours.
    if "apply-style-name" in own or (element is not None and local_name(element) == "table-cell" and not own):
        found = {**found, "color": "?", "background-color": "?"}
    style = ";".join(
        f"{_IN_CSS[name]}:{value}"
        for name, value in found.items()
        if name in _IN_CSS and not (name == "font-size" and "%" in value)  # of a parent's size
    )
    style += ";position:absolute" if is_frame else ""
    is_off = any(one.get(name) in values for name, values in _OFF.items() for one in (own, written))
    return f"{style};display:none" if is_off else style


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
