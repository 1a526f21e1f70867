"""How much of something weighted a text carries."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field

from rag.language.units import Unit

_FACT_WEIGHT = 1.0
_MISSING_FACT_LEAVES = 0.25


@dataclass(frozen=True, slots=True)
class Claim:
    """What is to be found: words with their weights, and facts that are compared by their normal forms."""

    words: Mapping[str, float] = field(default_factory=dict)
    facts: Sequence[Unit] = ()

    @property
    def is_empty(self) -> bool:
        """Whether there is nothing to look for."""
        return not self.words and not self.facts

    @property
    def weight(self) -> float:
        """Weight of the words and the facts together."""
        return sum(self.words.values()) + _FACT_WEIGHT * len(self.facts)


def share(weights: Mapping[str, float], present: Container[str]) -> float:
    """Share of the weight whose terms are present, 0-1; 0 when there is nothing to look for."""
    total = sum(weights.values())
    if total <= 0:
        return 0.0
    return sum(weight for term, weight in weights.items() if term in present) / total


def carried(claim: Claim, present: Container[str], facts: Collection[Unit]) -> float:
    """Share of a claim that a text carries, 0-1.

    A missing fact costs more than its share: the number is what the claim is about.

    Args:
        claim: What is to be found.
        present: The text's content terms.
        facts: Those of the claim's facts that the text states.
    """
    total = claim.weight
    if total <= 0:
        return 0.0
    words = sum(weight for term, weight in claim.words.items() if term in present)
    stated = sum(fact in facts for fact in claim.facts)
    whole = (words + _FACT_WEIGHT * stated) / total
    if not claim.facts:
        return whole
    return whole * (_MISSING_FACT_LEAVES + (1 - _MISSING_FACT_LEAVES) * stated / len(claim.facts))
