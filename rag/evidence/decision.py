"""From signals to a verdict: four questions in a fixed order.

1. Does the draft decline? Then only the documents can help.
2. Does it say what the conversation says of the question, and the documents nothing else? Then it is right.
3. Is it about something else than the question?
4. Do the passages carry it, or is it common knowledge that they need not carry? Then it is adequate;
   otherwise it claims something that nobody can confirm.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag.evidence import scoring, signals
from rag.evidence.material import Material
from rag.evidence.scoring import Weights
from rag.values import Evidence, Verdict

REFUSAL_THRESHOLD = 0.5
"""Share of a text in sentences that decline, from which the whole text counts as a refusal."""
_SOUNDS_LIKE_REFUSAL = 1.0
"""Similarity to a sentence that declines, as near as a question and its own answer."""
_REPEATS_HISTORY = 0.7
_THREE_WORDS = 0.55
_COVERED = 0.5
_EVEN = 0.5
_NEARLY_ALL_OF_IT = 0.8
_MOST_OF_IT = 0.6
_SOME_OF_IT = 0.4
_A_PART_OF_IT = 0.3
"""Share of the question, by rare words, that the sentences which carry a draft must hold: where an amount is
asked for and none is given, in general, with its rarest word or a name among them, and for a follow-up, which
repeats the question before. What they let through and stop is measured on recorded answers
(``bench/quality.py``)."""
_NOTHING_KNOWN = 0.95
_SURELY_CARRIED = 0.85
"""Support from which "guests have no access" is what the passages say; no refusal in our sets reaches it."""
_SURE = 0.95
_FAIRLY_SURE = 0.85


def compare(material: Material, draft: str, weights: Weights | None = None) -> Evidence:
    """Compare a draft with the corpus and the conversation; without weights, by the file's; pure."""
    measured = signals.measure(material, draft)
    found = Evidence(
        covered=0.0,
        supported=0.0,
        conflicts=measured.conflicts,
        objections=measured.objections,
        passages=tuple(passage.id for passage in material.shown)
        or tuple(hit.passage.id for hit in material.hits),
    )
    return weighed(measured.signals, found, weights)


def weighed(measured: Mapping[str, float], found: Evidence, weights: Weights | None = None) -> Evidence:
    """The evidence with its scores, as the weights see the signals."""
    supported = scoring.probability("supported", measured, weights)
    return replace(
        found,
        covered=1.0 - scoring.probability("common", {**measured, "relevance": 0.5, "echo": 0.0}, weights),
        supported=supported,
        supported_by_history=measured["history"],
        refusal=_refusal(measured, supported),
        relevance=max(0.0, min(1.0, measured["relevance"])),
        signals=measured,
    )


def _refusal(measured: Mapping[str, float], supported: float) -> float:
    """How much of a draft declines, by its words or by its meaning, 0-1.

    "Guests cannot see it" is near to "I cannot see it", in words and in meaning, and yet an answer where the
    passages carry it; "I do not know whether guests can see it" is none, whatever they carry. And no list of
    phrases is complete, but whoever states a fact, or says just no, does not decline.
    """
    is_carried = supported >= _SURELY_CARRIED and _speaks_of_it(measured)
    by_words = measured["ignorant"] if is_carried else measured["declining"]
    is_sentence = measured["words"] >= _THREE_WORDS and not measured["has_fact"]
    is_near = measured["refusal"] >= _SOUNDS_LIKE_REFUSAL and is_sentence and supported < _EVEN
    return max(by_words, float(is_near))


def is_covered(evidence: Evidence) -> bool:
    """Whether the documents talk about the question."""
    return evidence.covered >= _COVERED


def is_repeated(evidence: Evidence) -> bool:
    """Whether the conversation says what a draft says, and the documents nothing else; no passage need."""
    is_said = evidence.supported_by_history >= _REPEATS_HISTORY
    return is_said and evidence.signals["declining"] < REFUSAL_THRESHOLD and not _is_said_otherwise(evidence)


def _is_said_otherwise(evidence: Evidence) -> bool:
    """Whether the documents answer the question, and not as the draft does."""
    measured = evidence.signals
    is_answered = measured["covered"] >= _NEARLY_ALL_OF_IT and evidence.supported < _EVEN
    return is_answered and bool(measured["lacking"] or not measured["follow_up"])


