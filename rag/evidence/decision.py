"""Turn signals into a verdict, with three questions in a fixed order.

1. Does the draft decline? Then only the documents can help.
2. Does it repeat what the conversation says about the question, and the documents say nothing else? Then it
is right.
3. Do the passages support it, or is it common knowledge that needs no support? Then it is adequate; otherwise
it claims something that nothing confirms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag.evidence import scoring, signals
from rag.evidence.material import Material
from rag.evidence.scoring import Weights
from rag.reasons import Reason
from rag.values import Evidence, Verdict

REFUSAL_THRESHOLD = 0.5
"""Share of a text in sentences that decline, from which the whole text counts as a refusal."""
_MIN_REPEATED = 0.7
_COVERED_THRESHOLD = 0.5
_EVEN = 0.5
_ANSWERED = 0.8
"""Share of the question's words, weighted by rarity, in one window of a passage, from which it answers."""
_OWN_NAME = 2 / 3
"""How common a name is in the corpus, from which the documents are about it and do not just mention it."""
_SURE_SUPPORT = 0.85
"""Support from which a denial such as "guests have no access" counts as stated by the passages. No refusal in
our data reaches it."""
_SURE = 0.95
_FAIRLY_SURE = 0.85


def compare(material: Material, draft: str, weights: Weights | None = None) -> Evidence:
    """Compare a draft with the corpus and the conversation. Uses the shipped weights by default. Pure."""
    measured = signals.measure(material, draft)
    found = Evidence(
        covered=0.0,
        supported=0.0,
        conflicts=measured.conflicts,
        passages=tuple(passage.id for passage in material.shown)
        or tuple(hit.passage.id for hit in material.hits),
    )
    return score_evidence(measured.signals, found, weights)


def score_evidence(
    measured: Mapping[str, float], found: Evidence, weights: Weights | None = None
) -> Evidence:
    """Fill in the scores of the evidence, computed from the signals with the weights."""
    supported = scoring.probability("supported", measured, weights)
    return replace(
        found,
        covered=1.0 - _score_common({**measured, "relevance": 0.5, "echo": 0.0}, weights),
        supported=supported,
        supported_by_history=measured["history"],
        refusal=_score_refusal(measured, supported),
        relevance=max(0.0, min(1.0, measured["relevance"])),
        signals=measured,
    )


def _score_refusal(measured: Mapping[str, float], supported: float) -> float:
    """Return the share of a draft that declines to answer, 0-1.

    "Guests cannot see it" resembles "I cannot see it", but is an answer if the passages support it. "I do not
    know whether guests can see it" is never an answer.
    """
    return measured["ignorant" if supported >= _SURE_SUPPORT else "declining"]


def _score_common(measured: Mapping[str, float], weights: Weights | None) -> float:
    """Return how probable it is, 0-1, that common knowledge answers the question.

    What the documents themselves are about is their business: nobody knows in general when Think Twice was
    founded.
    """
    return 0.0 if measured["own_name"] >= _OWN_NAME else scoring.probability("common", measured, weights)


def is_covered(evidence: Evidence) -> bool:
    """Return whether the documents cover the question."""
    return evidence.covered >= _COVERED_THRESHOLD


def is_repeated(evidence: Evidence) -> bool:
    """Return whether the draft repeats the conversation and the documents say nothing else."""
    is_said = evidence.supported_by_history >= _MIN_REPEATED
    return (
        is_said
        and evidence.signals["declining"] < REFUSAL_THRESHOLD
        and not _is_contradicted_by_documents(evidence)
    )


def _is_contradicted_by_documents(evidence: Evidence) -> bool:
    measured = evidence.signals
    is_answered = measured["covered"] >= _ANSWERED and evidence.supported < _EVEN
    return is_answered and bool(measured["lacking"] or not measured["follow_up"])


def decide(evidence: Evidence, *, has_documents: bool, weights: Weights | None = None) -> Verdict:
    """Decide the verdict on a draft. A confidence below the threshold leaves it undecided.

    Args:
        has_documents: The draft was written from passages, so common knowledge does not replace support.
        weights: The weights that the evidence was scored with; default: the shipped ones.
    """
    measured = evidence.signals
    if evidence.refusal >= REFUSAL_THRESHOLD:
        return Verdict("needs_docs", Reason("verdict-declines"), _SURE, "evidence")
    if is_repeated(evidence):
        return Verdict("adequate", Reason("verdict-said"), _FAIRLY_SURE, "evidence")
    if measured["only_yes_or_no"] and evidence.covered >= _COVERED_THRESHOLD:
        return Verdict("adequate", Reason("verdict-yes-no"), _EVEN, "evidence")
    unsupported = 1.0 - evidence.supported
    uncommon = 1.0 if has_documents else 1.0 - _score_common(measured, weights)
    rejected = unsupported * uncommon
    if rejected <= _EVEN:
        is_common = evidence.supported <= 1.0 - uncommon
        reason = Reason("verdict-common" if is_common else "verdict-carried")
        return Verdict("adequate", reason, 1.0 - rejected, "evidence")
    lacking = ", ".join(evidence.conflicts)
    reason = Reason("verdict-absent", {"facts": lacking}) if lacking else Reason("verdict-unsupported")
    return Verdict("hallucination", reason, rejected, "evidence")
