"""Turn signals into a verdict, with four questions in a fixed order.

1. Does the draft decline? Then only the documents can help.
2. Does it repeat what the conversation says about the question, and the documents say nothing else? Then it
is right.
3. Is it about something other than the question?
4. Do the passages support it, or is it common knowledge that needs no support? Then it is adequate; otherwise
it claims something that nothing confirms.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rag.evidence import scoring, signals
from rag.evidence.material import Material
from rag.evidence.scoring import Weights
from rag.reasons import Reason
from rag.values import Evidence, ObjectionCode, Verdict

REFUSAL_THRESHOLD = 0.5
"""Share of a text in sentences that decline, from which the whole text counts as a refusal."""
_SOUNDS_LIKE_REFUSAL = 1.0
"""Similarity to known refusals, by meaning, from which a draft may decline. 1 is the similarity of a
question and its own answer."""
_MIN_REPEATED = 0.7
_MIN_LENGTH_SIGNAL = 0.55
"""Minimum of the signal `words`; three words have 0.554."""
_COVERED_THRESHOLD = 0.5
_EVEN = 0.5
_MIN_COVERAGE_OF_AMOUNT = 0.8
"""Minimum share of the question's words, weighted by rarity, in the sentences behind a draft, if the
question asks for an amount and the draft gives none. The effect of this and the next three limits is
measured on recorded answers (``bench/quality.py``)."""
_MIN_COVERAGE = 0.6
"""The same share for other questions."""
_MIN_COVERAGE_WITH_NAME = 0.4
"""The same share if the question's rarest word or its name is in these sentences."""
_MIN_COVERAGE_OF_FOLLOW_UP = 0.3
"""The same share for a follow-up, which repeats words of the question before it."""
_MAX_UNKNOWN = 0.95
"""Share of unknown words from which the words of a question are not compared with the corpus at all."""
_SURE_SUPPORT = 0.85
"""Support from which a denial such as "guests have no access" counts as stated by the passages. No refusal in
our data reaches it."""
_MISSES_QUESTION: frozenset[ObjectionCode] = frozenset({"sibling", "only_siblings", "denied_premise"})
"""Objections that say that the supporting sentences do not answer this question."""
_IS_ABOUT_OTHER: frozenset[ObjectionCode] = frozenset({"only_siblings", "denied_premise"})
"""Objections that say the same of the whole passage, so that no reading of it confirms an answer."""
_IS_ADDED: frozenset[ObjectionCode] = frozenset({"unspoken_addition"})
"""Objections to what a draft says beside its answer; a reading confirms only the answer."""
_SURE = 0.95
_FAIRLY_SURE = 0.85


def compare(material: Material, draft: str, weights: Weights | None = None) -> Evidence:
    """Compare a draft with the corpus and the conversation. Uses the shipped weights by default. Pure."""
    measured = signals.measure(material, draft)
    found = Evidence(
        covered=0.0,
        supported=0.0,
        conflicts=measured.conflicts,
        objections=measured.objections,
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
        covered=1.0 - scoring.probability("common", {**measured, "relevance": 0.5, "echo": 0.0}, weights),
        supported=supported,
        supported_by_history=measured["history"],
        refusal=_score_refusal(measured, supported),
        relevance=max(0.0, min(1.0, measured["relevance"])),
        signals=measured,
    )


def _score_refusal(measured: Mapping[str, float], supported: float) -> float:
    """Return the share of a draft that declines to answer, by its phrases or by its meaning, 0-1.

    "Guests cannot see it" resembles "I cannot see it" in words and meaning, but is an answer if the passages
    support it. "I do not know whether guests can see it" is never an answer. Because no list of phrases is
    complete, meaning counts too, but not for a draft that states a fact or only says no.
    """
    is_carried = supported >= _SURE_SUPPORT and _fits_in_time(measured) and _has_words_of_question(measured)
    by_words = measured["ignorant"] if is_carried else measured["declining"]
    is_sentence = measured["words"] >= _MIN_LENGTH_SIGNAL and not measured["has_fact"]
    is_near = measured["refusal"] >= _SOUNDS_LIKE_REFUSAL and is_sentence and supported < _EVEN
    return max(by_words, float(is_near))


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
    """Return whether the documents answer the question differently from the draft."""
    measured = evidence.signals
    is_answered = measured["covered"] >= _MIN_COVERAGE_OF_AMOUNT and evidence.supported < _EVEN
    return is_answered and bool(measured["lacking"] or not measured["follow_up"])


def is_answering(evidence: Evidence) -> bool:
    """Return whether the sentences that support a draft are about the question.

    Small models tend to answer with a sentence that misses the question, although all its words are in a
    passage. Words of the question that the corpus does not contain (another language, an ending) are ignored.
    """
    measured = evidence.signals
    return (
        _fits_in_time(measured)
        and _has_words_of_question(measured)
        and not _has_objection(evidence, _MISSES_QUESTION)
    )


