"""Search by meaning: the passages whose vectors are nearest to the question's.

`ExactVectors` compares all vectors in memory: always exact, and fast enough for the corpus of a team (ten
thousand passages are 15 MB). `rag.knowledge.chroma` keeps an index on disk for more.
"""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from rag.errors import KnowledgeError
from rag.knowledge.embedder import Vectors
from rag.reasons import Reason
from rag.values import PassageId

_ROWS_AT_ONCE = 500


@dataclass(frozen=True, slots=True)
class VectorHit:
    """A passage near the question; `similarity` is the cosine."""

    id: PassageId
    similarity: float


class ExactVectors:
    """All vectors of one generation, in memory: `matrix`, normalised, has a row for each of `ids`."""

    def __init__(self, ids: Sequence[PassageId], matrix: Vectors) -> None:
        self.ids = tuple(ids)
        self._matrix = matrix

    @classmethod
    def read(cls, connection: sqlite3.Connection, fingerprint: str) -> ExactVectors:
        """Load the vectors of every passage."""
        rows = connection.execute(
            "SELECT passages.id, vectors.vector FROM passages JOIN vectors"
            " ON vectors.content = passages.content AND vectors.fingerprint = ? ORDER BY passages.number",
            (fingerprint,),
        ).fetchall()
        ids = [PassageId(row[0]) for row in rows]
        values = np.frombuffer(b"".join(row[1] for row in rows), np.float32)
        return cls(ids, values.reshape(len(ids), -1) if ids else np.empty((0, 0), np.float32))

    def nearest(
        self, vector: Vectors, limit: int, rows: npt.NDArray[np.intp] | None = None
    ) -> list[VectorHit]:
        """The passages in `rows` (None: all) nearest to a normalised vector, shape (dimension,), best first.

        Raises:
            KnowledgeError: The vector has another length.
        """
        if not self.ids or limit <= 0:
            return []
        if self._matrix.shape[1] != vector.shape[0]:
            raise KnowledgeError(
                Reason("embedding-length", {"indexed": self._matrix.shape[1], "now": vector.shape[0]})
            )
        similarities = _product(self._matrix, vector)
        if rows is not None:
            similarities = similarities[rows]
            if not len(similarities):
                return []
        limit = min(limit, len(similarities))
        best = np.argpartition(-similarities, limit - 1)[:limit]
        best = best[np.argsort(-similarities[best], kind="stable")]
        return [
            VectorHit(self.ids[row if rows is None else rows[row]], float(similarities[row])) for row in best
        ]


def _product(matrix: Vectors, vector: Vectors) -> Vectors:
    """The product, computed in parts that are too small for the threads of the linear algebra library.

    These threads wait for each other by spinning, which takes ten times the processor time, and more beside a
    model.
    """
    starts = range(0, len(matrix), _ROWS_AT_ONCE)
    return np.concatenate([matrix[start : start + _ROWS_AT_ONCE] @ vector for start in starts])


def read_vectors(
    connection: sqlite3.Connection, ids: Sequence[PassageId], fingerprint: str
) -> dict[PassageId, Vectors]:
    """The vectors of the given passages, shape (dimension,) each; passages without a vector are left out."""
    rows = connection.execute(
        "SELECT passages.id, vectors.vector FROM passages JOIN vectors"
        " ON vectors.content = passages.content AND vectors.fingerprint = ?"
        " WHERE passages.id IN (SELECT value FROM json_each(?))",
        (fingerprint, json.dumps(ids)),
    )
    return {PassageId(passage): np.frombuffer(blob, np.float32) for passage, blob in rows}
