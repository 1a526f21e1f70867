"""Reads reStructuredText and AsciiDoc: titles become sections, comments go, the text stays as it is.

The markup decides sections only, so no parser is needed: one that runs directives would read other files.
"""

from __future__ import annotations

from collections.abc import Iterable

import regex

from rag.knowledge.loaders.content import GAP, Content, Outline, close_gaps
from rag.language.visible import one_line, visible

_ADORNMENT = regex.compile(r"([!-/:-@\[-`{-~])\1++[ \t]*+")
_COMMENT = regex.compile(r"\.\.(?![^ \t])(?![ \t]+(?:\[[^\]]+\]|_|\|[^|]+\||(?!meta::)[\w.:+-]+::))")
_TARGET = regex.compile(r"\.\. _(?P<name>(?:[^:\n]|:(?=\S))++):[ \t]*+(?P<address>.*)")
_ROLE = regex.compile(r":[\w.+:-]{1,40}:`([^`<]{1,300}?)(?:\s*<[^`>]{1,300}>)?`")
_STRIKING = {"line-through", "strike", "strikethrough", "strike-through", "struck", "del"}
"""Names of roles, and of classes that roles stand for."""
_ROLE_TEXT = regex.compile(r"(?<![\w:`]):(?P<role>[\w.+-]{1,40}):`(?:[^`\n]|\n(?!\n)){1,500}+`")
_ROLE_CLASS = regex.compile(
    r"^\.\. role::[ \t]*+(?P<name>[\w.+-]++)[^\n]*+\n[ \t]++:class:(?P<classes>[^\n]*+)", regex.MULTILINE
)
_ROLES = r"\[(?P<roles>[.\w-]{1,60}+)\]"
_ROLES_OF_BLOCK = regex.compile(_ROLES)
_STRUCK_OR_BLOCK = regex.compile(
    r"^(?P<fence>-{4,}+|\.{4,}+|\+{4,}+|/{4,}+|`{3,}+)[\w-]*+[ \t]*+$.*?(?:^(?P=fence)[ \t]*$|\Z)"
    rf"|(?<![+\\]){_ROLES}(?P<marks>##?)(?:[^#\n]|\n(?!\n)){{1,500}}+(?P=marks)"
    r"|\+{3}<(?P<tag>del|s|strike)>(?:[^<\n]|\n(?!\n)){1,500}+</(?P=tag)>\+{3}",
    regex.MULTILINE | regex.DOTALL,
)
_HEADING = regex.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=marks))?[ \t]*")
_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
# Blocks whose lines are no markup, and comments, which nobody sees.
_BLOCK = regex.compile(r"(?P<fence>-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,})[\w-]*[ \t]*")
_ATTRIBUTE = regex.compile(r":!?[\w-]+!?:(?:[ \t].*)?")
_ANCHOR = regex.compile(r"\[(?:\[(?P<name>[\w:.-]++)(?:,[^\]]*)?\]|#(?P<name>[\w:-]++)[^\]]*)\][ \t]*")
_NOT_LATIN = regex.compile(r"[^a-z0-9]+")
_NOT_WORD = regex.compile(r"[^\w]+")


class _Reader:
    def __init__(self, text: str) -> None:
        self.lines = visible(text).split("\n")
        self.anchor = ""
        self._title = ""
        self._outline = Outline()

    def at(self, number: int) -> str:
        return self.lines[number].rstrip() if 0 <= number < len(self.lines) else ""

    def is_underlined(self, number: int) -> bool:
        """Whether a paragraph of one line begins here, and a line of marks as long stands below."""
        line, below = self.at(number), self.at(number + 1)
        is_alone = line and not line[0].isspace() and not self.at(number - 1).strip()
        is_marked = _ADORNMENT.fullmatch(below) and not _ADORNMENT.fullmatch(line)
        # A shorter line below a longer one is a transition, or a part of a table.
        return bool(is_alone and is_marked and len(below) >= max(len(line) - 1, 2))

    def heading(self, level: int, name: str, slug: str) -> None:
        self._title = self._title or name
        self._outline.heading(level, name, self.anchor or slug)
        self.anchor = ""

    def line(self, text: str) -> None:
        self._outline.line(text)
        self.anchor = "" if text.strip() else self.anchor

    def content(self) -> Content:
        return Content(self._title, self._outline.sections())


