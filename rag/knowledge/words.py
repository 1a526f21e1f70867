"""Search by words: BM25 over the terms of `rag.language.words`, in SQLite's own index.

The index lies in the same file as the passages and changes in the same transaction, so it cannot
disagree with them.
"""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag.values import PassageId

_NEAR = 3  # words between two that still belong together: "state of the union"

_MOST = 64  # terms and pairs of a question: a pasted page must not take a second


@dataclass(frozen=True, slots=True)
class WordHit:
    """A passage that holds some of the question's terms; `score` is BM25, higher is better."""

    id: PassageId
    score: float


def match_expression(terms: Iterable[str], pairs: Iterable[tuple[str, str]] = ()) -> str:
    """An FTS5 query for passages with any of these terms, whatever characters they hold.

    Args:
        terms: Single terms.
        pairs: Terms that say more together: they count once more when they stand close to each other,
            and again when they follow each other (a first and a last name, a product of two words).
    """
    parts = [_quoted(term) for term in dict.fromkeys(terms)]
    for first, second in dict.fromkeys(pairs):
        parts.append(f"({_quoted(first)} + {_quoted(second)})")
        parts.append(f"NEAR({_quoted(first)} {_quoted(second)}, {_NEAR})")
    return " OR ".join(parts)


def search(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    limit: int,
    pairs: Iterable[tuple[str, str]] = (),
) -> list[WordHit]:
    """The passages that hold the terms best, best first.

    Args:
        connection: Reads the knowledge base.
        terms: Terms of the question.
        limit: Passages at the most.
        pairs: Neighbouring content terms of the question.
    """
    expression = match_expression(terms[:_MOST], itertools.islice(pairs, _MOST))
    if not expression:
        return []
    rows = connection.execute(
        "SELECT passages.id, -found.rank FROM"
        " (SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?) AS found"
        " JOIN passages ON passages.number = found.rowid ORDER BY found.rank, passages.id",
        (expression, limit),
    )
    return [WordHit(PassageId(passage), score) for passage, score in rows]


def _quoted(term: str) -> str:
    return '"' + term.replace("\0", " ").replace('"', '""') + '"'


def share(connection: sqlite3.Connection, passage: PassageId, weights: Mapping[str, float]) -> float:
    """How much of some weighted terms a passage holds, 0-1.

    Args:
        connection: Reads the knowledge base.
        passage: The passage.
        weights: Weight by term.
    """
    row = connection.execute(
        "SELECT terms FROM words JOIN passages ON passages.number = words.rowid WHERE passages.id = ?",
        (passage,),
    ).fetchone()
    total = sum(weights.values())
    if row is None or not total:
        return 0.0
    held = set(row[0].split())
    return sum(weight for term, weight in weights.items() if term in held) / total


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """In how many passages each term stands.

    Args:
        passages: Passages in the knowledge base.
        counts: Passages that hold a term, by term.
    """

    passages: int
    counts: Mapping[str, int]

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Vocabulary:
        """Count the terms of the knowledge base."""
        (passages,) = connection.execute("SELECT count(*) FROM passages").fetchone()
        return cls(passages, dict(connection.execute("SELECT term, doc FROM word_counts")))

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """How rare terms are: 0 stands in every passage, 1 in none."""
        whole = math.log(self.passages + 1)
        if not whole:
            return dict.fromkeys(terms, 1.0)
        return {
            term: math.log((self.passages + 1) / (self.counts.get(term, 0) + 1)) / whole for term in terms
        }

    def weights(self, terms: Iterable[str], defaults: Iterable[str]) -> dict[str, float]:
        """Rarity of the terms that stand somewhere, and of those `defaults` that do not.

        The other stems of a question's words stand nowhere because they are of the wrong language.
        """
        known = {term for term in terms if term in self.counts}
        return self.rarity(known.union(defaults))
