"""The findings of the checks of a text, and the verdict on it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, get_args

from rag.reasons import Reason
from rag.values.passages import PassageId

Quality = Literal["adequate", "needs_docs", "hallucination", "off_topic", "unchecked"]
"""The result of an evaluation. ``unchecked`` means that a judge was needed and failed."""

VerdictSource = Literal["rules", "evidence", "reading", "judge", "person"]
"""Who decided: the free rules on the text, the free comparison with the corpus, the second reading of the
cited passage, a judge model, or a person who knows."""

Label = Literal["verified", "partly", "unverified", "conversation", "general", "not_in_documents", "person"]
"""The result of the check as the user sees it: the documents carry every sentence, or the one that answers
and not each other one; nobody could confirm it; the conversation says so; general knowledge; the documents do
not say it; or, unchecked, a person who knows has answered."""

LABELS: tuple[Label, ...] = get_args(Label)[:-1]
"""The labels that a check gives; statistics count these, and no replies of people."""

FindingKind = Literal[
    "wrong_language",
    "stray_characters",
    "truncated",
    "empty",
    "short_section",
    "leftover",
    "thoughts",
    "broken_markup",
    "citation",
    "repetition",
]

Severity = Literal["critical", "fixable", "complex", "info"]
"""What follows from a fault: ``critical``, the text is written again; ``fixable``, it is repaired without a
model; ``complex``, the judge is told; ``info``, it is only recorded."""


@dataclass(frozen=True, slots=True)
class Finding:
    """A fault that a free check found in a text; ``start`` and ``end`` are offsets in code points."""

    kind: FindingKind
    severity: Severity
    start: int
    end: int
    description: Reason


ReadingOutcome = Literal["agrees", "differs", "not_stated", "undecided", "failed"]
"""What the verifier says of the text under check. ``undecided``: the passage answers, and it is not clear
whether it says the same; ``failed``: there was no reading. Only ``agrees`` allows the label verified."""


@dataclass(frozen=True, slots=True)
class SecondReading:
    """The result of a reading of the cited passage.

    Args:
        n: Number of the citation whose passage was read, from 1.
        text: The words of the passage that answer; empty if there are none.
    """

    outcome: ReadingOutcome
    n: int
    text: str = ""


@dataclass(frozen=True, slots=True)
class Evidence:
    """Comparison of a draft with the corpus and the history. Every score is 0-1.

    Args:
        supported: Share of the draft's own claims that the passages state.
        supported_by_history: The same for the conversation.
        refusal: How much the draft reads as "I do not know".
        conflicts: Facts of the draft (numbers, names, code) that the passages contradict or lack.
        passages: Ids of the compared passages, best first.
    """

    covered: float
    supported: float
    supported_by_history: float = 0.0
    refusal: float = 0.0
    relevance: float = 1.0
    conflicts: tuple[str, ...] = ()
    passages: tuple[PassageId, ...] = ()
    signals: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of an evaluation: quality, reason, confidence (0-1) and the layer that decided."""

    quality: Quality
    reason: Reason
    confidence: float
    source: VerdictSource
