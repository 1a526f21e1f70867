"""Reads Word files (DOCX) as HTML: the elements of their XML get the names that the same things have there.

Read from the XML itself: libraries leave out content controls, insertions that wait for approval, or the
numbers of lists and headings, which are counted here as Word counts them when it shows them.
"""

from __future__ import annotations

from collections.abc import Mapping

import regex
from lxml import etree

from rag.knowledge.loaders.content import Content, Outline, TextLimit
from rag.knowledge.loaders.html import HEADINGS, leave_out, read_page, shown_text
from rag.knowledge.loaders.looks import WHITE, Look
from rag.knowledge.loaders.office import rename, set_charts
from rag.knowledge.loaders.package import Package, attribute, is_on, local_name, opened
from rag.knowledge.loaders.unseen import styled
from rag.language.visible import one_line
from rag.reasons import Reason

_TAGS = {
    "p": "p", "tbl": "table", "tr": "tr", "tc": "td", "br": "br", "cr": "br", "item": "div",
    **{tag: tag for tag in HEADINGS},
}  # fmt: skip
# Deleted and moved text, and the second copy of a drawing for old readers.
_SKIPPED = {"del", "moveFrom", "Fallback"}
_STRIKING = {"strike", "dstrike"}
_FLAT, _AWAY = 40, -15_000  # twips: of two points, and to the left of a page
_PLACES = {"x", "left", "tblpX"}
_DRAWINGS = {"anchor", "inline", "group", "shape", "rect", "roundrect", "oval"}
_OFF_BY_STYLE = regex.compile(r"visibility:\s*hidden|display:\s*none")
_BEHIND = "//*[local-name()='background' or @behindDoc='1' or contains(@style, 'z-index:-')]"
_EFFECTS = {"textFill", "textOutline", "outline", "shadow", "emboss", "imprint", "glow"}
"""What shows letters whatever their colour is."""
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
        styles = _Styles(package, main, root)
        _leave_out_unseen(body, styles)
        lines = _heads_and_feet(package, main, root, styles)
        _set_notes(body, package, main, styles)
        notes = [] if set_charts(root, package, main) else [Reason("chart-not-read", {"place": "DOCX"})]
        notes += [Reason("html-hidden", {"count": styles.unseen})] if styles.unseen else []
        _set_labels(body, styles)
        for line in lines:
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


def _leave_out_unseen(root: etree._Element, styles: _Styles) -> None:
    """Remove what is deleted, hidden or struck out; counts the hidden parts with text."""
    looks: dict[etree._Element, Look] = {}
    for element in list(root.iter(etree.Element)):
        name = local_name(element)
        around = looks.get(element.getparent(), styles.page)
        if name == "txbxContent" and not around.is_gone:
            around = Look(ink=(), ground=())  # nothing is as in the text around it
        marks = {local_name(mark): mark for mark in styles.marks(element)} if name == "r" else {}
        style = _style_of_run(marks) if name == "r" else _style_of(element, name, styles)
        look = looks[element] = styled(style, around) if style and not around.is_gone else around
        is_struck = any(attribute(marks[one], "val") not in _OFF for one in _STRIKING & marks.keys())
        is_hidden = not around.is_gone and (look.is_unseen if name == "t" else look.is_gone)
        if name in _SKIPPED or is_struck or is_hidden:
            styles.unseen += bool(is_hidden and not is_struck and _text(element).strip())
            leave_out(element)


def _style_of_run(marks: Mapping[str, etree._Element]) -> str:
    """What the marks of a run say of its looks, as CSS."""
    color, vanish, size, wide, light = (
        attribute(marks.get(one), "val") for one in ("color", "vanish", "sz", "w", "highlight")
    )
    style = "display:none;" if "vanish" in marks and vanish not in _OFF else ""
    if "color" in marks:
        theme = "".join(str(one) for key, one in marks["color"].attrib.items() if "theme" in str(key))
        is_sure = theme in {"", "background1", "light1"} and not _EFFECTS & marks.keys()  # without a shade
        style += f"color:#{'?' if not is_sure else 'fff' if theme else color};"
    style += f"font-size:calc({size}pt/2);" if size else ""
    style += f"scale:{wide.removesuffix('%')}%;" if wide else ""
    # Other colours of this name are not those of CSS.
    marker = light if light in {"black", "white"} else "?"
    return f"{style}background:{marker if light not in {'', 'none'} else _fill(marks.get('shd'))}"


def _style_of(element: etree._Element, name: str, styles: _Styles) -> str:
    """What is known of the ground and the place of a part of a text, as CSS."""
    if name in _DRAWINGS:
        hidden = (attribute(one, "hidden") for one in (element, element.find("{*}docPr")))
        if any(map(is_on, hidden)) or _OFF_BY_STYLE.search(attribute(element, "style")):
            return "display:none"
    if name not in {"p", "tbl", "tr", "tc"}:
        return ""
    marks = {local_name(mark): mark for mark in element.iterfind(f"{{*}}{name}Pr/*")}
    owners = styles.with_ancestors(attribute(marks.get(f"{name}Style"), "val"))
    fills = [_fill(shade) for style in owners for shade in style.iter("{*}shd")]
    own = [_fill(marks["shd"])] if "shd" in marks else fills[:1]
    # The style of a table may give some of its cells another ground.
    fill = "?" if name == "tbl" and any(fills) else "".join(own)
    is_off = any(map(_is_away_or_flat, marks.values()))
    return f"background:{fill};" * bool(fill) + "visibility:hidden" * is_off


