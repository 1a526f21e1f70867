"""Compute the share of weighted words and facts that a text contains."""

from __future__ import annotations

from collections.abc import Collection, Container, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from rag.language.units import Unit

_FACT_WEIGHT = 1.0
"""Weight of a fact, where the rarest word weighs 1."""
_MISSING_FACT_LEAVES = 0.25
"""Factor that remains of a claim's share if none of its facts is stated."""


@dataclass(frozen=True)  # no slots: `weight` is cached, because it is needed for every window
class Claim:
    """A claim to search for: words with their weights, and facts, compared by their normal forms."""

    words: Mapping[str, float] = field(default_factory=dict)
    facts: Sequence[Unit] = ()

    @property
    def is_empty(self) -> bool:
        """Whether the claim has neither words nor facts."""
        return not self.words and not self.facts

    @cached_property
    def weight(self) -> float:
        """Weight of the words and the facts together."""
        return sum(self.words.values()) + _FACT_WEIGHT * len(self.facts)


def share(weights: Mapping[str, float], present: Container[str]) -> float:
    """Return the share of the weight whose terms are present, 0-1; 0 when there is nothing to look for."""
    total = held = 0.0  # one loop, because this runs for every window of every passage
    for term, weight in weights.items():
        total += weight
        if term in present:
            held += weight
    return held / total if total > 0 else 0.0


def claim_share(claim: Claim, present: Container[str], facts: Collection[Unit]) -> float:
    """Return the share of a claim that a text contains, 0-1.

    A missing fact costs more than its share, because the number is the point of the claim.

    Args:
        present: The text's content terms.
        facts: Those of the claim's facts that the text states.
    """
    total = claim.weight
    if total <= 0:
        return 0.0
    words = 0.0
    for term, weight in claim.words.items():
        if term in present:
            words += weight
    if not claim.facts:
        return words / total
    stated = sum(fact in facts for fact in claim.facts) if facts else 0
    whole = (words + _FACT_WEIGHT * stated) / total
    return whole * (_MISSING_FACT_LEAVES + (1 - _MISSING_FACT_LEAVES) * stated / len(claim.facts))
