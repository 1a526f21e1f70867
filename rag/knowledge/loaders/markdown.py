"""Reads Markdown: its headings become sections, its text stays Markdown."""

from __future__ import annotations

from collections.abc import Iterator

import regex

from rag.knowledge.loaders.content import Content, Outline
from rag.language.markdown import blank, code_blocks
from rag.language.visible import one_line, visible

_FRONT_MATTER = regex.compile(
    r"\A---[ \t]*\n(?P<fields>(?:(?!(?:---|\.\.\.)[ \t]*$)[^\n]*\n)*+)(?:---|\.\.\.)[ \t]*(?:\n|\Z)",
    regex.MULTILINE,
)
_FIELD = regex.compile(r"\A\s*(?:#[^\n]*\n\s*)*[\w-]+[ \t]*:", regex.MULTILINE)
_TITLE_FIELD = regex.compile(
    r"^title[ \t]*:[ \t]*(?P<quote>[\"']?)(?P<title>[^\n]*?)(?P=quote)[ \t]*$", regex.MULTILINE
)
_HEADING = regex.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = regex.compile(r" {0,3}(?:(?P<first>=+)|-+)[ \t]*")
_NOT_A_PARAGRAPH = regex.compile(r"\s*$|\s{4}|\t|\s*(?:[-*+>|]|\d+[.)])(?:\s|$)|\s*\|")
_COMMENT = regex.compile(
    r"^[ \t]*<!--.*?-->[ \t]*$ | <!--(?:(?!-->|\n[ \t]*\n).)*+-->",
    regex.MULTILINE | regex.DOTALL | regex.VERBOSE,
)
_CODE_SPAN = regex.compile(r"(?<!`)(?P<mark>`+)(?!`)(?:(?!\n[ \t]*\n).)*?(?<!`)(?P=mark)(?!`)", regex.DOTALL)
_EMBEDDED_IMAGE = regex.compile(r"!\[([^\]\n]*)\]\(data:[^)\n]*\)")
_LINK = regex.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
_EMPHASIS = regex.compile(r"(\*\*|__|\*|`+)(?=\S)(.+?)(?<=\S)\1")
_ANCHOR = regex.compile(r"\s*\{#[\w-]+\}\s*$")


def load_markdown(text: str) -> Content:
    """Read a Markdown document.

    Front matter (YAML between ``---`` lines at the very top), comments and images written out in
    the text are left out. A ``#`` inside a code block is no heading.

    Args:
        text: The decoded file.
    """
    text = visible(text)
    title = ""
    front_matter = _FRONT_MATTER.match(text)
    if front_matter and (not front_matter["fields"].strip() or _FIELD.match(front_matter["fields"])):
        field = _TITLE_FIELD.search(front_matter["fields"])
        title = one_line(field["title"]) if field else ""
        text = text[front_matter.end() :]
    parts = list(_parts(_EMBEDDED_IMAGE.sub(r"\1", _without_comments(text))))
    first = next((line for level, line in parts if level == 1), "")
    outline = Outline("" if first else title)
    for level, line in parts:
        if level:
            outline.heading(level, line)
        else:
            outline.line(line)
    return Content(title or first, outline.sections())


def _without_comments(text: str) -> str:
    """The text without its comments, which no reader sees, outside of code."""
    prose = blank(text, [(block.start, block.end) for block in code_blocks(text)])
    prose = blank(prose, [span.span() for span in _CODE_SPAN.finditer(prose)])
    comments = [match.span() for match in _COMMENT.finditer(prose)]
    for start, end in reversed(comments):
        text = text[:start] + text[end:]
    return text


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield ``(level, title)`` for each heading and ``(0, line)`` for each other line."""
    code = [(block.start, block.end) for block in code_blocks(text)]
    lines = text.split("\n")
    prose = blank(text, code).split("\n")  # a line of code is a blank line here
    before = ""
    number = 0
    while number < len(lines):
        marked = _HEADING.fullmatch(prose[number])
        underline = _UNDERLINE.fullmatch(prose[number + 1]) if number + 1 < len(lines) else None
        if marked and _plain(marked["title"] or ""):
            yield len(marked["marks"]), _plain(marked["title"])
            before = ""
        elif underline and not before.strip() and not _NOT_A_PARAGRAPH.match(prose[number]):
            yield (1 if underline["first"] else 2), _plain(prose[number])
            before = ""
            number += 1
        else:
            yield 0, lines[number]
            before = lines[number]
        number += 1


def _plain(heading: str) -> str:
    """A heading without its links, emphasis and anchor, as a reader sees it."""
    heading = _LINK.sub(r"\1", _ANCHOR.sub("", heading))
    return one_line(_EMPHASIS.sub(r"\2", heading))