def _is_away_or_flat(mark: etree._Element) -> bool:
    """Whether a mark puts a part of a text to the left of the page, or makes its lines flat."""
    written = {str(key).rpartition("}")[2]: _whole(str(one)) for key, one in mark.attrib.items()}
    is_exact = "exact" in mark.attrib.values()
    return any(written[one] < _AWAY for one in _PLACES & written.keys()) or (
        is_exact and 0 < (written.get("line") or written.get("val", 0)) <= _FLAT
    )


def _whole(written: str) -> int:
    return int(written) if regex.fullmatch(r"-?\d{1,9}", written) else 0


def _fill(shade: etree._Element | None) -> str:
    """The colour of a shading; "?" if its pattern or the theme decides it."""
    fill, pattern = attribute(shade, "fill"), attribute(shade, "val")
    if shade is None or pattern == "nil":
        return ""
    is_sure = pattern in {"", "clear"} and not attribute(shade, "themeFill")
    return "?" if not is_sure else "" if fill in {"", "auto"} else f"#{fill}"


def _heads_and_feet(package: Package, main: str, root: etree._Element, styles: _Styles) -> list[str]:
    """The lines above and below the pages, each once, without page numbers."""
    settings = next(package.related(main, "settings"), root)
    turned_off = set() if next(root.iter("{*}titlePg"), None) is not None else {"first"}
    turned_off |= set() if settings.find("{*}evenAndOddHeaders") is not None else {"even"}
    references = root.iter("{*}headerReference", "{*}footerReference")
    shown = {attribute(one, "id") for one in references if attribute(one, "type") not in turned_off}
    lines: dict[str, None] = {}
    for kind in ("header", "footer"):
        for name, relation in package.relations(main).items():
            if relation.kind == kind:
                part = package.root(relation.part)
                _leave_out_unseen(part, styles)
                words = dict.fromkeys(_text(paragraph) for paragraph in part.iter("{*}p"))
                styles.unseen += name not in shown and any(words)
                lines |= words if name in shown else {}
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
    def __init__(self, package: Package, main: str, root: etree._Element) -> None:
        self.unseen = 0  # parts with text
        heads = (part for kind in ("header", "footer") for part in package.related(main, kind))
        behind = any(one.xpath(_BEHIND) for one in (root, *heads))
        self.page = Look(ink=(), ground=() if behind else WHITE)
        self._styles = {
            attribute(style, "styleId"): style
            for part in package.related(main, "styles")
            for style in part.iter("{*}style")
        }
        kinds = {
            attribute(one, "type"): name
            for name, one in self._styles.items()
            if is_on(attribute(one, "default"))
        }
        self._paragraph = kinds.get("paragraph", "")
        defaults = (part.iterfind(".//{*}rPrDefault/{*}rPr/*") for part in package.related(main, "styles"))
        self._defaults = [mark for found in defaults for mark in found]
        self._marks: dict[tuple[str, str], list[etree._Element]] = {}
        self._levels: dict[str, dict[int, etree._Element]] = {}
        self._lists: dict[str, str] = {}
        self._counts: dict[str, dict[int, int]] = {}
        for part in package.related(main, "numbering"):
            for one in part.iter("{*}abstractNum"):
                levels = {int(attribute(level, "ilvl") or 0): level for level in one.iter("{*}lvl")}
                self._levels[attribute(one, "abstractNumId")] = levels
            for one in part.iter("{*}num"):
                self._lists[attribute(one, "numId")] = _value(one, "abstractNumId")

    def with_ancestors(self, name: str) -> list[etree._Element]:
        """A style, and those that it is based on."""
        found: list[etree._Element] = []
        while name in self._styles and len(found) < _ANCESTORS:
            found.append(self._styles[name])
            name = _value(found[-1], "basedOn")
        return found

    def marks(self, run: etree._Element) -> list[etree._Element]:
        """The marks of a run: of its paragraph's style, of its own style, and its own, which count most."""
        paragraph = next(run.iterancestors("{*}p"), run)
        own = attribute(paragraph.find("{*}pPr/{*}pStyle"), "val") or self._paragraph
        names = own, attribute(run.find("{*}rPr/{*}rStyle"), "val")
        if names not in self._marks:
            owners = [style for name in names for style in reversed(self.with_ancestors(name))]
            of_styles = (mark for owner in owners for mark in owner.iterfind("{*}rPr/*"))
            self._marks[names] = [*self._defaults, *of_styles]
        return [*self._marks[names], *run.iterfind("{*}rPr/*")]

    def level(self, name: str) -> int:
        """The level of a heading, from 1; 0 for a style that is none."""
        for style in self.with_ancestors(name):
            kind, _, level = _value(style, "name").lower().partition(" ")
            if kind == "title" and not level:
                return 1
            if kind == "heading" and level in set("123456789"):
                return int(level)
        return 0

    def label(self, paragraph: etree._Element, name: str) -> str:
        """The number of a paragraph, "-" for a bullet, or an empty string."""
        owners = [paragraph, *self.with_ancestors(name)]
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
