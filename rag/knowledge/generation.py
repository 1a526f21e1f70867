"""The part of one generation of the knowledge base that a searching process keeps in memory."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass

from rag.knowledge.selection import PlacedPassage
from rag.knowledge.store import State, read_state
from rag.knowledge.words import Vocabulary
from rag.values import Anchor, Passage, PassageId

_MAIN_SHARE = 0.9
"""Minimum share of the text in the main language of the documents."""


@dataclass(frozen=True, slots=True)
class Generation:
    """Counts and terms of one generation; never mix them with those of another one.

    `characters` is the length of the documents by ISO 639-1 code, longest first.
    """

    state: State
    documents: int
    characters: dict[str, int]
    vocabulary: Vocabulary

    @property
    def passages(self) -> int:
        """Number of passages."""
        return self.vocabulary.passages

    @property
    def main_language(self) -> str:
        """Language of at least 90 % of the text, as ISO 639-1 code; English if there is no such language."""
        least = _MAIN_SHARE * sum(self.characters.values())
        return next((code for code, length in self.characters.items() if length >= least), "en")

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Generation:
        """Read the generation that this connection sees."""
        (documents,) = connection.execute("SELECT count(*) FROM documents").fetchone()
        lengths = connection.execute(
            "SELECT language, sum(characters) AS total FROM documents GROUP BY language ORDER BY total DESC"
        )
        return cls(read_state(connection), documents, dict(lengths), Vocabulary.read(connection))


def read_placed_passages(
    connection: sqlite3.Connection, ids: Iterable[PassageId]
) -> dict[PassageId, PlacedPassage]:
    """The stored passages with these ids; unknown ids are left out."""
    rows = connection.execute(
        "SELECT passages.id, title, heading, text, document, ordinal, lead, lead_heading, url, anchors"
        " FROM passages"
        " JOIN documents ON documents.key = passages.document"
        " WHERE passages.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(ids)),),
    )
    return {
        PassageId(passage): PlacedPassage(
            Passage(
                PassageId(passage),
                document=title,
                section=heading,
                text=text,
                source=key,
                lead=lead,
                lead_section=lead_heading,
                url=url,
                anchors=tuple(Anchor(start, name) for start, name in json.loads(anchors)),
            ),
            ordinal,
        )
        for passage, title, heading, text, key, ordinal, lead, lead_heading, url, anchors in rows
    }


def read_document(connection: sqlite3.Connection, key: str) -> tuple[Passage, ...]:
    """The stored passages of one document in order; empty if there is no document with this key."""
    rows = connection.execute("SELECT id FROM passages WHERE document = ? ORDER BY ordinal", (key,))
    ids = [PassageId(passage) for (passage,) in rows]
    found = read_placed_passages(connection, ids)
    return tuple(found[passage].passage for passage in ids)
