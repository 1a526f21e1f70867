"""Search by words: BM25 over the terms of `rag.language.words`, in SQLite's own index.

The index is in the same file as the passages and changes in the same transaction, so it always matches them.
"""

from __future__ import annotations

import itertools
import math
import sqlite3
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from rag.values import PassageId

UNSEEN_PASSAGES = 10
"""Imaginary passages without anything of a question; in a corpus of a few, every word would look common."""
_MOST = 64  # maximum terms of a question: a pasted page must not take a second

_TOGETHER = 0.75
"""Bonus for two neighbouring words that are also neighbours in the passage, as a share of their weights."""

_TELLING = 4
"""This many words that are in no other passage show by themselves what a long question is about."""


_FIND = (
    # The terms are joined afterwards: sorting every match with its text takes longer than finding it.
    "SELECT passages.id, -found.rank, words.terms FROM"
    " (SELECT rowid, rank FROM words WHERE words MATCH ? ORDER BY rank LIMIT ?) AS found"
    " JOIN passages ON passages.number = found.rowid JOIN words ON words.rowid = found.rowid"
)
# The plus keeps FTS5 from sorting the matches itself: it would score all of them, and again each that is
# passed over. Here only those that are wanted are scored.
_FIND_WANTED = _FIND.replace("MATCH ? ORDER BY rank", "MATCH ? AND is_wanted(rowid) ORDER BY +rank")


@dataclass(frozen=True, slots=True)
class WordHit:
    """A passage with some of the question's terms.

    Args:
        score: BM25 plus a bonus for words that are neighbours as in the question; higher is better.
        terms: The passage's terms in reading order, separated by spaces.
    """

    id: PassageId
    score: float
    terms: str

    def share(self, weights: Mapping[str, float]) -> float:
        """Weighted share of the given terms that are in the passage, 0-1."""
        held = set(self.terms.split())
        total = sum(weights.values())
        return sum(weight for term, weight in weights.items() if term in held) / total if total else 0.0


def match_expression(terms: Iterable[str]) -> str:
    """An FTS5 query for passages with any of these terms; special characters are escaped."""
    quoted = ('"' + term.replace("\0", " ").replace('"', '""') + '"' for term in dict.fromkeys(terms))
    return " OR ".join(quoted)


def search(
    connection: sqlite3.Connection,
    terms: Sequence[str],
    limit: int,
    bonuses: Mapping[tuple[str, str], float] | None = None,
    is_wanted: Callable[[int], bool] | None = None,
) -> list[WordHit]:
    """The passages that match the terms best, best first.

    Args:
        bonuses: Score for two terms that follow each other in the passage, as `Vocabulary.bonuses` gives it.
        is_wanted: Whether a passage may be found, by its number; None: all may.
    """
    expression = match_expression(terms[:_MOST])
    if not expression:
        return []
    if is_wanted is not None:
        connection.create_function("is_wanted", 1, is_wanted)
    rows = connection.execute(_FIND if is_wanted is None else _FIND_WANTED, (expression, limit))
    together = {f" {first} {second} ": bonus for (first, second), bonus in (bonuses or {}).items()}
    hits = [
        WordHit(
            PassageId(passage),
            score + sum(bonus for pair, bonus in together.items() if pair in f" {held} "),
            held,
        )
        for passage, score, held in rows
    ]
    return sorted(hits, key=lambda hit: (-hit.score, hit.id))


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """How many passages there are, and how many have each term."""

    passages: int
    counts: Mapping[str, int]

    @classmethod
    def read(cls, connection: sqlite3.Connection) -> Vocabulary:
        """Count the terms of the knowledge base."""
        (passages,) = connection.execute("SELECT count(*) FROM passages").fetchone()
        return cls(passages, dict(connection.execute("SELECT term, doc FROM word_counts")))

    def rarity(self, terms: Iterable[str]) -> dict[str, float]:
        """Return how rare terms are: near 0 in every passage, 1 in none; imaginary passages count too."""
        passages = self.passages + UNSEEN_PASSAGES
        whole = math.log(passages + 1)
        return {term: math.log((passages + 1) / (self.counts.get(term, 0) + 1)) / whole for term in terms}

    def telling(self, terms: Sequence[str], enough: int) -> list[str]:
        """The distinctive terms, which decide which passages are best; the others only cost time.

        BM25 gives almost no weight to a term that is in every second passage, yet such terms make it read
        most passages.

        Where these find fewer than `enough` passages, all terms are kept.
        """
        telling = [term for term in terms if 2 * self.counts.get(term, 0) < self.passages]
        found = max((self.counts.get(term, 0) for term in telling), default=0)
        return telling if found >= enough else list(terms)

    def bonuses(self, terms: Sequence[str]) -> dict[tuple[str, str], float]:
        """Bonuses for neighbouring content terms that are also neighbours in a passage.

        A first and a last name, or the two words of a product name, mean something else when found apart.
        """
        pairs = itertools.islice(dict.fromkeys(itertools.pairwise(terms)), _MOST)
        return {
            pair: _TOGETHER * sum(self._inverse_frequency(self.counts.get(term, 0)) for term in pair)
            for pair in pairs
        }

    def telling_score(self, terms: Iterable[str]) -> float:
        """BM25 score from which words show by themselves what a question is about.

        A short question cannot score more than its terms.
        """
        known = sum(0 < 2 * self.counts.get(term, 0) < self.passages for term in terms)
        return min(_TELLING, max(1, known)) * self._inverse_frequency(1)

    def _inverse_frequency(self, count: int) -> float:
        return math.log(max((self.passages - count + 0.5) / (count + 0.5), 1.0))

    def weights(self, terms: Iterable[str], defaults: Iterable[str]) -> dict[str, float]:
        """Rarity of the terms that are in the corpus, and of those `defaults` that are not.

        Other unknown stems of a question's words are ignored, because they belong to the wrong language.
        """
        known = {term for term in terms if term in self.counts}
        return self.rarity(known.union(defaults))
