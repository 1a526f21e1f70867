"""Reads Markdown: its headings become sections, its text stays Markdown."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import pyromark
import regex
import yaml

from rag.knowledge.loaders.content import Content, Outline
from rag.knowledge.loaders.unseen import without_hidden_tags
from rag.language.markdown import blank, code_blocks
from rag.language.visible import one_line, visible
from rag.reasons import Reason

_Event = Mapping[str, Any] | str
_OPTIONS = pyromark.Options.ENABLE_TABLES | pyromark.Options.ENABLE_STRIKETHROUGH
_FRONT_MATTER = regex.compile(
    r"\A---[ \t]*\n(?P<fields>(?:(?!(?:---|\.\.\.)[ \t]*$)[^\n]*\n)*+)(?:---|\.\.\.)[ \t]*(?:\n|\Z)",
    regex.MULTILINE,
)
_ADDRESSES = ("url", "permalink", "canonical_url", "source_url")
_OF_THE_SITE = regex.compile(
    r"title|layout|slug|draft|weight|publish|css_?class(?:es)?|(?:sidebar|nav|pagination|hide|toc).*"
)
"""Fields of the front matter that are for the site, not for a reader."""
_NO_HEADING = regex.compile(r"[ \t]*\||[^\n]*\n[^\n]*\n[^\n]*\S")
"""A rule below a table or below several lines: Markdown takes them for a title, their authors do not."""
_COMMENT_END = regex.compile(r"-->[ \t]*\n?")
_DIGITS = regex.compile(r"\d\d")
_EMBEDDED_IMAGE = regex.compile(r"!\[(?P<label>(?:(?!!\[)[^\]\n])*+)\]\(data:(?:(?!\(data:)[^)\n])*+\)")
_LINK_BY_NAME = regex.compile(
    r"!?\[\[(?P<target>[^\[\]|\n]{1,200}?)(?:\\?\|(?P<label>[^\[\]\n]{0,200}))?\]\]"
)
_INLINE_NOTE = regex.compile(r"\^\[(?P<label>[^\[\]\n]{1,300})\]")
_MARKED = regex.compile(r"(?<![=\w])==(?=[^\s=])(?P<label>[^\n]{1,300}?)(?<=[^\s=])==(?![=\w])")
_REFERENCES = regex.compile(r"[ \t]\^[\w-]+[ \t]*$|\[\^[^\[\]\s]{1,40}\](?::[ \t]*)?", regex.MULTILINE)
"""The names of Obsidian's blocks, and the marks of notes, whose text stays."""
_CALLOUT = regex.compile(
    r"^(?P<quote>[ \t]*(?:>[ \t]?)+)\[!(?P<kind>[\w-]+)\][+-]?[ \t]*(?P<title>[^\n]*)$", regex.MULTILINE
)
_ADMONITION = regex.compile(
    r"(?:!!!|\?\?\?\+?|===[!+]?)[ \t]+(?:(?P<kind>\w[\w -]*?)[ \t]*)?(?:\"(?P<title>[^\"\n]*)\")?[ \t]*"
)
_COMPONENT = regex.compile(r"[ \t]*</?\p{Lu}(?=[\w.]*\p{Ll})[\w.]*(?:[ \t][^<>\n]*)?>[ \t]*")
_LABEL = regex.compile(r"\b(?:label|title)=(?P<mark>[\"'])(?P<label>[^\"'\n]*)(?P=mark)")
_MODULE = regex.compile(
    r"(?:import|export)[ \t][^\n]*(?:from[ \t]+[\"'][^\n]*|[\"'];?|[;{(\[]|=>?[^\n]*)[ \t]*"
)
_NOTE_TO_SELF = regex.compile(
    r"%%(?:(?!%%)[^\n])*+%%|^%%[ \t]*\n(?:(?!%%)[^\n]*\n)*+%%[ \t]*$|\{/\*(?:(?!\*/)[\s\S])*+\*/\}",
    regex.MULTILINE,
)
"""Comments of Obsidian and of MDX."""
_ANCHOR = regex.compile(r"\s*\{#(?P<name>[\w-]+)\}\s*$")
_NOT_SLUG = regex.compile(r"[^\w\- ]+")


