"""The values that a loader returns, and the passages that the splitter makes of them."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from rag.values import Anchor, PassageId


@dataclass(frozen=True, slots=True)
class Section:
    """A stretch of a document under one heading path (``"Set-up > Webhook"``; may be empty).

    Args:
        lead: Number of characters at the beginning that come before the heading, under a shorter path; the
            splitter joins them.
        lead_heading: That path.
    """

    heading: str
    text: str
    anchors: tuple[Anchor, ...] = ()
    lead: int = 0
    lead_heading: str = ""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was read.

    Args:
        key: Its key in the corpus: path relative to the corpus root, or the ``id`` of a JSONL row.
        url: Where a reader can open it (http or https); empty when that is not known.
    """

    key: str
    title: str
    sections: tuple[Section, ...]
    url: str = ""


@dataclass(frozen=True, slots=True)
class Chunk:
    """A passage as it is stored.

    Args:
        id: Hash of document key, heading, text and its occurrence: stable while these are.
        ordinal: Position inside the document, from 0; neighbours differ by one.
        anchors: Places in the text that an address can point at, in their order; the first one is where the
            passage begins, unless no address can.
        terms: Its terms in the word index, separated by spaces.
    """

    id: PassageId
    heading: str
    text: str
    ordinal: int
    lead: int = 0
    lead_heading: str = ""
    anchors: tuple[Anchor, ...] = ()
    terms: str = ""

    @property
    def content(self) -> str:
        """Return the hash of the embedded text, which is the key of its vector."""
        return hashlib.sha256(self.embedded_text.encode("utf-8", "replace")).hexdigest()

    @property
    def embedded_text(self) -> str:
        """The text that is embedded and indexed. It includes the heading path, which helps both searches."""
        return f"{self.heading}\n{self.text}" if self.heading else self.text
