"""The embedding model, as the knowledge base and the evidence need it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

Vectors: TypeAlias = NDArray[np.float32]
"""Shape (n, dimension) or (dimension,), float32, L2-normalised: a dot product is the cosine."""


class Embedder(Protocol):
    """Turns texts into vectors; blocking, so callers run it in a thread."""

    @property
    def fingerprint(self) -> str:
        """Changes whenever vectors of two instances must not be mixed."""
        ...

    def embed_passages(self, texts: Sequence[str]) -> Vectors:
        """Vectors of document texts, shape (len(texts), dimension); there is one at least."""
        ...

    def embed_queries(self, texts: Sequence[str]) -> Vectors:
        """Vectors of questions, shape (len(texts), dimension)."""
        ...