def load_markdown(text: str) -> Content:
    """Read a Markdown document, with the marks of Obsidian, MkDocs and MDX.

    Comments, text that tags or ``~~`` strike out or that tags hide, and images written out in the text are
    left out; front matter (YAML between ``---`` lines at the very top) becomes a list of names and values.
    """
    text = visible(text)
    fields: dict[str, str] = {}
    front_matter = _FRONT_MATTER.match(text)
    if front_matter and (found := _fields(front_matter["fields"])) is not None:
        fields, text = found, text[front_matter.end() :]
    text, hidden = without_hidden_tags(text)
    text = _without_components(text)
    marks = _Marks(text)
    first = next((heading.title for heading in marks.headings if heading.level == 1), "")
    title = fields.get("title", "")
    outline = Outline("" if first else title)
    told = (
        f"{name}: {value}" for name, value in fields.items() if not _OF_THE_SITE.fullmatch(name) and value
    )
    if lines := [line for line in told if not line.startswith(_ADDRESSES)]:
        outline.line("\n".join(f"- {line}" for line in lines))  # as lines of a text they would run on
        outline.blank()
    slugs: Counter[str] = Counter()
    position = 0
    for heading in marks.headings:
        outline.line(_edited(text, position, heading.start, marks.edits))
        outline.heading(heading.level, heading.title, _anchor(heading, slugs))
        position = heading.end
    outline.line(_edited(text, position, len(text), marks.edits))
    addresses = (
        fields[name] for name in _ADDRESSES if fields.get(name, "").startswith(("http://", "https://"))
    )
    notes = (Reason("html-hidden", {"count": hidden}),) if hidden else ()
    return Content(title or first, outline.sections(), notes, next(addresses, ""))


def _fields(written: str) -> dict[str, str] | None:
    """The fields of the front matter as they are written; None if it is none."""
    try:
        # The base loader makes no numbers and dates of what is written.
        fields = yaml.load(written, yaml.BaseLoader) or {}  # noqa: S506 - it makes texts, lists and tables only
    except yaml.YAMLError:
        return None
    if not isinstance(fields, dict):
        return None
    lists = {name: value if isinstance(value, list) else [value] for name, value in fields.items()}
    return {
        str(name).lower(): one_line(", ".join(filter(None, map(_value, values))))
        for name, values in lists.items()
    }


def _value(value: object) -> str:
    """The words of a value; to YAML a bare link such as ``[[Place]]`` is a list within a list."""
    match value:
        case str():
            return _LINK_BY_NAME.sub(_label, value)
        case [list(inner)]:
            return _value(inner)
        case [str(name)]:
            return _LINK_BY_NAME.sub(_label, f"[[{name}]]")
    return ""


def _without_components(text: str) -> str:
    """Take the frames of MkDocs and MDX away, and keep their labels and what is inside."""
    if not any(mark in text for mark in ("!!!", "???", "===", "</", "/>", "import ")):
        return text
    prose = blank(text, [(block.start, block.end) for block in code_blocks(text)]).split("\n")
    lines: list[str] = []
    frames: list[int] = []
    for line, code_free in zip(text.split("\n"), prose, strict=True):
        indent = len(line) - len(line.lstrip(" "))
        while frames and line.strip() and indent < frames[-1]:
            frames.pop()
        shift = frames[-1] if frames else 0
        framed = _ADMONITION.fullmatch(code_free.strip())
        if framed and (framed["kind"] or framed["title"]):
            label = framed["title"] or framed["kind"]
            lines += ["", f"{label.rstrip(':')}:", ""]
            frames.append(indent + 4)
        elif _COMPONENT.fullmatch(code_free):
            found = _LABEL.search(line)
            lines += ["", f"{found['label']}:", ""] if found else [""]
        elif not _MODULE.fullmatch(code_free):
            lines.append(line[shift:] if line[:shift].isspace() else line)
    return "\n".join(lines)


@dataclass(slots=True)
class _Heading:
    start: int
    end: int
    level: int
    words: list[str] = field(default_factory=list)

    @property
    def title(self) -> str:
        title = _ANCHOR.sub("", "".join(self.words))
        return one_line(_MARKED.sub(r"\g<label>", _LINK_BY_NAME.sub(_label, title)))


