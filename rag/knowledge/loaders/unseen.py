"""Which styles and tags of HTML hide a text from its reader: for pages, and for Markdown with tags in it."""

from __future__ import annotations

from itertools import chain

import regex

from rag.language.markdown import blank, code_blocks

_HIDDEN = regex.compile(
    r"""
    font-size\s*+:\s*+(?:0(?![.\d])|0?\.\d++p[xt]|1p[xt])
    | opacity\s*+:\s*+(?:0?\.)?0++%?\s*+(?:;|!|$)
    | (?<![-\w])color\s*+:\s*+(?:transparent|(?:rgb|hsl)a\([^()]*,\s*+0(?:\.0*+)?\s*+\))
    | clip\s*+:\s*+rect\(\s*+[01](?:px)?[\s,] | clip-path\s*+:\s*+(?:inset\(\s*+(?:50|100)%|circle\(\s*+0)
    | (?:left|top|right|bottom|text-indent|margin-left)\s*+:\s*+-\d{3,}
    | translate(?:x|y|3d)?\(\s*+-\d{3,} | scale\(\s*+0\s*+\)
    """,
    regex.VERBOSE,
)
"""Styles whose text nobody sees: without size or colour, cut to nothing, off the page."""
_DISPLAY = regex.compile(r"(?<![-\w])(?:display|visibility)\s*+:\s*+(?P<value>[\w-]++)")
_UNSEEN = {"none", "hidden", "collapse"}
_FLAT = regex.compile(r"(?<![-\w])(?:max-)?height\s*+:\s*+[01](?:px)?\s*+(?:;|!|$)")
_CUT = regex.compile(r"(?<![-\w])overflow\s*+:\s*+(?:hidden|clip)")
_COLOR = regex.compile(r"(?<![-\w])color\s*+[:=]\s*+[\"']?(?P<value>[^;!\"'>]++)")
_BACKGROUND = regex.compile(r"(?<![-\w])background(?:-color|-image)?\s*+:\s*+(?P<value>[^;!]++)")
_WHITE = regex.compile(r"white|#f{3}(?:f{3})?|rgb\(255,\s*255,\s*255\)")
_NO_BACKGROUND = regex.compile(rf"(?:none|transparent|inherit|initial|{_WHITE.pattern})\s*+")

_TAG = regex.compile(
    r"<(?P<name>[a-z][\w-]*+)(?P<rest>(?:\s(?:[^<>\"']|\"[^\"]*+\"|'[^']*+')*+)?)>", regex.IGNORECASE
)
_STYLE = regex.compile(
    r"\sstyle\s*=\s*(?P<mark>[\"'])(?P<style>.*?)(?P=mark)", regex.IGNORECASE | regex.DOTALL
)
_ATTRIBUTE = regex.compile(r"\shidden(?=[\s=/>]|$)", regex.IGNORECASE)
_CODE = regex.compile(r"(?<!`)(`++)(?!`)[^\n]+?(?<!`)\1(?!`)")
_LINK_TARGET = regex.compile(
    r"^ {0,3}\[(?!\^)(?P<name>[^\[\]\n]{1,200})\]:[ \t]*+(?P<target><[^<>\n]*>|\S++)(?P<title>[ \t]++"
    r"(?:\"[^\"\n]*+\"|'[^'\n]*+'|\([^()\n]*+\)))[ \t]*$\n?",
    regex.MULTILINE,
)


def is_hidden(style: str) -> bool:
    """Whether a style, in lower case, hides its text, as long as no control of the page opens it."""
    shown = {found["value"] for found in _DISPLAY.finditer(style)}
    color, ground = _last(_COLOR, style), _last(_BACKGROUND, style)
    return bool(
        _UNSEEN & shown
        or _HIDDEN.search(style)
        or (color and color == ground)
        or (_FLAT.search(style) and _CUT.search(style) and "padding" not in style)
    )


def is_white(style: str) -> bool:
    """Whether a style makes a text white."""
    return _WHITE.fullmatch(_last(_COLOR, style)) is not None


def has_background(style: str) -> bool:
    """Whether a style gives a background on which white is seen."""
    ground = _last(_BACKGROUND, style)
    return bool(ground) and not _NO_BACKGROUND.fullmatch(ground)


def _last(pattern: regex.Pattern[str], style: str) -> str:
    found = pattern.findall(style)
    return found[-1].strip() if found else ""


def without_hidden_tags(text: str) -> tuple[str, int]:
    """Take out of Markdown what its tags hide, and comments that are written as links.

    Returns:
        The text, and how many parts were taken out.
    """
    if "<" not in text and "]:" not in text:
        return text, 0
    code = [(block.start, block.end) for block in code_blocks(text)]
    prose = blank(text, code, "\0")
    prose = blank(prose, [found.span() for found in _CODE.finditer(prose)], "\0")
    stretches = []
    end = 0
    for tag in _TAG.finditer(prose):
        if tag.start() >= end and _hides(tag["rest"].lower()):
            end = _end(prose, tag)
            stretches.append((tag.start(), end))
    links = [
        found.span() if found["target"] in {"#", "<>"} else found.span("title")
        for found in _LINK_TARGET.finditer(prose)
    ]
    stretches = [one for one in stretches if any(map(str.isalnum, text[slice(*one)]))]
    pieces, position = [], 0
    for start, stop in sorted(chain(stretches, links)):
        pieces.append(text[position : max(start, position)])
        position = max(stop, position)
    return "".join([*pieces, text[position:]]), len(stretches) + len(links)


def _hides(attributes: str) -> bool:
    style = found["style"] if (found := _STYLE.search(attributes)) else ""
    return bool(
        _ATTRIBUTE.search(_STYLE.sub("", attributes))
        or is_hidden(style)
        # A page of text is white, whatever shows it.
        or (is_white(style or attributes) and not has_background(style))
    )


def _end(prose: str, tag: regex.Match[str]) -> int:
    """The place behind the end of an element; without an end tag, its paragraph is all of it."""
    depth = 1
    for found in regex.finditer(
        rf"<(/?){tag['name']}(?=[\s>])[^<>]*>", prose, regex.IGNORECASE, pos=tag.end()
    ):
        depth += -1 if found[1] else 1
        if not depth:
            return found.end()
    blank_line = prose.find("\n\n", tag.end())
    return blank_line if blank_line >= 0 else len(prose)
