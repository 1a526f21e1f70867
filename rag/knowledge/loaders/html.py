"""Reads HTML: what a reader sees or can open, without scripts, navigation and what is struck out.

The loaders of Word, PowerPoint, OpenDocument and EPUB rename the elements of their files to those of HTML, so
that headings, lists, tables and gaps are made here for all of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace

import regex
from lxml import etree

from rag.errors import DocumentError
from rag.knowledge.loaders import controls, unseen
from rag.knowledge.loaders.content import GAP, Content, Outline, TextLimit, close_gaps
from rag.knowledge.loaders.looks import Look
from rag.knowledge.loaders.package import local_name
from rag.knowledge.loaders.tables import add_table
from rag.knowledge.loaders.text import decode
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_DROPPED = {
    "script", "style", "noscript", "template", "svg", "nav", "footer", "iframe", "object", "canvas",
    "audio", "video", "button", "select", "input", "textarea", "dialog", "head", "link", "meta", "noembed",
    "noframes", "datalist", "title", "annotation", "annotation-xml", "mphantom", "progress", "meter",
}  # fmt: skip
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "br", "caption", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "form", "header", "hgroup", "hr", "html", "legend", "li",
    "main", "ol", "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_CELLS = {"td", "th", "table-cell"}
_PARAGRAPHS = {"p", "ul", "ol", "dl", "blockquote", "figure", "table", "section", "article"}
HEADINGS = {f"h{level}": level for level in range(1, 10)}
"""Levels by tag: HTML has six, Word nine."""
_OPENED_CLASS = regex.compile(r"\btabs?\b|pane|accordion|collaps|expand|toggle|spoiler|details|\bfaq")
"""Part of the class of what a control of the page opens, a tab or an expander."""
_DARK = regex.compile(r"(?:^|color-scheme\s*+:)[^;{}]*\bdark\b")
_PAGE = {"html", "body"}
_PANEL = "Panel"
"""An element around a panel of tabs, with the words on its tab; no page has names with capital letters."""
_DECLARED = regex.compile(rb"(?:charset|encoding)\s*=\s*[\"']?\s*([\w.:-]{1,40})", regex.IGNORECASE)
_NOTE_MARK = regex.compile(r"\s*[\[(]?(?:\d{1,3}|[*†‡])[\])]?\s*")
_RAISED = str.maketrans("0123456789+-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻")
_NO_NAME = regex.compile(r"[^\w.-]|^(?=[\d.-])", regex.ASCII)
_LABEL_CHARACTERS = 200  # more is a card with text of its own
_SPANNED = 100  # cells over which a value is repeated at the most


class _Tree:
    """Builds the tree of a page.

    The parser's own tree ends where a page is nested too deeply, and a builder of trees refuses names with a
    colon (``o:p`` in pages that Word saves) and those of scripts (``@click``): such a sign becomes ``_``.
    """

    def __init__(self) -> None:
        self._builder = etree.TreeBuilder()

    def start(self, tag: str, attributes: Mapping[str, str]) -> None:
        self._builder.start(_xml_name(tag), {_xml_name(name): value for name, value in attributes.items()})

    def end(self, tag: str) -> None:
        self._builder.end(_xml_name(tag))

    def data(self, text: str) -> None:
        self._builder.data(text)

    def close(self) -> etree._Element:
        return self._builder.close()


def _xml_name(name: str) -> str:
    return _NO_NAME.sub("_", name)


def load_html(content: bytes, limit: TextLimit, file: Callable[[str], bytes] | None = None) -> Content:
    """Read an HTML page; `file` gives the content of a style sheet by its address."""
    text, notes = _decoded(content)
    parser = etree.HTMLParser(
        encoding="utf-8", huge_tree=True, remove_comments=True, remove_pis=True, target=_Tree()
    )
    try:
        root = etree.fromstring(visible(text).encode(), parser)
    except etree.XMLSyntaxError as error:
        raise DocumentError(Reason("not-html")) from error
    title = next((_text(found) for found in root.xpath("//title[not(ancestor::svg)]")), "")
    for link in root.xpath("//link[@rel='stylesheet']") if file else ():
        if file is not None and (sheet := file(link.get("href", ""))):
            link.tag, link.text = "style", visible(sheet.decode("utf-8", "replace"))
    hidden = _leave_out_unseen(root)
    main = next((found for name in ("main", "body") for found in root.iter(name)), root)
    has_top_heading = main.find(".//h1") is not None
    outline = Outline("" if has_top_heading else title)
    read_page(main, outline, limit)
    notes += (Reason("html-hidden", {"count": hidden}),) if hidden else ()
    return Content(title, outline.sections(), notes)


def _decoded(content: bytes) -> tuple[str, tuple[Reason, ...]]:
    """The page as text, and a doubt about it.

    It is UTF-8 if that is valid, else what the page says, else the likeliest encoding.
    """
    declared = _DECLARED.search(content[:2000])
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        if declared and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
            try:
                return content.decode(declared[1].decode()), ()
            except (UnicodeDecodeError, LookupError):
                pass  # a wrong declaration is common; the bytes themselves decide
    return decode(content)


def gaps(text: str | None) -> str | None:
    """What a text without a meaning of its own must keep: that something was left out there."""
    return GAP if text and GAP in text else None


def leave_out(element: etree._Element, *, keeps_cell: bool = False) -> None:
    """Take an element away, but not what follows it; a cell may stay empty, for those beside it."""
    parent, before = element.getparent(), element.getprevious()
    if parent is None:
        return
    if keeps_cell and local_name(element) in _CELLS:
        element.text = None
        del element[:]
        return
    rest = (parent.text if before is None else before.tail) or ""
    rest = (rest if rest.endswith(GAP) else rest + GAP) + (element.tail or "").lstrip(GAP)
    if before is None:
        parent.text = rest
    else:
        before.tail = rest
    parent.remove(element)


def leave_out_words(element: etree._Element) -> None:
    """Take away the words of an element itself; what is inside may be seen."""
    element.text = GAP
    for one in element:
        one.tail = GAP


def _leave_out_unseen(root: etree._Element) -> int:
    """Remove what is struck out, and what is hidden unless a control opens it; returns how many of these."""
    sheets = [(sheet.get("media"), sheet.text or "") for sheet in root.iter("style")]
    unseen.apply_style_sheets(
        root, [f"@media {medium}{{{text}}}" if medium else text for medium, text in sheets]
    )
    opened = controls.opened_names(root)
    tabs = controls.tab_panels(root)
    themes = [*root.xpath("//meta[@name='color-scheme']/@content"), *(text for _, text in sheets)]
    is_white = not (root.xpath("//link[@rel='stylesheet']") or any(map(_DARK.search, themes)))
    page = Look() if is_white else Look(ink=(), ground=())
    count = 0
    looks: dict[etree._Element, Look] = {}
    gone: set[etree._Element] = set()
    counted: set[etree._Element] = set()
    for tag in list(root.iter(etree.Element)):
        if tag in gone:
            continue
        around = tag.getparent()
        classes = tag.get("class", "").lower().split()
        is_opened = tag.get("role") == "tabpanel" or tag.get("id") in opened or tag in tabs
        is_opened |= tag.tag in _PAGE or any(map(_OPENED_CLASS.search, classes))
        look = looks[tag] = unseen.look_at(tag, looks.get(around, page), is_opened=is_opened)
        if tag.tag in _PAGE and look.is_unseen and look.ground is page.ground:  # which is not known then
            looks[tag] = replace(look, ground=())
        if tag.tag in _DROPPED or tag.tag in _PAGE:
            continue
        is_struck = unseen.strikes(tag)
        if tag.tag == "sup" and tag.text and not len(tag):
            tag.text = tag.text.translate(_RAISED)  # "10<sup>6</sup>" is not 106
        if (is_all := is_struck or look.is_gone or _is_note_mark(tag)) or look.is_unseen:
            own = "".join(tag.itertext() if is_all else filter(None, [tag.text, *(one.tail for one in tag)]))
            if any(map(str.isalnum, own + tag.get("alt", ""))):
                count += look.is_unseen and not is_struck and around not in counted
                counted.add(tag)
            if is_all or not len(tag):
                gone |= set(tag.iter())
                leave_out(tag, keeps_cell=is_struck or not is_all)
            else:
                leave_out_words(tag)
    _label_panels(root, tabs)
    return count


def _is_note_mark(tag: etree._Element) -> bool:
    """Whether a link is the number of a note, glued to a word: "gem¹" must not become a number."""
    if tag.tag != "a" or not tag.get("href", "").startswith("#"):
        return False
    around = tag.getparent()
    outer = around if around is not None and around.tag == "sup" and not (around.text or "").strip() else tag
    before = outer.getprevious()
    text = outer.getparent().text if before is None else before.tail
    return bool(_NOTE_MARK.fullmatch("".join(tag.itertext())) and text and not text[-1].isspace())


def _label_panels(root: etree._Element, tabs: dict[etree._Element, etree._Element]) -> None:
    """Put the words of what opens each panel around it, in place of the tab or the summary."""
    for tag in root.iter("summary"):
        around = tag.getparent()
        if around is not None and around.tag == "details":
            tabs.setdefault(around, tag)
    for panel, tab in tabs.items():
        around, label = panel.getparent(), _label(tab) or tab.get("aria-label") or tab.get("title") or ""
        if around is None or not 0 < len(label) <= _LABEL_CHARACTERS:
            continue
        names = [tab.get("id"), panel.get("id")] if tab.tag == "summary" else []
        anchor = next(filter(None, [*map(_anchor, tab.iter(*HEADINGS)), *names]), "")
        wrapper = etree.Element(_PANEL, {"label": label, "id": anchor})
        around.replace(panel, wrapper)
        wrapper.tail, panel.tail = panel.tail, None
        wrapper.append(panel)
        templates = list(panel.iter("template"))
        if templates and (panel in templates or not _text(panel)):
            for template in templates:  # filled in when the panel is opened
                template.tag = "div"
        tab.tag = "button"  # which shows no words of its own


def read_page(root: etree._Element, outline: Outline, limit: TextLimit) -> None:
    """Put the text below an element of HTML into the outline."""
    page = _Page(outline, limit)
    walk = etree.iterwalk(
        root, events=("start", "end")
    )  # no recursion: pages are nested as their author likes
    for event, tag in walk:
        if event == "start":
            if page.enter(tag):
                page.words.append(tag.text or "")
            else:
                walk.skip_subtree()
        else:
            page.leave(tag)
            page.words.append((tag.tail or "") if tag is not root else "")
    page.end_line()


class _Page:
    def __init__(self, outline: Outline, limit: TextLimit) -> None:
        self.words: list[str] = []
        self._mark = ""
        self._outline = outline
        self._limit = limit

    def enter(self, tag: etree._Element) -> bool:
        """Handle the beginning of a tag; returns whether what is below it is still to be read."""
        if tag.tag in _DROPPED or tag.get("role") == "navigation":
            return False
        if tag.tag in _BLOCKS or tag.tag in HEADINGS or tag.tag == "pre":
            self.end_line()
        if tag.tag == _PANEL:
            self.end_line()
            label = tag.get("label", "")
            self._limit.count(label)
            self._outline.begin_part(label, tag.get("id", ""))
            return True
        if tag.tag in HEADINGS:
            title = _label(tag)
            self._limit.count(title)
            self._outline.heading(HEADINGS[tag.tag], title, _anchor(tag))
        elif tag.tag == "pre":
            code = visible("".join(tag.itertext()).replace(GAP, "")).strip("\n")
            self._outline.blank()
            self._add(f"```\n{code}\n```")
            self._outline.blank()
        elif tag.tag == "table" and not _is_layout(tag):
            if caption := " ".join(map(_text, tag.iterchildren("caption"))):
                self._add(caption)
            rows = [row for row in _rows(tag) if any(row)]
            add_table(rows, self._outline, self._limit, is_named=tag.get("class") != "sheet")
        else:
            if tag.tag == "img":
                self.words.append(f" {tag.get('alt', '')} ")
            elif tag.tag == "li":
                self._mark = _mark(tag)
                self.words.append(f"{self._mark} ")
            return True
        return False

    def leave(self, tag: etree._Element) -> None:
        if tag.tag in _BLOCKS:
            self.end_line()
        if tag.tag == "li":
            self.words = []
        if tag.tag in _PARAGRAPHS:
            self._outline.blank()
        if tag.tag == _PANEL:
            self.end_line()
            self._outline.end_part()

    def end_line(self) -> None:
        line = shown_text("".join(self.words))
        # A paragraph within an item follows its mark.
        self.words = [f"{line} "] if line == self._mark else []
        if line not in {"", self._mark}:
            self._add(line)

    def _add(self, text: str) -> None:
        self._limit.count(text)
        self._outline.line(text)


def _mark(item: etree._Element) -> str:
    around = item.getparent()
    if around is None or around.tag != "ol":
        return "-"
    start = around.get("start", "")
    return f"{(int(start) if start.isdecimal() and len(start) < 6 else 1) + around.index(item)}."


def _text(tag: etree._Element) -> str:
    """The text of a heading or a cell, in one line."""
    words: list[str] = []
    walk = etree.iterwalk(tag, events=("start", "end"))
    for event, part in walk:
        if part.tag in _BLOCKS or part.tag in HEADINGS:
            words.append(" ")
        if event == "end":
            words.append((part.tail or "") if part is not tag else "")
        elif part.tag in _DROPPED and part is not tag:
            walk.skip_subtree()
        else:
            words += [part.text or "", part.get("alt", "") if part.tag == "img" else ""]
    return shown_text("".join(words))


def _label(tag: etree._Element) -> str:
    """The text of a heading or a tab, also where a button holds it."""
    return _text(tag) or next(map(_text, tag.iter("button")), "")


def shown_text(text: str) -> str:
    """A text in one line, without the places of what was left out; numbers around one stay two."""
    return one_line(close_gaps(text))


def _anchor(heading: etree._Element) -> str:
    """The name by which an address points at a heading: its own, a part's of it, or its section's."""
    parent = heading.getparent()
    around = [parent] if parent is not None and parent.tag in {"section", "article"} else []
    for tag in (heading, *list(heading.iter("a", "span"))[:5], *around):
        name = (tag.get("id") or tag.get("name") or "").strip()
        if name:
            return name
    return ""


def _is_layout(table: etree._Element) -> bool:
    """Whether a table only places parts of a page: it holds tables, headings, panels or code."""
    is_frame = next(table.iterdescendants("table", "pre", _PANEL, *HEADINGS), None) is not None
    return is_frame or sum(1 for _ in zip(range(2), table.iter("td", "th"), strict=False)) < 2


def _rows(table: etree._Element) -> Iterator[list[str]]:
    """Yield the cells of a table; a value that goes over several rows or columns stands in each of them."""
    below: dict[int, tuple[int, str]] = {}
    for row in table.iter("tr"):
        cells: list[str] = []
        found = list(row.iterchildren("td", "th"))
        for cell in found:
            while len(cells) in below:
                cells.append(_next(below, len(cells)))
            text, high = _text(cell), _span(cell, "rowspan")
            for _ in range(_span(cell, "colspan") if len(found) > 1 else 1):
                if high > 1:
                    below[len(cells)] = (high - 1, text)
                cells.append(text)
        while len(cells) in below:
            cells.append(_next(below, len(cells)))
        yield cells


def _next(below: dict[int, tuple[int, str]], column: int) -> str:
    rows, text = below.pop(column)
    if rows > 1:
        below[column] = (rows - 1, text)
    return text


def _span(cell: etree._Element, name: str) -> int:
    number = cell.get(name, "")
    return min(max(int(number), 1), _SPANNED) if number.isdecimal() and len(number) < 6 else 1