def load_rst(text: str) -> Content:
    """Read a reStructuredText document; levels come in the order of the marks of its titles."""
    text = text.expandtabs(8)
    struck = {found["name"] for found in _ROLE_CLASS.finditer(text) if _strikes(found["classes"].split())}
    struck |= _STRIKING
    text = _ROLE_TEXT.sub(lambda found: GAP if found["role"] in struck else found.group(), text)
    reader = _Reader(close_gaps(text))
    styles: list[str] = []
    number = 0
    while number < len(reader.lines):
        line, below = reader.at(number), reader.at(number + 1)
        target = _TARGET.fullmatch(line)
        style = ""
        if _ADORNMENT.fullmatch(line) and reader.at(number + 2) == line and below:
            style = line[0] * 2 if len(line) >= len(below) and not _ADORNMENT.fullmatch(below) else ""
        elif reader.is_underlined(number):
            style = below[0]
        if style:
            styles += [] if style in styles else [style]
            written = below if len(style) > 1 else line
            name = one_line(_ROLE.sub(r"\1", written).replace("``", "").replace("**", ""))
            reader.heading(styles.index(style) + 1, name, _NOT_LATIN.sub("-", name.lower()).strip("-"))
            number += len(style) + 1
        elif target and not target["address"]:
            # It names what follows.
            reader.anchor = _NOT_LATIN.sub("-", target["name"].lower()).strip("-")
            number += 1
        elif _COMMENT.match(line):
            number = _end_of_comment(reader, number + 1)
        else:
            reader.line(_ROLE.sub(r"\1", reader.lines[number]))
            number += 1
    return reader.content()


def _end_of_comment(reader: _Reader, number: int) -> int:
    """The line behind a comment: it holds what is indented below it."""
    end = number
    while number < len(reader.lines) and (not reader.at(number) or reader.at(number)[0].isspace()):
        number += 1
        end = number if reader.at(number - 1) else end
    return end


def _strikes(names: Iterable[str]) -> bool:
    return not _STRIKING.isdisjoint(names)


def _without_struck(found: regex.Match[str]) -> str:
    return GAP if found["tag"] or _strikes((found["roles"] or "").split(".")) else found.group()


def load_asciidoc(text: str) -> Content:
    """Read an AsciiDoc document; nothing is run, so an ``include::`` reads no other file."""
    reader = _Reader(close_gaps(_STRUCK_OR_BLOCK.sub(_without_struck, text)))
    fence, number = "", 0
    while number < len(reader.lines):
        line = reader.at(number)
        number += 1
        marked, named, block = (pattern.fullmatch(line) for pattern in (_HEADING, _ANCHOR, _BLOCK))
        level = _UNDERLINE_LEVELS.get(reader.at(number)[:1], 0) if reader.is_underlined(number - 1) else 0
        is_title = level and any(map(str.isalnum, line)) and abs(len(reader.at(number)) - len(line)) < 2
        if fence or block:
            ends = line == fence
            fence = fence or (block["fence"] if block else "")
            if fence[0] != "/":
                reader.line(reader.lines[number - 1])
            fence = "" if ends else fence
        elif marked or (is_title and line[0] not in "*.[|:" and len(reader.at(number)) > 2):
            name = one_line(marked["title"] if marked else line)
            slug = f"_{_NOT_WORD.sub('_', name.lower()).strip('_')}"
            reader.heading(len(marked["marks"]) if marked else level, name, slug)
            number += not marked
        elif (roles := _ROLES_OF_BLOCK.fullmatch(line)) and (
            roles["roles"] == "comment" or _strikes(roles["roles"].split("."))
        ):
            while reader.at(number).strip():
                number += 1
        elif named:
            reader.anchor = named["name"]
        elif not (line.startswith("//") or _ATTRIBUTE.fullmatch(line)):
            reader.line(reader.lines[number - 1])
    return reader.content()
