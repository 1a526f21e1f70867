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
    """The passages of a document set in one generation.

    Args:
        passages: Their ids.
        numbers: 1 at the number of each of them, 0 at that of others.
    """

    passages: frozenset[PassageId]
    numbers: bytes
    _rows: npt.NDArray[np.intp] | None = field(default=None, repr=False)

    @classmethod
    def read(cls, connection: sqlite3.Connection, documents: DocumentSet) -> Scope:
        """Find the passages of the documents whose files belong to a set.

        A file decides, not the key of a document: rows of a JSON Lines file name themselves.
        """
        wanted = {key for (key,) in connection.execute("SELECT key FROM files") if documents.holds(key)}
        held = {key for key, file in connection.execute("SELECT key, file FROM documents") if file in wanted}
        ids: list[PassageId] = []
        numbers: list[int] = []
        for number, passage, document in connection.execute("SELECT number, id, document FROM passages"):
            if document in held:
                ids.append(PassageId(passage))
                numbers.append(number)
        flags = bytearray(max(numbers, default=-1) + 1)
        for number in numbers:
            flags[number] = 1
        return cls(frozenset(ids), bytes(flags))

    def holds_number(self, number: int) -> bool:
        """Whether the passage with this number belongs to it."""
        return number < len(self.numbers) and self.numbers[number] == 1

    def rows(self, ids: Sequence[PassageId]) -> npt.NDArray[np.intp]:
        """The rows of its passages among those of the same generation."""
        if self._rows is None:
            self._rows = np.array([row for row, one in enumerate(ids) if one in self.passages], np.intp)
        return self._rows
