"""Converts Markdown to a text with formats.

The parser is the one that `telegramify-markdown` uses. The text is built here instead, because that library
loses content: HTML in prose (``List<String>``), a line ``[1]: guide.md`` that Markdown takes for a link's
definition, the address behind a word, the cells of a table that is too wide.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import pyromark
import regex

from bot.telegram.rendering import formulas, tables
from bot.telegram.rendering.addresses import mark_addresses, target
from bot.telegram.rendering.characters import visible
from bot.telegram.rendering.page import Page
from bot.telegram.rendering.styled import Kind, Span, Styled, styled, trim

_OPTIONS = (
    pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH | pyromark.Options.ENABLE_TASKLISTS
)
_LANGUAGE = regex.compile(r"[A-Za-z0-9_+#.-]{1,30}")
_LINE_BREAK_TAG = regex.compile(r"<br\s*/?>", regex.IGNORECASE)
_DUNDER = regex.compile(rb"__[a-z0-9]+(?:_[a-z0-9]+)*__")
_BULLETS = "•◦▪"
_INDENT = "   "
_RULE = "———"
_IMAGE = "🖼"
_TASK = {True: "☑", False: "☐"}
_INLINE: dict[str, Kind] = {"Strong": "bold", "Emphasis": "italic", "Strikethrough": "strikethrough"}


def format_markdown(markdown: str, allowed_hosts: Collection[str] = ()) -> Styled:
    """Convert Markdown to a text with formats.

    Args:
        markdown: Any text.
        allowed_hosts: Hosts whose addresses stay links; see `bot.telegram.rendering.addresses.target`.
    """
    source = _prepare(visible(markdown))
    walk = _Walk(source.encode("utf-8"), allowed_hosts)
    for event, place in pyromark.events_with_range(source, options=_OPTIONS):
        walk.take(event, place["start"], place["end"])
    whole = trim(walk.page.styled())
    # A text such as a row of ">" is an empty quote in Markdown: it is shown as it was written.
    return mark_addresses(whole if whole.text else Styled(visible(markdown)), allowed_hosts)


def _prepare(source: str) -> str:
    """Rewrite content outside code that the parser would lose.

    A definition ``[1]: guide.md`` would vanish and turn each ``[1]`` into a link; a formula would lose its
    delimiters.
    """
    if not any(mark in source for mark in ("]:", "\\", "$$")):
        return source
    raw = source.encode("utf-8")
    verbatim = [
        (place["start"], place["end"])
        for event, place in pyromark.events_with_range(source, options=_OPTIONS)
        if isinstance(event, dict)
        and ("Code" in event or "Html" in event or _is_code_block(event.get("Start")))
    ]
    bounds = [0, *(edge for stretch in verbatim for edge in stretch), len(raw)]
    pieces = [raw[start:end].decode("utf-8") for start, end in pairwise(bounds)]
    return "".join(
        formulas.rewrite_formulas(piece).replace("]:", "]\\:") if n % 2 == 0 else piece
        for n, piece in enumerate(pieces)
    )


def _is_code_block(tag: object) -> bool:
    return isinstance(tag, Mapping) and "CodeBlock" in tag


@dataclass(frozen=True, slots=True)
class _Open:
    """An open format or link: its start, its literal Markdown source, and the address of a link."""

    start: int
    kind: Kind | None = None
    literal: str = ""
    address: str = ""


class _Walk:
    """Builds the text from the events of the parser.

    Args:
        source: The Markdown as UTF-8 bytes, because the parser's offsets count bytes.
        allowed_hosts: Hosts whose addresses stay links.
    """

    def __init__(self, source: bytes, allowed_hosts: Collection[str]) -> None:
        self.page = Page()
        self._source = source
        self._allowed_hosts = allowed_hosts
        self._open: list[_Open] = []
        self._lists: list[int | None] = []  # next number of each enclosing list; None: bullets
        self._marker = ""
        self._quotes: list[int] = []
        self._code: list[str] | None = None
        self._code_language = ""
        self._cell: list[str] | None = None
        self._cell_end = 0
        self._rows: list[list[str]] = []

    def take(self, event: Any, start: int, end: int) -> None:  # noqa: ANN401 - the parser's events are nested dicts
        """Write one event of the parser; `start` and `end` are its byte offsets in the source."""
        if isinstance(event, str):
            if event == "Rule":
                self._separate()
                self._write(_RULE)
            else:
                # A model's line break is meant as one, unlike a line break in a wrapped file.
                self._write("\n")
            return
        ((name, value),) = event.items()
        match name:
            case "Start":
                tag, details = (value, None) if isinstance(value, str) else next(iter(value.items()))
                self._begin(tag, details, start, end)
            case "End":
                self._finish(value if isinstance(value, str) else next(iter(value)), end)
            case "Text" | "Html":
                self._write(value)
            case "Code":
                self._write_code(value)
            case "InlineHtml":
                self._write("\n" if _LINE_BREAK_TAG.fullmatch(value) else value)
            case "TaskListMarker":
                self._marker = _TASK[bool(value)]

    def _begin(self, tag: str, details: Any, start: int, end: int) -> None:  # noqa: ANN401 - as above
        match tag:
            case "Strong" | "Emphasis" | "Strikethrough":
                self._begin_inline(tag, self._source[start:end])
            case "Link" | "Image":
                self._write(f"{_IMAGE} " if tag == "Image" else "")
                self._open.append(_Open(self._place(), literal=tag, address=visible(details["dest_url"])))
            case "Heading":
                self._separate()
                self._open.append(_Open(self._place(), "bold"))
            case "Paragraph" | "HtmlBlock":
                self._separate()
            case "BlockQuote":
                self._separate_block()
                self._quotes.append(self.page.length)
            case "List":
                self._separate()
                self._lists.append(details)
            case "Item":
                self._begin_item()
            case "CodeBlock":
                words = details["Fenced"].split() if isinstance(details, Mapping) else []
                self._code_language = words[0] if words and _LANGUAGE.fullmatch(words[0]) else ""
                self._code = []
            case "Table":
                self._rows = []
            case "TableHead" | "TableRow":
                self._rows.append([])
            case "TableCell":
                self._cell = []

    def _finish(self, tag: str, end: int) -> None:
        match tag:
            case "Strong" | "Emphasis" | "Strikethrough" | "Heading":
                opened = self._open.pop()
                self._write(opened.literal)
                if opened.kind and not opened.literal and self._cell is None:
                    self.page.format(Span(opened.kind, opened.start, self.page.length))
            case "Link" | "Image":
                self._finish_link(self._open.pop())
            case "BlockQuote":
                self.page.format(Span("blockquote", self._quotes.pop(), self.page.length))
            case "List":
                self._lists.pop()
            case "Item":
                self._place(gap="")  # also for an empty item
            case "CodeBlock":
                self._finish_code()
            case "TableCell":
                self._rows[-1].append("".join(self._cell or ()))
                self._cell = None
                self._cell_end = end
            case "TableHead" | "TableRow":
                # Markdown ignores cells beyond the columns of the head, but their text must not be lost.
                beyond = self._source[self._cell_end : end].decode("utf-8").split("|")
                self._rows[-1] += [visible(cell) for cell in beyond if cell.strip()]
            case "Table":
                self._separate_block()
                self.page.append(tables.table(self._rows[0], self._rows[1:]))

    def _begin_inline(self, tag: str, source: bytes) -> None:
        """Open a format; ``~5`` and ``__init__`` are literal text, not formats."""
        literal = ""
        if tag == "Strikethrough" and source[1:2] != b"~":
            literal = "~"
        elif tag == "Strong" and _DUNDER.fullmatch(source):
            literal = "__"
        self._write(literal)
        self._open.append(_Open(self._place(), _INLINE[tag], literal))

    def _finish_link(self, opened: _Open) -> None:
        """Close a link: keep one to an allowed host; show addresses of other links and of images as code."""
        shown = self._since(opened.start).strip()
        url = target(opened.address, self._allowed_hosts) if "://" in opened.address else ""
        if url and shown and opened.literal == "Link" and self._cell is None:
            self.page.format(Span("text_link", opened.start, self.page.length, url))
        elif shown in {opened.address, opened.address.removeprefix("mailto:")}:
            pass  # the text of the link is its address
        elif opened.address and shown:
            self._write(" (")
            self._write_code(opened.address)
            self._write(")")
        elif opened.address:
            self._write_code(opened.address)

    def _begin_item(self) -> None:
        self._separate()
        number = self._lists[-1]
        if number is None:
            self._marker = _BULLETS[min(self._lists.count(None), len(_BULLETS)) - 1]
        else:
            self._marker = f"{number}."
            self._lists[-1] = number + 1

    def _finish_code(self) -> None:
        code = "".join(self._code or ()).removesuffix("\n")
        self._code = None
        self._separate_block()
        self.page.append(styled(code, "pre", language=self._code_language))

    def _separate(self) -> None:
        """Begin a block after a blank line, in a list on a new line, or right behind a bullet."""
        if self.page.length and not self._marker:
            self.page.put("\n" * max(0, (1 if self._lists else 2) - self.page.breaks))

    def _separate_block(self) -> None:
        """Begin a block that Telegram draws as a box, on a line of its own, never beside a bullet."""
        if self._marker:
            self._place(gap="")
        self._separate()

    def _place(self, gap: str = " ") -> int:
        """Begin the line if it has not begun, and return the offset of the next character."""
        if self._cell is not None:
            return sum(len(piece) for piece in self._cell)
        if self._lists and (self._marker or self.page.is_at_line_start):
            depth = len(self._lists)
            self.page.put(_INDENT * (depth - 1) + f"{self._marker}{gap}" if self._marker else _INDENT * depth)
            self._marker = ""
        return self.page.length

    def _since(self, place: int) -> str:
        return "".join(self._cell)[place:] if self._cell is not None else self.page.since(place)

    def _write(self, text: str) -> None:
        text = visible(text)  # again: the parser has decoded entities such as `&#8203;` only now
        if self._code is not None:
            self._code.append(text)
        elif self._cell is not None:
            self._cell.append(text)
        else:
            for n, line in enumerate(text.split("\n")):
                if n:
                    self.page.put("\n")
                if line:
                    self._place()
                    self.page.put(line)

    def _write_code(self, code: str) -> None:
        start = self._place()
        self._write(code)
        if self._cell is None:
            self.page.format(Span("code", start, self.page.length))
