"""Compares a text with the documents, without a model.

Is the question covered? Is the draft supported? Does it decline? (`rag.checks` looks for faults of form.)

``Gatherer`` collects the material (vectors, passages), ``compare`` turns it into `Evidence`, ``decide`` into
a verdict. Only the first does I/O; the other two are pure.

To teach the rules a language, see `rag.language.tables`. To add a signal, see ``signals.py``.
"""

from rag.evidence.decision import (
    compare,
    decide,
    is_covered,
    is_repeated,
    score_evidence,
)
from rag.evidence.gathering import Gatherer
from rag.evidence.material import Hit, Landmarks, Material

__all__ = [
    "Gatherer",
    "Hit",
    "Landmarks",
    "Material",
    "compare",
    "decide",
    "is_covered",
    "is_repeated",
    "score_evidence",
]
