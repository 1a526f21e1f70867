"""Reads HTML: the text a reader sees, without scripts, navigation, and what is hidden or struck out."""

from __future__ import annotations

from collections.abc import Iterator

import bs4
import regex
from bs4 import BeautifulSoup, Tag
from bs4.dammit import EncodingDetector
from bs4.element import NavigableString, PageElement

from rag.errors import DocumentError
from rag.knowledge.loaders.content import Content, Outline, TextLimit, table_row, table_rule
from rag.knowledge.loaders.text import decode
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_DROPPED = {
    "script", "style", "noscript", "template", "svg", "nav", "footer", "iframe", "object", "canvas",
    "audio", "video", "button", "select", "input", "textarea", "dialog", "head", "link", "meta",
    "del", "s", "strike",
}  # fmt: skip
_BLOCKS = {
    "address", "article", "aside", "blockquote", "body", "caption", "center", "dd", "details", "div",
    "dl", "dt", "fieldset", "figcaption", "figure", "form", "header", "hgroup", "hr", "html", "legend", "li",
    "main", "ol", "p", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead", "tr", "ul",
}  # fmt: skip
_PARAGRAPHS = {"p", "ul", "ol", "dl", "blockquote", "figure", "table", "section", "article"}
_HEADINGS = {f"h{level}": level for level in range(1, 7)}
_HIDDEN_STYLE = regex.compile(
    r"""
    display\s*+:\s*+none | visibility\s*+:\s*+(?:hidden|collapse) | font-size\s*+:\s*+0(?![.\d])
    | opacity\s*+:\s*+(?:0?\.)?0++%?\s*+(?:;|!|$) | (?<![-\w])color\s*+:\s*+transparent
    | clip\s*+:\s*+rect\(\s*+[01](?:px)?[\s,] | clip-path\s*+:\s*+(?:inset\(\s*+(?:50|100)%|circle\(\s*+0)
    | text-decoration(?:-line)?\s*+:[^;]{0,40}?line-through
    | (?:left|top|right|bottom|text-indent|margin-left)\s*+:\s*+-\d{3,}
    """,
    regex.VERBOSE,
)
"""Inline styles whose text nobody sees (not shown, without size or colour, cut to nothing, off the page), or
that strike it out."""
_INVISIBLE_TEXT = (bs4.Comment, bs4.CData, bs4.Declaration, bs4.Doctype, bs4.ProcessingInstruction)


def load_html(content: bytes, limit: TextLimit) -> Content:
    """Read an HTML page.

    Raises:
        DocumentError: It is no text, or has too much of it.
    """
    try:
        soup = BeautifulSoup(_decoded(content), "lxml")
    except bs4.ParserRejectedMarkup as error:
        raise DocumentError(Reason("not-html")) from error
    title = one_line(soup.title.get_text()) if soup.title else ""
    main = soup.find("main") or soup.body or soup
    has_top_heading = isinstance(main.find("h1"), Tag)
    page = _Page(Outline("" if has_top_heading else title), limit)
    page.read(main)
    return Content(title, page.outline.sections())


def _decoded(content: bytes) -> str:
    """The page as text: UTF-8 if it is valid, else what the page says, else the likeliest encoding."""
    declared = EncodingDetector.find_declared_encoding(content, is_html=True)
    try:
        content.decode("utf-8")
    except UnicodeDecodeError:
        if declared and not content.startswith((b"\xff\xfe", b"\xfe\xff")):
            try:
                return content.decode(declared)
            except (UnicodeDecodeError, LookupError):
                pass  # a wrong declaration is common; the bytes themselves decide
    return decode(content)


class _Page:
    """Walks the tree without recursion: pages are nested as deeply as their author likes."""

    def __init__(self, outline: Outline, limit: TextLimit) -> None:
        self.outline = outline
        self._limit = limit
        self._words: list[str] = []

    def read(self, root: Tag) -> None:
        """Put the text below `root` into the outline."""
        stack: list[tuple[Iterator[PageElement], Tag]] = [(iter(root.children), root)]
        while stack:
            children, parent = stack[-1]
            child = next(children, None)
            if child is None:
                stack.pop()
                self._leave(parent)
            elif isinstance(child, Tag):
                if self._enter(child):
                    stack.append((iter(child.children), child))
            elif isinstance(child, NavigableString) and not isinstance(child, _INVISIBLE_TEXT):
                self._words.append(str(child))

    def _enter(self, tag: Tag) -> bool:
        """Handle the beginning of a tag; returns whether its children are still to be read."""
        if tag.name in _DROPPED or _is_hidden(tag):
            return False
        if tag.name in _HEADINGS:
            self._end_line()
            title = one_line(tag.get_text(" "))
            self._limit.count(title)
            self.outline.heading(_HEADINGS[tag.name], title, _anchor(tag))
        elif tag.name == "pre":
            self._end_line()
            self.outline.blank()
            self._add(f"```\n{visible(tag.get_text()).strip(chr(10))}\n```")
            self.outline.blank()
        elif tag.name == "table" and not _is_layout(tag):
            self._end_line()
            self._add_table(tag)
        elif tag.name == "img":
            alternative = tag.get("alt")
            self._words.append(f" {alternative} " if isinstance(alternative, str) else "")
        else:
            if tag.name in _BLOCKS or tag.name == "br":
                self._end_line()
            if tag.name == "li":
                self._words.append("- ")
            return True
        return False

    def _leave(self, tag: Tag) -> None:
        if tag.name in _BLOCKS:
            self._end_line()
        if tag.name in _PARAGRAPHS:
            self.outline.blank()

    def _end_line(self) -> None:
        line = one_line("".join(self._words))
        self._words = []
        if line not in {"", "-"}:
            self._add(line)

    def _add(self, text: str) -> None:
        self._limit.count(text)
        self.outline.line(text)

    def _add_table(self, table: Tag) -> None:
        self.outline.blank()
        for number, row in enumerate(table.find_all("tr")):
            cells = [cell.get_text(" ") for cell in row.find_all(["td", "th"]) if not _is_hidden(cell)]
            if any(cell.strip() for cell in cells):
                self._add(table_row(cells))
                if number == 0:
                    self.outline.line(table_rule(len(cells)))
        self.outline.blank()


def _anchor(heading: Tag) -> str:
    """The name by which an address points at a heading: its own, a part's of it, or its section's."""
    parent = heading.parent
    around = [parent] if parent is not None and parent.name in {"section", "article"} else []
    for tag in (heading, *heading.find_all(["a", "span"], limit=5), *around):
        name = tag.get("id") or tag.get("name")
        if isinstance(name, str) and name.strip():
            return name.strip()
    return ""


def _is_hidden(tag: Tag) -> bool:
    style = tag.get("style")
    return (
        tag.has_attr("hidden")
        or tag.get("role") == "navigation"
        or (isinstance(style, str) and _HIDDEN_STYLE.search(style.lower()) is not None)
    )


def _is_layout(table: Tag) -> bool:
    """Whether a table only places parts of a page: it holds tables, headings or code."""
    return (
        table.find(["table", "pre", *_HEADINGS]) is not None or len(table.find_all(["td", "th"], limit=2)) < 2
    )
