r"""Markdown, which models write, as blocks: nothing that a reader could need is lost on the way.

HTML and definitions such as ``[1]: guide.md`` are text, as their author meant them. No image is loaded: its
address would tell another host what was asked. A formula such as ``\(17 \times 3\)`` is written in
mathematical characters.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from functools import cache
from typing import Final

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token
from telegramify_markdown.latex_escape.helper import LatexToUnicodeHelper

from bot.views.blocks import Blocks, Code, Line, List, Quote, Style, Styles, Table, Text, Words, paragraph
from rag.language.visible import visible

_FORMULA = re.compile(r"\\\(([^\n`]{1,300}?)\\\)|\\\[([^`]{1,600}?)\\\]|\$\$([^`$]{1,600}?)\$\$")
_COMMAND = re.compile(r"\\[A-Za-z]{2,}|[_^]")
_LINE_BREAK_TAG = re.compile(r"<br\s*/?>", re.IGNORECASE)
_DUNDER = re.compile(r"[a-z0-9]+(?:_[a-z0-9]+)*")
_MARKER = re.compile(r"\[(\d{1,3})\]")
_TASK = re.compile(r"\[([ xX])\] ")
_LANGUAGE = re.compile(r"[A-Za-z0-9_+#.-]{1,30}")
_STYLES: Final[dict[str, Style]] = {"strong": "bold", "em": "italic", "s": "strikethrough"}
_DEEPEST: Final = 60
"""Levels of quotes and lists; what is deeper is shown as it was written."""


def parse(markdown: str, sources: Collection[int] = ()) -> Blocks:
    """Return Markdown, complete or cut off, as blocks; markers ``[n]`` point to the numbers in `sources`."""
    source = visible(markdown)
    reader = _Reader(_parser().parse(source), source.split("\n"), frozenset(sources))
    blocks = reader.read()
    # A row of ">" is an empty quote in Markdown, and was meant as it was written.
    return blocks if reader.has_words else (paragraph(source.strip()),) if source.strip() else ()


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False, "maxNesting": 2 * _DEEPEST})
    parser.enable(["table", "strikethrough"]).disable(["reference"])
    parser.block.ruler.before("table", "deep", _keep_deep)
    parser.inline.ruler.before("escape", "formula", _rewrite_formula)
    # Addresses are shown as they were written; whoever makes a link of one checks it.
    setattr(parser, "validateLink", lambda _url: True)  # noqa: B010 - its documentation says to assign
    setattr(parser, "normalizeLink", str)  # noqa: B010 - likewise
    setattr(parser, "normalizeLinkText", str)  # noqa: B010 - likewise
    return parser


def _keep_deep(state: StateBlock, start: int, end: int, _silent: bool) -> bool:
    """Take all that is left of a level too deep as a paragraph; the parser would drop it."""
    if state.level < _DEEPEST:
        return False
    state.push("paragraph_open", "p", 1)
    inline = state.push("inline", "", 0)
    inline.content, inline.children = state.getLines(start, end, 0, keepLastLF=False).strip(), []
    state.push("paragraph_close", "p", -1)
    state.line = end
    return True


def _rewrite_formula(state: StateInline, silent: bool) -> bool:
    found = _FORMULA.match(state.src, state.pos) if state.src[state.pos] in "\\$" else None
    formula = next(filter(None, found.groups()), "") if found else ""
    if found is None or not _COMMAND.search(formula):
        return False
    converted: str = _converter().convert(formula)  # type: ignore[no-untyped-call]  # it has no types
    text = " ".join(converted.split())
    if not text or "`" in text:
        return False
    if not silent:
        state.push("code_inline", "code", 0).content = text
    state.pos = found.end()
    return True


@cache
def _converter() -> LatexToUnicodeHelper:
    return LatexToUnicodeHelper()


class _Reader:
    """Reads the parser's tokens; `lines` are those of the source."""

    def __init__(self, tokens: Sequence[Token], lines: Sequence[str], sources: frozenset[int]) -> None:
        self.has_words = False
        self._tokens = iter(tokens)
        self._lines = lines
        self._sources = sources

    def read(self, end: str = "") -> Blocks:
        return tuple(self._blocks(end))

    def _blocks(self, end: str) -> Iterator[Quote | Code | List | Table | Text]:
        for token in self._tokens:
            if token.type == end:
                return
            match token.type:
                case "inline":
                    yield Text(self._line(token))
                case "heading_open":
                    yield Text(self._line(next(self._tokens)), int(token.tag[1]))
                case "blockquote_open":
                    yield Quote(self.read("blockquote_close"))
                case "bullet_list_open":
                    yield List(tuple(self._items("bullet_list_close")))
                case "ordered_list_open":
                    yield List(tuple(self._items("ordered_list_close")), int(token.attrs.get("start", 1)))
                case "fence" | "code_block":
                    self.has_words |= bool(token.content.strip())
                    language = token.info.split()[:1]
                    known = language[0] if language and _LANGUAGE.fullmatch(language[0]) else ""
                    yield Code(visible(token.content).removesuffix("\n"), known)
                case "hr":
                    self.has_words = True
                    yield paragraph("———")
                case "table_open":
                    head, *rows = self._rows()
                    yield Table(tuple(rows), head)

    def _items(self, end: str) -> Iterator[Blocks]:
        for token in self._tokens:
            if token.type == end:
                return
            item = self.read("list_item_close")
            match item:
                case (Text((first, *more)), *others) if found := _TASK.match(first.text):
                    sign = "☐" if found[1] == " " else "☑"
                    item = (Text((Words(f"{sign} {first.text[found.end() :]}"), *more)), *others)
            yield item

    def _rows(self) -> Iterator[tuple[Line, ...]]:
        row: list[Line] = []
        for token in self._tokens:
            match token.type:
                case "table_close":
                    return
                case "tr_open":
                    row = []
                    written = self._lines[token.map[0]] if token.map else ""
                case "inline":
                    row.append(self._line(token))
                case "tr_close":
                    # Markdown ignores cells beyond the columns of the head, but their text must not be lost.
                    cells = [cell.strip() for cell in written.lstrip(" >").strip("| ").split("|")]
                    yield (*row, *((Words(visible(cell)),) for cell in cells[len(row) :] if cell))

    def _line(self, token: Token) -> Line:
        words = tuple(self._words(token.children or ()))
        self.has_words |= any(one.text.strip() for one in words)
        return words

    def _words(self, tokens: Sequence[Token], styles: Styles = (), url: str = "") -> Iterator[Words]:
        for place, token in enumerate(tokens):
            name, _, what = token.type.partition("_")
            if name in _STYLES and _is_dunder(tokens, place if what == "open" else place - 2):
                yield Words("__", styles, url)
            elif name in _STYLES and what == "open":
                styles = (*styles, _STYLES[name])
            elif name in _STYLES and what == "close":
                styles = styles[:-1]
            elif token.type == "link_open":
                url = visible(str(token.attrs["href"]))
                if tokens[place + 1].type == "link_close":
                    yield Words(url, styles, url)
            elif token.type == "link_close":
                url = ""
            elif token.type == "image":
                yield from self._image(token, styles, url)
            elif token.type == "code_inline":
                yield Words(visible(token.content), (*styles, "code"), url)
            elif token.type in {"softbreak", "hardbreak"}:
                # A model's line break is meant as one, unlike a line break in a wrapped file.
                yield Words("\n", styles, url)
            elif token.content:
                yield from self._text(_LINE_BREAK_TAG.sub("\n", visible(token.content)), styles, url)

    def _image(self, token: Token, styles: Styles, url: str) -> Iterator[Words]:
        described = tuple(self._words(token.children or (), styles, url))
        address = Words(visible(str(token.attrs["src"])), (*styles, "code"), url)
        yield Words("🖼 ", styles, url)
        if described:
            yield from (*described, Words(" (", styles, url), address, Words(")", styles, url))
        else:
            yield address

    def _text(self, text: str, styles: Styles, url: str) -> Iterator[Words]:
        end = 0
        for found in _MARKER.finditer(text):
            if int(found[1]) in self._sources and not url:
                if end < found.start():
                    yield Words(text[end : found.start()], styles, url)
                yield Words(found[0], styles, source=int(found[1]))
                end = found.end()
        if text[end:]:
            yield Words(text[end:], styles, url)


def _is_dunder(tokens: Sequence[Token], start: int) -> bool:
    """Whether three tokens are a name such as ``__init__``, which is no format."""
    match tokens[max(start, 0) : start + 3]:
        case [Token(type="strong_open", markup="__"), Token(content=name), Token(type="strong_close")]:
            return _DUNDER.fullmatch(name) is not None
    return False
