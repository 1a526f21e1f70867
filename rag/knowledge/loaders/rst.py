"""Reads reStructuredText: underlined titles become sections, comments are left out, its text stays as it is.

The markup decides sections only, so no parser is needed: one that runs directives would read other files.
"""

from __future__ import annotations

import regex

from rag.knowledge.loaders.content import Content, Outline
from rag.language.visible import one_line, visible

_ADORNMENT = regex.compile(r"([!-/:-@\[-`{-~])\1++[ \t]*+")
_COMMENT = regex.compile(r"\.\.(?![^ \t])(?![ \t]+(?:\[[^\]]+\]|_|\|[^|]+\||[\w.:+-]+::))")
_TARGET = regex.compile(r"\.\. _(?P<name>(?:[^:\n]|:(?=\S))++):[ \t]*+(?P<address>.*)")
_ROLE = regex.compile(r":[\w.+:-]{1,40}:`([^`<]{1,300}?)(?:\s*<[^`>]{1,300}>)?`")
_NOT_SLUG = regex.compile(r"[^a-z0-9]+")


def load_rst(text: str) -> Content:
    """Read a reStructuredText document.

    Args:
        text: The decoded file.
    """
    lines = visible(text).expandtabs(8).split("\n")
    outline = Outline()
    levels: list[str] = []
    title, anchor, number = "", "", 0
    while number < len(lines):
        line = lines[number]
        heading = _heading(lines, number)
        target = _TARGET.fullmatch(line.rstrip())
        if heading is not None:
            style, name, number = heading
            if style not in levels:
                levels.append(style)
            title = title or name
            outline.heading(levels.index(style) + 1, name, anchor or _slug(name))
            anchor = ""
        elif target and not target["address"]:
            anchor = _slug(target["name"].strip("`"))  # it names what follows
            number += 1
        elif _COMMENT.match(line):
            number = _end_of_block(lines, number)
        else:
            outline.line(_ROLE.sub(r"\1", line))
            anchor = anchor if not line.strip() else ""
            number += 1
    return Content(title, outline.sections())


def _heading(lines: list[str], number: int) -> tuple[str, str, int] | None:
    """The style of a title, its words and the line behind it, when one begins here."""
    line = lines[number].rstrip()
    below = lines[number + 1].rstrip() if number + 1 < len(lines) else ""
    before = lines[number - 1].strip() if number else ""
    is_mark = _ADORNMENT.fullmatch(line) is not None
    if is_mark and below and number + 2 < len(lines):
        is_framed = lines[number + 2].rstrip() == line and len(line) >= len(below.strip())
        if is_framed and not _ADORNMENT.fullmatch(below):
            return line[0] * 2, _plain(below), number + 3
    elif line and not line[0].isspace() and not before and not is_mark and _ADORNMENT.fullmatch(below):
        # A shorter line below a longer one is a transition, or a part of a table.
        return (below[0], _plain(line), number + 2) if len(below) >= max(len(line) - 1, 2) else None
    return None


def _plain(heading: str) -> str:
    return one_line(_ROLE.sub(r"\1", heading).replace("``", "").replace("**", ""))


def _end_of_block(lines: list[str], number: int) -> int:
    """The line behind a comment: it holds what is indented below it."""
    number += 1
    end = number
    while number < len(lines) and (not lines[number].strip() or lines[number][0].isspace()):
        number += 1
        if lines[number - 1].strip():
            end = number
    return end


def _slug(name: str) -> str:
    """The name that docutils gives a section, where it is in letters that it takes."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")