def is_answering(evidence: Evidence) -> bool:
    """Whether the sentences that carry a draft speak of what was asked; otherwise they verify nothing.

    Small models like to answer with a sentence beside the question: every word of it stands in a passage.
    Words of the question that the corpus does not know (another language, an ending) are not looked for.
    """
    return _speaks_of_it(evidence.signals)


def _speaks_of_it(measured: Mapping[str, float]) -> bool:
    if measured["dated"] < _EVEN or not measured["timely"]:
        return False
    if not measured["length"] or measured["unknown"] >= _NOTHING_KNOWN:
        return True
    anchored = measured["anchored"] / (1.0 - measured["unknown"])
    if measured["follow_up"]:
        return anchored >= _A_PART_OF_IT
    if measured["asks_amount"] and not measured["has_fact"]:  # unless in words: "every second Tuesday"
        return anchored >= _NEARLY_ALL_OF_IT
    has_its_name = max(measured["pivot"], measured["named"]) >= _EVEN
    return anchored >= _MOST_OF_IT or (anchored >= _SOME_OF_IT and has_its_name)


def is_unambiguous(evidence: Evidence, weights: Weights | None = None) -> bool:
    """Whether the passages leave no other answer open than the one that a draft gives.

    "Adequate" says that the words of the draft stand in a passage, and so do those of many a wrong answer.
    This says that they fill the very gap that the question leaves there, and that nothing speaks against it;
    how many wrong answers pass is measured by ``bench/fit_unambiguous.py``.
    """
    measured = evidence.signals
    if (
        evidence.objections
        or not is_answering(evidence)
        or measured["only_yes_or_no"]
        or measured["no_claim"]
    ):
        return False
    return scoring.probability("unambiguous", measured, weights) >= _EVEN


def decide(evidence: Evidence, *, has_documents: bool, weights: Weights | None = None) -> Verdict:
    """Judge a draft by its evidence; a confidence below the threshold means "ask somebody else".

    Args:
        evidence: What `compare` found.
        has_documents: The draft was written from passages, so common knowledge is no excuse.
        weights: Those the evidence was weighed with, where they are not the file's.
    """
    measured = evidence.signals
    if evidence.refusal >= REFUSAL_THRESHOLD:
        return Verdict("needs_docs", "the draft declines to answer", _SURE, "evidence")
    if is_repeated(evidence):
        return Verdict("adequate", "the conversation already says this", _FAIRLY_SURE, "evidence")
    if turned := next((one for one in evidence.objections if one.is_sure), None):
        said = ", ".join(turned.values)
        return Verdict("hallucination", f"the passages say the opposite: {said}", _SURE, "evidence")
    if measured["only_yes_or_no"] and evidence.covered >= _COVERED:
        return Verdict("adequate", "a bare yes or no can be compared with nothing", _EVEN, "evidence")
    unsupported = 1.0 - evidence.supported
    off_topic = scoring.probability("off_topic", measured, weights) * unsupported
    uncommon = 1.0 if has_documents else 1.0 - scoring.probability("common", measured, weights)
    invented = (1.0 - off_topic) * unsupported * uncommon
    # Whether the draft may go out is one question, what is wrong with it another; the first one decides
    # how sure the verdict is, since both faults send the draft back.
    rejected = off_topic + invented
    if rejected <= _EVEN:
        if evidence.supported <= 1.0 - uncommon:
            reason = "common knowledge, not a matter of the documents"
        elif is_answering(evidence):
            reason = "the passages carry it"
        else:
            reason = "the passages carry it, but say little of what was asked"
        return Verdict("adequate", reason, 1.0 - rejected, "evidence")
    # What a follow-up is about stands in the conversation, and its own words do not tell.
    if off_topic > invented and not measured["follow_up"]:
        return Verdict("off_topic", "the draft is about something else", rejected, "evidence")
    lacking = ", ".join(evidence.conflicts)
    reason = f"no passage states {lacking}" if lacking else "no passage carries what the draft claims"
    return Verdict("hallucination", reason, rejected, "evidence")
