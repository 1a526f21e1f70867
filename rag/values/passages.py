"""Passages of documents, and sets of documents."""

from __future__ import annotations

from dataclasses import dataclass
from fnmatch import fnmatchcase
from typing import NewType

PassageId = NewType("PassageId", str)


@dataclass(frozen=True, slots=True)
class Anchor:
    """A place that an address can point at: the characters before it, and what follows ``#`` (``page=7``)."""

    start: int
    name: str


@dataclass(frozen=True, slots=True)
class Passage:
    """A piece of one document, as the search returns it.

    Args:
        id: Stable id, derived from the document and the text.
        document: Name of the document for readers: its path in the corpus, or its title.
        section: Heading path inside the document (``"Set-up > Webhook"``), or an empty string.
        text: The text of the passage, without its heading path.
        score: Fused search score, higher is better; comparable only within one search.
        source: The document's key in the corpus: its relative path, or the ``id`` of a JSONL row.
        lead: Characters at the beginning of the text that only introduce the section and stand before it.
        lead_section: Heading path of these: a beginning of `section`.
        url: Where a reader can open the document (http or https), or an empty string.
        anchors: Places in the text that such an address can point at, in their order.
    """

    id: PassageId
    document: str
    section: str
    text: str
    score: float = 0.0
    source: str = ""
    lead: int = 0
    lead_section: str = ""
    url: str = ""
    anchors: tuple[Anchor, ...] = ()

    def address_of(self, quote: str) -> str:
        """Return where a reader can open verbatim words of the text; empty when that is not known."""
        place = self._anchor_of(quote)
        return f"{self.url}#{place}" if self.url and place and "#" not in self.url else self.url

    def section_of(self, quote: str) -> str:
        """Return the heading path that verbatim words of the text stand under, with their page if known."""
        section = self.lead_section if 0 <= self.text.find(quote) < self.lead else self.section
        page = self._anchor_of(quote).partition("page=")[2]
        return f"{section} (page {page})" if page and section and section != f"page {page}" else section

    def _anchor_of(self, quote: str) -> str:
        start = max(self.text.find(quote), 0)
        return next((anchor.name for anchor in reversed(self.anchors) if anchor.start <= start), "")


@dataclass(frozen=True, slots=True)
class DocumentSet:
    """Which documents a question may be answered from: those of the files that fit one of the patterns.

    A pattern is a folder or a file of the corpus (``"team/handbook"``), or holds ``*`` and ``?``
    (``"team/*.pdf"``; a ``*`` stands for any characters, ``/`` included). Capitals do not count. No pattern
    means no document.
    """

    patterns: tuple[str, ...]

    def holds(self, file: str) -> bool:
        """Whether the documents of a file (its path relative to the corpus root) belong to the set."""
        return any(_fits(file.casefold(), pattern) for pattern in self.patterns)


def _fits(file: str, pattern: str) -> bool:
    pattern = pattern.casefold().removeprefix("./").rstrip("/")
    if "*" in pattern or "?" in pattern:
        # Brackets are a part of names here, as people write them.
        return fnmatchcase(file, pattern.replace("[", "[[]"))
    return bool(pattern) and (file == pattern or file.startswith(f"{pattern}/"))