def is_about_other(evidence: Evidence) -> bool:
    """Return whether the passages that support a draft are about another thing or time than the question.

    Few shared words do not show that: the sentence before may name the thing, and the question may have other
    words for it. Even a reading that agrees confirms no such draft, because readers confuse siblings, too.
    """
    return not _fits_in_time(evidence.signals) or _has_objection(evidence, _IS_ABOUT_OTHER)


def has_addition(evidence: Evidence) -> bool:
    """Return whether a draft has a sentence, a word or a fact that its passage lacks or denies."""
    return _has_objection(evidence, _IS_ADDED)


def _has_objection(evidence: Evidence, codes: frozenset[ObjectionCode]) -> bool:
    return any(objection.code in codes for objection in evidence.objections)


def _fits_in_time(measured: Mapping[str, float]) -> bool:
    """Return whether the supporting passages have the figures and the moment that the question asks about."""
    return measured["dated"] >= _EVEN and bool(measured["timely"])


def _has_words_of_question(measured: Mapping[str, float]) -> bool:
    if not measured["length"] or measured["unknown"] >= _MAX_UNKNOWN:
        return True
    anchored = measured["anchored"] / (1.0 - measured["unknown"])
    if measured["follow_up"]:
        return anchored >= _MIN_COVERAGE_OF_FOLLOW_UP
    if measured["asks_amount"] and not measured["has_fact"]:  # unless in words: "every second Tuesday"
        return anchored >= _MIN_COVERAGE_OF_AMOUNT
    has_its_name = max(measured["pivot"], measured["named"]) >= _EVEN
    return anchored >= _MIN_COVERAGE or (anchored >= _MIN_COVERAGE_WITH_NAME and has_its_name)


def is_unambiguous(evidence: Evidence, language: str, weights: Weights | None = None) -> bool:
    """Return whether the passages allow no other answer than the draft's.

    "Adequate" means that the words of the draft are in a passage, which is also true of many wrong answers.
    "Unambiguous" means that they fill exactly the gap that the question leaves in the passage, and that
    nothing contradicts them. ``bench/fit_unambiguous.py`` measures how many wrong answers pass, and fits a
    threshold for each language, because words and their order say less in some languages than in others.

    Args:
        evidence: The result of `compare`.
        language: ISO 639-1 code of the question's language.
        weights: The weights; default: the shipped ones.
    """
    measured = evidence.signals
    if (
        evidence.objections
        or not is_answering(evidence)
        or measured["only_yes_or_no"]
        or measured["no_claim"]
    ):
        return False
    return scoring.probability("unambiguous", measured, weights, language=language) >= _EVEN


def decide(evidence: Evidence, *, has_documents: bool, weights: Weights | None = None) -> Verdict:
    """Decide the verdict on a draft. A confidence below the threshold leaves it undecided.

    Args:
        evidence: The result of `compare`.
        has_documents: The draft was written from passages, so common knowledge does not replace support.
        weights: The weights that the evidence was scored with; default: the shipped ones.
    """
    measured = evidence.signals
    if evidence.refusal >= REFUSAL_THRESHOLD:
        return Verdict("needs_docs", Reason("verdict-declines"), _SURE, "evidence")
    if is_repeated(evidence):
        return Verdict("adequate", Reason("verdict-said"), _FAIRLY_SURE, "evidence")
    if turned := next((one for one in evidence.objections if one.is_sure), None):
        said = ", ".join(turned.values)
        return Verdict("hallucination", Reason("verdict-opposite", {"words": said}), _SURE, "evidence")
    if measured["only_yes_or_no"] and evidence.covered >= _COVERED_THRESHOLD:
        return Verdict("adequate", Reason("verdict-yes-no"), _EVEN, "evidence")
    unsupported = 1.0 - evidence.supported
    off_topic = scoring.probability("off_topic", measured, weights) * unsupported
    uncommon = 1.0 if has_documents else 1.0 - scoring.probability("common", measured, weights)
    invented = (1.0 - off_topic) * unsupported * uncommon
    # The confidence says whether the draft can go out, not which fault it has: both faults send it back.
    rejected = off_topic + invented
    if rejected <= _EVEN:
        if evidence.supported <= 1.0 - uncommon:
            reason = Reason("verdict-common")
        elif is_answering(evidence):
            reason = Reason("verdict-carried")
        else:
            reason = Reason("verdict-carried-beside")
        return Verdict("adequate", reason, 1.0 - rejected, "evidence")
    # The topic of a follow-up is in the conversation; its own words do not reveal it.
    if off_topic > invented and not measured["follow_up"]:
        return Verdict("off_topic", Reason("verdict-else"), rejected, "evidence")
    lacking = ", ".join(evidence.conflicts)
    reason = Reason("verdict-absent", {"facts": lacking}) if lacking else Reason("verdict-unsupported")
    return Verdict("hallucination", reason, rejected, "evidence")
