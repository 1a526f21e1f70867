"""Reads AsciiDoc: its titles become sections, comments are left out, its text stays as it is.

As with reStructuredText, nothing is run: an ``include::`` reads no other file.
"""

from __future__ import annotations

import regex

from rag.knowledge.loaders.content import Content, Outline
from rag.language.visible import one_line, visible

_HEADING = regex.compile(r"(?P<marks>={1,6}|#{1,6})[ \t]+(?P<title>\S.*?)(?:[ \t]+(?P=marks))?[ \t]*")
_UNDERLINE = regex.compile(r"([=~^+-])\1+[ \t]*")
_UNDERLINE_LEVELS = {"=": 1, "-": 2, "~": 3, "^": 4, "+": 5}
# Blocks whose lines are no markup, and comments, which nobody sees.
_BLOCK = regex.compile(r"(?P<fence>-{4,}|\.{4,}|\+{4,}|/{4,}|`{3,}[\w-]*)[ \t]*")
_ATTRIBUTE = regex.compile(r":!?[\w-]+!?:(?:[ \t].*)?")
_ANCHOR = regex.compile(r"\[(?:\[(?P<double>[\w:.-]++)(?:,[^\]]*)?\]|#(?P<short>[\w:-]++)[^\]]*)\][ \t]*")
_NOT_SLUG = regex.compile(r"[^\w]+")


def load_asciidoc(text: str) -> Content:
    """Read an AsciiDoc document.

    Args:
        text: The decoded file.
    """
    lines = visible(text).split("\n")
    outline = Outline()
    title, anchor, fence, number = "", "", "", 0
    while number < len(lines):
        line = lines[number]
        number += 1
        if fence:
            if fence[0] != "/":
                outline.line(line)
            fence = "" if line.rstrip() == fence else fence
            continue
        underlined = _underlined(line, lines, number)
        marked = _HEADING.fullmatch(line)
        named = _ANCHOR.fullmatch(line)
        block = _BLOCK.fullmatch(line)
        if marked or underlined:
            level = len(marked["marks"]) if marked else underlined
            name = one_line(marked["title"] if marked else line)
            number += not marked
            title = title or (name if level == 1 else "")
            outline.heading(level, name, anchor or _slug(name))
            anchor = ""
        elif block:
            fence = line.rstrip() if line[0] != "`" else "```"
            if fence[0] != "/":
                outline.line(line)
        elif named:
            anchor = named["double"] or named["short"]
        elif not (line.startswith("//") or _ATTRIBUTE.fullmatch(line)):
            outline.line(line)
            anchor = anchor if not line.strip() else ""
    return Content(title, outline.sections())


def _underlined(line: str, lines: list[str], number: int) -> int:
    """The level of a title of two lines, or 0: the mark below is as long as the title, give or take one."""
    below = lines[number].rstrip() if number < len(lines) else ""
    before = lines[number - 2].strip() if number > 1 else ""
    text = line.strip()
    if (
        before
        or not text
        or not any(map(str.isalnum, text))
        or line[0] in " \t*.[|:"
        or not _UNDERLINE.fullmatch(below)
    ):
        return 0
    return _UNDERLINE_LEVELS[below[0]] if len(below) >= 3 and abs(len(below) - len(text)) <= 1 else 0


def _slug(name: str) -> str:
    """The name that Asciidoctor gives a section by itself."""
    return f"_{_NOT_SLUG.sub('_', name.lower()).strip('_')}"
