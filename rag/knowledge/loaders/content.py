"""The content that every loader returns, and how it puts headings and text together."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable
from dataclasses import dataclass, replace

import regex

from rag.errors import DocumentError
from rag.knowledge.documents import Document, Section
from rag.language.visible import one_line
from rag.reasons import Reason
from rag.values import Anchor

HEADING_SEPARATOR = " > "
GAP = "\ufdd0"
"""Stands where something was left out, so that what is around it makes no number."""
_HEADING_CHARACTERS = 300  # more is a paragraph in a heading's clothes; it would weigh on every passage below
_PART_LEVEL = 10  # below every heading
_PARTS_DEEP = 12  # the titles of more would outgrow the text below them

_CELL_END = regex.compile(r"(?<!\\)\|")
_TABLE_RULE = regex.compile(r"[\s|:]*-[\s|:-]*")
_GAPS = regex.compile(rf"{GAP}[ \t{GAP}]*+")
_SPACE_BEFORE_LINE_END = regex.compile(r"(?<![ \t])[ \t]++$", regex.MULTILINE)


@dataclass(frozen=True, slots=True)
class Content:
    """The content of one file, as a loader found it.

    Args:
        title: The document's own title, or an empty string.
        sections: Its text in reading order, without empty ones.
        notes: Parts that could not be read, and why.
        url: Where a reader can open it, as the document says; not checked yet.
        documents: The documents of a file that holds many; a loader of one leaves that to its reader.
    """

    title: str
    sections: tuple[Section, ...]
    notes: tuple[Reason, ...] = ()
    url: str = ""
    documents: tuple[Document, ...] = ()


class TextLimit:
    """What reading a document may take: counts its characters, and stops a loader when there are too many.

    Args:
        characters: Most characters of its text.
        unpacked_bytes: Most bytes that the parts of a package may have together.
        ocr_languages: In which Tesseract reads pages that are only a picture; empty to leave them.
        ocr_until: When it must be done, on the monotonic clock.
    """

    def __init__(
        self,
        characters: int,
        unpacked_bytes: int = 400_000_000,
        ocr_languages: str = "",
        ocr_until: float = math.inf,
    ) -> None:
        self.characters = characters
        self.unpacked_bytes = unpacked_bytes
        self.ocr_languages = ocr_languages
        self.ocr_until = ocr_until
        self._used = 0

    def count(self, text: str) -> None:
        """Add `text` to the count.

        Raises:
            DocumentError: The document has more than the allowed characters.
        """
        self._used += len(text)
        if self._used > self.characters:
            raise DocumentError(Reason("text-too-long", {"limit": self.characters}))


def table_row(cells: list[str]) -> str:
    """One row of a table as a Markdown row."""
    return "| " + " | ".join(one_line(cell).replace("|", "\\|") for cell in cells) + " |"


def table_cells(row: str) -> tuple[str, ...]:
    """The cells of a Markdown row, as they are written there."""
    return tuple(cell.strip() for cell in _CELL_END.split(row.strip().removeprefix("|").removesuffix("|")))


def is_table_rule(line: str) -> bool:
    """Whether a line is the one below the head of a Markdown table."""
    return bool(_TABLE_RULE.fullmatch(line))


def table_rule(cells: int) -> str:
    """The line below the head of a Markdown table."""
    return "|" + " --- |" * cells


def close_gaps(text: str) -> str:
    """A text without the places of what was left out; numbers around one stay two, spaces become one."""

    def closed(found: regex.Match[str]) -> str:
        before, after = text[max(found.start() - 1, 0) : found.start()], text[found.end() : found.end() + 1]
        is_in_number = (before.isnumeric() or before in ".,") and after.isnumeric()
        is_parted = is_in_number or not found.group().endswith(GAP)
        return " " if is_parted and before and not before.isspace() else ""

    return _GAPS.sub(closed, text)


class Outline:
    """Builds sections from headings and lines in reading order.

    A heading without text of its own lives on in the heading path of what is below it; if nothing is
    below it, it becomes text of its parent, so that no heading is lost.

    Args:
        root: Put before every heading path, or empty. For a title that is no heading of the document.
    """

    def __init__(self, root: str = "") -> None:
        self._path: list[tuple[int, str]] = [(0, root)] if root else []
        self._lines: list[str] = []
        self._anchors: list[tuple[int, str]] = []
        self._sections: list[Section] = []
        self._parts: list[tuple[list[tuple[int, str]], str]] = []
        self._bare = False

    def heading(self, level: int, title: str, anchor: str = "") -> None:
        """Begin a section below the last heading of a lower `level` (from 1)."""
        title = one_line(title)
        if len(title) > _HEADING_CHARACTERS:
            self.line(title)
            return
        self._close(child_level=level)
        self.anchor(anchor)
        if title:
            while self._path and self._path[-1][0] >= level:
                self._path.pop()
            self._path.append((level, title))
            self._bare = True

    def begin_part(self, title: str, anchor: str = "") -> None:
        """Begin a part below the heading that it stands in; headings within it stand below its title.

        Addresses point at that heading if the part has no name of its own.
        """
        around = self._anchors[-1][1] if self._anchors else ""
        self._close(child_level=_PART_LEVEL)
        self._parts.append((list(self._path), around))
        self.anchor(anchor or around)
        if len(self._parts) <= _PARTS_DEEP:
            self._path.append((0, one_line(title)))
            self._bare = True
        else:
            self.line(title)

    def end_part(self) -> None:
        """End the part that began last, and go on below the heading that it stands in."""
        self._close(child_level=0)
        self._path, anchor = self._parts.pop()
        self.anchor(anchor)

    def anchor(self, name: str) -> None:
        """Name the place of the next line for addresses; an empty name says that none points there."""
        self._anchors.append((len(self._lines), one_line(name)))

    def line(self, text: str) -> None:
        """Add a line, or several, to the section that is open."""
        self._lines.append(text)

    def blank(self) -> None:
        """End a paragraph."""
        if self._lines and self._lines[-1]:
            self._lines.append("")

    def sections(self) -> tuple[Section, ...]:
        """Close the last section and return all of them."""
        self._close(child_level=0)
        return tuple(self._sections)

    def _close(self, child_level: int) -> None:
        lines = [_SPACE_BEFORE_LINE_END.sub("", line) for line in self._lines]
        whole = "\n".join(lines)
        text = whole.strip("\n")
        cut = len(whole) - len(whole.lstrip("\n"))
        # Characters before each line, and before the end.
        starts = list(itertools.accumulate((len(line) + 1 for line in lines), initial=0))
        anchors = tuple(
            Anchor(min(max(starts[number] - cut, 0), len(text)), name) for number, name in self._anchors
        )
        self._lines, self._anchors = [], []
        path = [title for _, title in self._path]
        if text.strip():
            self._add(path, text, anchors)
        elif self._bare and child_level <= self._path[-1][0]:
            self._add(path[:-1], path[-1], anchors)
        self._bare = False

    def _add(self, path: list[str], text: str, anchors: tuple[Anchor, ...]) -> None:
        heading = HEADING_SEPARATOR.join(path)
        if self._sections and self._sections[-1].heading == heading:
            before = self._sections.pop()
            shift = len(before.text) + 2
            anchors = (*before.anchors, *(replace(one, start=one.start + shift) for one in anchors))
            text = f"{before.text}\n\n{text}"
        within = (anchor for anchor in anchors if anchor.start < len(text))
        self._sections.append(Section(heading, text, _needed(within)))


def _needed(anchors: Iterable[Anchor]) -> tuple[Anchor, ...]:
    """The anchors without those that another one at the same place or none before it makes needless."""
    kept: list[Anchor] = []
    for anchor in anchors:
        if kept and kept[-1].start == anchor.start:
            kept.pop()
        if anchor.name != (kept[-1].name if kept else ""):
            kept.append(anchor)
    return tuple(kept)
