"""Measure whether another fact is closer to the question's words than the fact that a draft claims.

"It needs Java 17 and PostgreSQL 15" contains both numbers. A draft that answers 15 to a question about Java
is supported by the sentence, but wrong.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rag.evidence.coverage import share
from rag.language.units import Unit, matches, units
from rag.language.words import content_terms

_RADII = (14, 40)
"""Characters around a fact that count as its phrase and as its clause."""


def measure_rival_advantage(
    text: str, claimed: Sequence[Unit], asked: Mapping[str, float], language: str
) -> float:
    """Return how much closer the closest other fact of a text is to the question's words, 0-1.

    Args:
        text: The sentences that support the claim.
        claimed: The claim's facts.
        asked: The question's content terms with their weights.
        language: ISO 639-1 code, for the stems.
    """
    found = units(text, language, with_names=False)
    mine = {unit for unit in found if any(matches(fact, unit) for fact in claimed)}
    if len(mine) == len(found):
        return 0.0
    best = {True: 0.0, False: 0.0}
    for unit in found:
        is_mine = unit in mine
        best[is_mine] = max(best[is_mine], _nearness(text, unit, asked, language))
    return max(0.0, min(1.0, best[False] - best[True]))


def _nearness(text: str, unit: Unit, asked: Mapping[str, float], language: str) -> float:
    """Return the share of the question's words around a fact: the mean for its phrase and its clause."""
    around = (text[max(0, unit.start - radius) : unit.end + radius] for radius in _RADII)
    return sum(share(asked, frozenset(content_terms(piece, language))) for piece in around) / len(_RADII)
