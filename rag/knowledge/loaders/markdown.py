"""Reads Markdown: its headings become sections, its text stays Markdown."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterable, Iterator

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
_URL_FIELD = regex.compile(
    r"^(?:url|permalink|canonical_url|source_url)[ \t]*:[ \t]*"
    r"(?P<quote>[\"']?)(?P<url>https?://[^\n\"']*?)(?P=quote)[ \t]*$",
    regex.MULTILINE | regex.IGNORECASE,
)
_HEADING = regex.compile(r" {0,3}(?P<marks>#{1,6})(?:[ \t]+(?P<title>.*?))??(?:[ \t]+#+)?[ \t]*")
_UNDERLINE = regex.compile(r" {0,3}(?:(?P<first>=+)|-+)[ \t]*")
_NOT_A_PARAGRAPH = regex.compile(r"\s*$|\s{4}|\t|\s*(?:[-*+>|]|\d+[.)])(?:\s|$)|\s*\|")
_BACKTICKS_OR_BLANK_LINE = regex.compile(r"`++|\n[ \t]*+(?=\n)")
_BLANK_LINE = regex.compile(r"\n[ \t]*+(?=\n)")
_OWN_LINE = regex.compile(r"^[ \t]*+(?=<!--)", regex.MULTILINE)
_COMMENT_END = regex.compile(r"-->(?P<blanks>[ \t]*+)(?P<line_end>$)?", regex.MULTILINE)
_STRUCK_OUT = regex.compile(
    r"""
    (?<![~\\])~~(?![~\s])
    (?:(?!~~|\n[ \t>]*+(?:\n|\#{1,6}[ \t]|[-*+][ \t]|\d{1,3}[.)][ \t]|\|))[\s\S])++
    (?<!\s)~~(?!~)[ ]?
    | <(?P<tag>del|strike|s)(?:\s[^<>\n]{0,200})?>
    (?:(?!</?(?:del|strike|s)\b|\n[ \t]*+\n)[\s\S])*+
    </(?P=tag)\s*>[ ]?
    """,
    regex.VERBOSE | regex.IGNORECASE,
)
"""Text between two pairs of tildes within a block, or between the HTML tags for deleted text."""
_DIGITS = regex.compile(r"\d\d")
_EMBEDDED_IMAGE = regex.compile(r"!\[((?:(?!!\[)[^\]\n])*+)\]\(data:(?:(?!\(data:)[^)\n])*+\)")
_LINK = regex.compile(r"!?\[([^\[\]]*)\]\([^()\s]*(?:\s+\"[^\"]*\")?\)")
# No heading has more characters, and nobody marks one with more backticks.
_EMPHASIS = regex.compile(r"(\*\*|__|\*|(?<!`)`{1,8}+(?!`))(?=\S)(.{1,300}?)(?<=\S)\1")
_ANCHOR = regex.compile(r"\s*\{#(?P<name>[\w-]+)\}\s*$")
_NOT_SLUG = regex.compile(r"[^\w\- ]+")


def load_markdown(text: str) -> Content:
    """Read a Markdown document.

    Front matter (YAML between ``---`` lines at the very top), comments, text that is struck out and images
    written out in the text are left out. A ``#`` inside a code block is no heading.

    Args:
        text: The decoded file.
    """
    text = visible(text)
    title = url = ""
    front_matter = _FRONT_MATTER.match(text)
    if front_matter and (not front_matter["fields"].strip() or _FIELD.match(front_matter["fields"])):
        field = _TITLE_FIELD.search(front_matter["fields"])
        title = one_line(field["title"]) if field else ""
        address = _URL_FIELD.search(front_matter["fields"])
        url = address["url"] if address else ""
        text = text[front_matter.end() :]
    parts = list(_parts(_EMBEDDED_IMAGE.sub(r"\1", _without_comments_and_strikes(text))))
    first = next((_plain(line) for level, line in parts if level == 1), "")
    outline = Outline("" if first else title)
    slugs: Counter[str] = Counter()
    for level, line in parts:
        if level:
            outline.heading(level, _plain(line), _anchor(line, slugs))
        else:
            outline.line(line)
    return Content(title or first, outline.sections(), url=url)


def _anchor(heading: str, taken: Counter[str]) -> str:
    """Return the anchor of a heading: its own, or the one that GitHub and similar sites give it."""
    own = _ANCHOR.search(heading)
    if own:
        return own["name"]
    slug = _NOT_SLUG.sub("", _plain(heading).lower()).replace(" ", "-")
    taken[slug] += 1
    return f"{slug}-{taken[slug] - 1}" if taken[slug] > 1 else slug


def _without_comments_and_strikes(text: str) -> str:
    """Return the text without comments, which no reader sees, and without text that is struck out."""
    if "<!--" not in text and "~~" not in text and "</" not in text:
        return text
    prose = blank(text, [(block.start, block.end) for block in code_blocks(text)])
    code = list(_code_spans(prose))
    comments = list(_comments(blank(prose, code)))
    # Code can be struck out, but tildes inside of it strike nothing out.
    struck = [found.span() for found in _STRUCK_OUT.finditer(blank(_fill(prose, code), comments))]
    pieces: list[str] = []
    position = 0
    for start, end in sorted((*comments, *struck)):
        pieces.append(text[position:start])
        if _DIGITS.match(text[start - 1 : start] + text[end : end + 1]):
            pieces.append(" ")  # "9~~10~~8" is not 98
        position = max(position, end)
    return "".join([*pieces, text[position:]])


def _fill(text: str, spans: Iterable[tuple[int, int]]) -> str:
    """Return the text with a letter for every character of the spans."""
    pieces: list[str] = []
    position = 0
    for start, end in spans:
        pieces += [text[position:start], "x" * (end - start)]
        position = end
    return "".join([*pieces, text[position:]])


def _code_spans(prose: str) -> Iterator[tuple[int, int]]:
    """Code between two runs of as many backticks, within a paragraph: it may go over several lines.

    The place of every run is looked up rather than searched for: a text of runs without a partner takes no
    square time.
    """
    paragraph: list[tuple[int, int]] = []
    for found in (*_BACKTICKS_OR_BLANK_LINE.finditer(prose), None):
        if found is not None and found.group()[0] == "`":
            paragraph.append(found.span())
            continue
        yield from _paired(paragraph)
        paragraph = []


def _paired(runs: list[tuple[int, int]]) -> Iterator[tuple[int, int]]:
    waiting: dict[int, list[int]] = {}
    for number in range(len(runs) - 1, -1, -1):
        waiting.setdefault(runs[number][1] - runs[number][0], []).append(number)
    number = 0
    while number < len(runs):
        start, end = runs[number]
        same = waiting[end - start]
        while same and same[-1] <= number:
            same.pop()
        if same:
            number = same[-1]
            yield start, runs[number][1]
        number += 1


def _comments(prose: str) -> Iterator[tuple[int, int]]:
    """Return the places of comments: over paragraphs if on lines of their own, else within a paragraph."""
    ends = list(_COMMENT_END.finditer(prose))
    closing = [end.start() for end in ends]
    closing_lines = [end.start() for end in ends if end["line_end"] is not None]
    behind = {end.start(): end.end() for end in ends}
    blank_lines = [found.start() for found in _BLANK_LINE.finditer(prose)]
    lines = {found.end(): found.start() for found in _OWN_LINE.finditer(prose)}
    position = prose.find("<!--")
    while position >= 0:
        content = position + len("<!--")
        own, within = _next(closing_lines, content), _next(closing, content)
        if own is not None and position in lines:
            yield lines[position], behind[own]
            position = prose.find("<!--", behind[own])
        elif within is not None and _next(blank_lines, content, below=within) is None:
            yield position, within + len("-->")
            position = prose.find("<!--", within + len("-->"))
        else:
            position = prose.find("<!--", content)


def _next(places: list[int], position: int, below: int | None = None) -> int | None:
    """The first of the places in order that is not in front of `position`, nor at `below` or behind it."""
    index = bisect_left(places, position)
    found = places[index] if index < len(places) else None
    return None if found is not None and below is not None and found >= below else found


def _parts(text: str) -> Iterator[tuple[int, str]]:
    """Yield ``(level, title as written)`` for each heading and ``(0, line)`` for each other line."""
    code = [(block.start, block.end) for block in code_blocks(text)]
    lines = text.split("\n")
    prose = blank(text, code).split("\n")  # a line of code is a blank line here
    before = ""
    number = 0
    while number < len(lines):
        marked = _HEADING.fullmatch(prose[number])
        underline = _UNDERLINE.fullmatch(prose[number + 1]) if number + 1 < len(lines) else None
        if marked and _plain(marked["title"] or ""):
            yield len(marked["marks"]), marked["title"]
            before = ""
        elif underline and not before.strip() and not _NOT_A_PARAGRAPH.match(prose[number]):
            yield (1 if underline["first"] else 2), prose[number]
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
