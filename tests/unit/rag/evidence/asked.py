"""One passage and what is asked of it, for tests of the evidence without an index."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rag.evidence import Material
from rag.language.words import content_terms
from rag.steps.classify import classify
from rag.values import Passage, PassageId, Question


@dataclass(frozen=True, slots=True)
class Found:
    """A passage that a search found."""

    passage: Passage
    similarity: float = 0.5


def asked(question: str, text: str, heading: str = "Rules") -> Material:
    """What a draft for a question is compared with: one passage, of which every word is equally rare."""
    classification = classify(Question(question))
    passage = Passage(PassageId("rules"), "rules.md", heading, text)
    known = frozenset(content_terms(f"{heading} rules.md {text}", classification.language))

    def rarity(terms: Iterable[str]) -> Mapping[str, float]:
        return {term: 0.8 if term in known else 1.0 for term in terms}

    return Material(question, classification, (), [Found(passage)], None, None, rarity, None)
