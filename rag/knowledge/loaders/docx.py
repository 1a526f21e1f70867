"""Reads Word files (DOCX) as HTML: the elements of their XML get the names that the same things have there.

Read from the XML itself: libraries leave out content controls, insertions that wait for approval, or the
numbers of lists and headings, which are counted here as Word counts them when it shows them.
"""

from __future__ import annotations

from collections.abc import Mapping

from lxml import etree

from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.html import HEADINGS, leave_out, read_page, shown_text
from rag.knowledge.loaders.office import rename, set_charts
from rag.knowledge.loaders.package import Package, attribute, local_name, opened
from rag.knowledge.loaders.unseen import PALE
from rag.language.visible import one_line
from rag.reasons import Reason

_TAGS = {
    "p": "p", "tbl": "table", "tr": "tr", "tc": "td", "br": "br", "cr": "br", "item": "div",
    **{tag: tag for tag in HEADINGS},
}  # fmt: skip
# Deleted and moved text, and the second copy of a drawing for old readers.
_SKIPPED = {"del", "moveFrom", "Fallback"}
_STRIKING = {"strike", "dstrike"}
_LEAST_HALF_POINTS = 4  # letters of more are seen
_OFF = {"0", "false", "off", "none"}
_ROMAN = (
    (1000, "m"), (900, "cm"), (500, "d"), (400, "cd"), (100, "c"), (90, "xc"), (50, "l"), (40, "xl"),
    (10, "x"), (9, "ix"), (5, "v"), (4, "iv"), (1, "i"),
)  # fmt: skip
_ANCESTORS = 20  # a style may be made its own ancestor


def load_docx(content: bytes, limit: TextLimit) -> Content:
    """Read a Word file: notes stand behind the words that refer to them, heads and feet at the beginning."""
    outline = Outline()
    with opened(content, limit, "Word") as package:
        main = package.main_part()
        root = package.root(main)
        body = next(root.iter("{*}body"))
        styles = _Styles(package, main)
        hidden = _leave_out_unseen(body, styles)
        notes = [] if set_charts(root, package, main) else [Reason("chart-not-read", {"place": "DOCX"})]
        notes += [Reason("html-hidden", {"count": hidden})] if hidden else []
        _set_notes(body, package, main, styles)
        _set_labels(body, styles)
        for line in _heads_and_feet(package, main, styles):
            limit.count(line)
            outline.line(line)
        outline.blank()
        _set_spans(body)
        title = next((_text(heading) for heading in body.iter("h1")), "")
        rename(body, _TAGS)
        read_page(body, outline, limit)
    return Content(title, outline.sections(), tuple(notes))


def _text(element: etree._Element) -> str:
    return shown_text("".join(element.itertext("{*}t")))


def _leave_out_unseen(root: etree._Element, styles: _Styles) -> int:
    """Remove what is deleted, hidden or struck out; returns how many hidden parts with text there were."""
    count = 0
    for element in list(root.iter(etree.Element)):
        name = local_name(element)
        found = styles.marks(element) if name == "r" else ()
        marks = {local_name(mark): attribute(mark, "val") for mark in found}
        ground = next((attribute(mark, "fill") for mark in reversed(found) if local_name(mark) == "shd"), "")
        is_struck = any(marks.get(mark, "off") not in _OFF for mark in _STRIKING)
        is_hidden = (
            marks.get("vanish", "off") not in _OFF
            or ("sz" in marks and marks["sz"].isdecimal() and int(marks["sz"]) <= _LEAST_HALF_POINTS)
            or (PALE.fullmatch(marks.get("color", "")) and _is_on_white(element, marks))
            or (ground not in {"", "auto"} and marks.get("color", "").lower() == ground.lower())
        )
        if name in _SKIPPED or is_struck or is_hidden:
            count += bool(is_hidden and not is_struck and _text(element).strip())
            leave_out(element)
    return count


def _is_on_white(run: etree._Element, marks: Mapping[str, str]) -> bool:
    """Whether nothing gives the words of a run a background: no shading, no table, no shape."""
    if not {"shd", "highlight"}.isdisjoint(marks):
        return False
    above = {local_name(element) for element in run.iterancestors()}
    paragraph = next(run.iterancestors("{*}p"), None)
    return above.isdisjoint({"tbl", "txbxContent"}) and (
        paragraph is None or paragraph.find("{*}pPr/{*}shd") is None
    )


def _heads_and_feet(package: Package, main: str, styles: _Styles) -> list[str]:
    """The lines above and below the pages, each once; a number of the page says nothing."""
    lines: dict[str, None] = {}
    for kind in ("header", "footer"):
        for part in package.related(main, kind):
            _leave_out_unseen(part, styles)
            lines |= dict.fromkeys(_text(paragraph) for paragraph in part.iter("{*}p"))
    return [line for line in lines if sum(map(str.isalpha, line)) > 5]


def _set_notes(body: etree._Element, package: Package, main: str, styles: _Styles) -> None:
    """Put footnotes and endnotes at the end of the paragraph that refers to them."""
    for kind in ("footnote", "endnote"):
        notes: dict[str, str] = {}
        for part in package.related(main, f"{kind}s"):
            _leave_out_unseen(part, styles)
            # Those with a type are the lines between text and notes.
            notes |= {
                attribute(note, "id"): _text(note)
                for note in part
                if attribute(note, "type") in {"", "normal"}
            }
        for reference in list(body.iter(f"{{*}}{kind}Reference")):
            paragraph = next(reference.iterancestors("{*}p"), None)
            text = notes.get(attribute(reference, "id"))
            if text and paragraph is not None:
                etree.SubElement(paragraph, "br")
                etree.SubElement(paragraph, "t").text = f"({text})"


