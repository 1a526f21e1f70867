"""How well passages carry a claim: window by window, the question's words and the claim's words together."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag.evidence.reading import windows
from rag.values import Passage


@dataclass(frozen=True, slots=True)
class Support:
    """What the best windows of some passages hold. Every share is weighted by rarity, 0-1.

    Args:
        covered: Share of the question's terms in the window that has most of them.
        supported: Share of the claim's terms in the window that carries the claim best.
        anchored: Share of the question's terms in that same window.
    """

    covered: float = 0.0
    supported: float = 0.0
    anchored: float = 0.0

    @property
    def joint(self) -> float:
        """Claim and question together: a claim found far from the question's words is hardly support."""
        return self.supported * self.anchored


def measure(
    passages: Iterable[Passage], asked: Mapping[str, float], claimed: Mapping[str, float], language: str
) -> Support:
    """Find the windows that hold the question and the claim best.

    Args:
        passages: The passages to look into.
        asked: The question's content terms with their weights.
        claimed: The claim's content terms that the question does not have, with their weights.
        language: Language of the question, for the stems.
    """
    covered = 0.0
    best = Support()
    for passage in passages:
        heading = f"{passage.document} {passage.section}".strip()
        for window in windows(heading, passage.text, language):
            anchored = share(asked, window.context)
            covered = max(covered, anchored)
            supported = carried(claimed, window.context)
            if supported * (0.25 + 0.75 * anchored) > best.supported * (0.25 + 0.75 * best.anchored):
                best = Support(0.0, supported, anchored)
    return Support(covered, best.supported, best.anchored)


def share(weights: Mapping[str, float], present: frozenset[str] | set[str]) -> float:
    """Share of the weight whose terms are present, 0-1; 0 when there is nothing to look for."""
    total = sum(weights.values())
    if total <= 0:
        return 0.0
    return sum(weight for term, weight in weights.items() if term in present) / total


def carried(claimed: Mapping[str, float], present: frozenset[str] | set[str]) -> float:
    """Like `share`, but a missing number counts more than its share: it is what the claim is about."""
    numbers = [term for term in claimed if term[0].isdigit()]
    held = sum(number in present for number in numbers) / len(numbers) if numbers else 1.0
    return share(claimed, present) * (0.3 + 0.7 * held)
