"""Searching in some documents only: the passages of a document set."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from rag.values import DocumentSet, PassageId


@dataclass(slots=True)
class Scope:
    """The passages of a document set in one generation."""

    passages: frozenset[PassageId]
    numbers: frozenset[int]
    _rows: npt.NDArray[np.intp] | None = field(default=None, repr=False)

    @classmethod
    def read(cls, connection: sqlite3.Connection, documents: DocumentSet) -> Scope:
        """Find the passages of the documents whose files belong to a set.

        A file decides, not the key of a document: rows of a JSON Lines file name themselves.
        """
        wanted = {key for (key,) in connection.execute("SELECT key FROM files") if documents.holds(key)}
        held = {key for key, file in connection.execute("SELECT key, file FROM documents") if file in wanted}
        rows = connection.execute("SELECT number, id, document FROM passages")
        passages = {number: PassageId(passage) for number, passage, document in rows if document in held}
        return cls(frozenset(passages.values()), frozenset(passages))

    def rows(self, ids: Sequence[PassageId]) -> npt.NDArray[np.intp]:
        """The rows of its passages among those of the same generation."""
        if self._rows is None:
            self._rows = np.array([row for row, one in enumerate(ids) if one in self.passages], np.intp)
        return self._rows