def _set_spans(body: etree._Element) -> None:
    """Repeat what is merged over several rows in each of them, and note the columns that a cell goes over."""
    for table in body.iter("{*}tbl"):
        above: dict[int, str] = {}
        for row in table.iterfind("{*}tr"):
            column = 0
            for cell in row.iterfind("{*}tc"):
                merge, span = cell.find("{*}tcPr/{*}vMerge"), cell.find("{*}tcPr/{*}gridSpan")
                if merge is not None and attribute(merge, "val") != "restart":
                    etree.SubElement(cell, "t").text = above.get(column, "")
                above[column] = _text(cell)
                cell.set("colspan", attribute(span, "val"))
                column += int(attribute(span, "val") or 1)


def _set_labels(body: etree._Element, styles: _Styles) -> None:
    """Name headings and items of lists by their style, and write out their numbers."""
    for paragraph in list(body.iter("{*}p")):
        name = attribute(paragraph.find("{*}pPr/{*}pStyle"), "val")
        label = styles.label(paragraph, name)
        if not _text(paragraph):
            continue
        if level := styles.level(name):
            label = label.strip("-")
            paragraph.tag = f"h{level}"
        elif label or name.startswith("List"):
            label = label or "-"
            paragraph.tag = "item"
        if label:
            words = etree.Element("t")
            words.text = f"{label} "
            paragraph.insert(0, words)


class _Styles:
    def __init__(self, package: Package, main: str) -> None:
        self._styles = {
            attribute(style, "styleId"): style
            for part in package.related(main, "styles")
            for style in part.iter("{*}style")
        }
        self._levels: dict[str, dict[int, etree._Element]] = {}
        self._lists: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = {}
        for part in package.related(main, "numbering"):
            for one in part.iter("{*}abstractNum"):
                levels = {int(attribute(level, "ilvl") or 0): level for level in one.iter("{*}lvl")}
                self._levels[attribute(one, "abstractNumId")] = levels
            for one in part.iter("{*}num"):
                self._lists[attribute(one, "numId")] = _value(one, "abstractNumId")

    def _with_ancestors(self, name: str) -> list[etree._Element]:
        found: list[etree._Element] = []
        while name in self._styles and len(found) < _ANCESTORS:
            found.append(self._styles[name])
            name = _value(found[-1], "basedOn")
        return found

    def marks(self, run: etree._Element) -> list[etree._Element]:
        """The marks of a run: of its paragraph's style, of its own style, and its own, which count most."""
        paragraph = next(run.iterancestors("{*}p"), None)
        names = (
            "" if paragraph is None else attribute(paragraph.find("{*}pPr/{*}pStyle"), "val"),
            attribute(run.find("{*}rPr/{*}rStyle"), "val"),
        )
        owners = [style for name in names for style in reversed(self._with_ancestors(name))]
        return [mark for owner in (*owners, run) for mark in owner.iterfind("{*}rPr/*")]

    def level(self, name: str) -> int:
        """The level of a heading, from 1; 0 for a style that is none."""
        for style in self._with_ancestors(name):
            kind, _, level = _value(style, "name").lower().partition(" ")
            if kind == "title" and not level:
                return 1
            if kind == "heading" and level in set("123456789"):
                return int(level)
        return 0

    def label(self, paragraph: etree._Element, name: str) -> str:
        """The number of a paragraph, "-" for a bullet, or an empty string."""
        owners = [paragraph, *self._with_ancestors(name)]
        numberings = (owner.find("{*}pPr/{*}numPr") for owner in owners)
        numbering = next((one for one in numberings if one is not None), None)
        if numbering is None or _value(numbering, "numId") == "0":
            return ""
        levels = self._levels.get(self._lists.get(_value(numbering, "numId"), ""), {})
        own = int(_value(numbering, "ilvl") or 0)
        if own not in levels or _value(levels[own], "numFmt") in {"bullet", "none", ""}:
            return "-"
        counts = self._counts.setdefault(_value(numbering, "numId"), {})
        for deeper in [one for one in counts if one > own]:
            del counts[deeper]
        counts[own] = counts.get(own, _start(levels[own]) - 1) + 1
        shown = _value(levels[own], "lvlText")
        for place, level in levels.items():
            count = _counted(counts.get(place, _start(level)), _value(level, "numFmt"))
            shown = shown.replace(f"%{place + 1}", count)
        return one_line(shown) or "-"


def _value(element: etree._Element, name: str) -> str:
    return attribute(element.find(f"{{*}}{name}"), "val")


def _start(level: etree._Element) -> int:
    start = _value(level, "start")
    return int(start) if start.isdecimal() and len(start) < 6 else 1


def _counted(number: int, form: str) -> str:
    if form.endswith("Letter"):
        letters = chr(ord("a") + (number - 1) % 26) * ((number - 1) // 26 + 1)
    elif form.endswith("Roman") and 0 < number < 4000:
        letters = ""
        for value, roman in _ROMAN:
            letters += roman * (number // value)
            number %= value
    else:
        return str(number)
    return letters.upper() if form.startswith("upper") else letters