class _Marks:
    """The headings of a text, its code, and the stretches that a reader sees as something else."""

    def __init__(self, text: str) -> None:
        self.headings: list[_Heading] = []
        self.edits: list[tuple[int, int, str]] = []
        self._text = text
        self._code: list[tuple[int, int]] = []
        self._heading: _Heading | None = None
        self._depth = self._struck = 0
        for event, start, end in _events(text):
            if isinstance(event, str) or "Start" in event or "End" in event:
                self._take_block(event, start, end)
            else:
                self._take_words(event, start, end)
        self._take_marks(blank(text, self._code, "\0"))
        self.edits.sort(key=lambda edit: (edit[0], -edit[1]))

    def _take_block(self, event: _Event, start: int, end: int) -> None:
        if isinstance(event, Mapping) and any("BlockQuote" in one or "List" in one for one in event.values()):
            self._depth += 1 if "Start" in event else -1
        match event:
            case {"Start": {"Heading": {"level": level}}} if not self._depth:
                self._heading = _Heading(start, end, int(level[1:]))
            case {"End": {"Heading": _}} if self._heading:
                if self._heading.title and not _NO_HEADING.match(self._text, start, end):
                    self.headings.append(self._heading)
                self._heading = None
            case {"Start": "Strikethrough"} if self._text.startswith("~~", start):
                self.edits.append((start, end + self._text.startswith(" ", end), ""))
                self._struck += 1
            case {"End": "Strikethrough"}:
                self._struck = max(self._struck - 1, 0)
            case {"Start": {"CodeBlock": _}}:
                self._code.append((start, end))
            case {"Start": "HtmlBlock"}:
                while (begin := self._text.find("<!--", start, end)) >= 0:
                    found = _COMMENT_END.search(self._text, begin + 4, end)
                    start = found.end() if found else end
                    self.edits += [(begin, start, "")] if found else []
            case "SoftBreak" if self._heading:
                self._heading.words.append(" ")

    def _take_words(self, event: _Event, start: int, end: int) -> None:
        match event:
            case {"InlineHtml": str(written)} if written.startswith("<!--"):
                self.edits.append((start, end, ""))
            case {"Text": str(written)} | {"Code": str(written)}:
                if self._heading and not self._struck:
                    self._heading.words.append(written)
                if "Code" in event:
                    self._code.append((start, end))

    def _take_marks(self, prose: str) -> None:
        """Keep the text that readers see of links by name, highlights and callouts; drop comments."""
        for nothing in (_NOTE_TO_SELF, _REFERENCES):
            self.edits += [(*found.span(), "") for found in nothing.finditer(prose)]
        self.edits += [(*found.span(), _label(found)) for found in _LINK_BY_NAME.finditer(prose)]
        for pattern in (_MARKED, _EMBEDDED_IMAGE):
            for found in pattern.finditer(prose):
                start, end = found.span("label")
                self.edits += [(found.start(), start, ""), (end, found.end(), "")]
        for found in _INLINE_NOTE.finditer(prose):
            start, end = found.span("label")
            self.edits += [(found.start(), start, " ("), (end, found.end(), ")")]
        for found in _CALLOUT.finditer(prose):
            label = f"{found['quote']}{found['kind']}: {found['title']}".rstrip()
            self.edits.append((*found.span(), label))


def _events(text: str) -> Iterator[tuple[_Event, int, int]]:
    """Yield what the parser finds, with its place in characters; the parser counts bytes."""
    places = [0, *itertools.accumulate(byte & 0xC0 != 0x80 for byte in text.encode())]
    for event, place in pyromark.events_with_range(text, options=_OPTIONS, merge_text=True):
        yield event, places[place["start"]], places[place["end"]]


def _edited(text: str, start: int, end: int, edits: list[tuple[int, int, str]]) -> str:
    pieces: list[str] = []
    for first, last, words in edits:
        if start <= first and last <= end:
            pieces += [text[start:first], words]
            if not words and _DIGITS.match(text[first - 1 : first] + text[last : last + 1]):
                pieces.append(" ")  # "9~~10~~8" is not 98
            start = last
    return "".join([*pieces, text[start:end]]).strip("\n")


def _label(link: regex.Match[str]) -> str:
    label = (link["label"] or "").strip()
    if label and not (link.group().startswith("!") and label[0].isdigit()):  # the size of a picture
        return label
    page, _, part = link["target"].partition("#")
    # A page of a PDF and the id of a block are no words.
    words = "" if part.startswith(("page=", "^")) else part.replace("#", " ").strip()
    named = (page.rpartition("/")[2].strip(), words)
    return " ".join(filter(None, named))


def _anchor(heading: _Heading, taken: Counter[str]) -> str:
    """The anchor of a heading: its own, or the one that GitHub and similar sites give it."""
    if own := _ANCHOR.search("".join(heading.words)):
        return own["name"]
    slug = _NOT_SLUG.sub("", heading.title.lower()).replace(" ", "-")
    taken[slug] += 1
    return f"{slug}-{taken[slug] - 1}" if taken[slug] > 1 else slug
