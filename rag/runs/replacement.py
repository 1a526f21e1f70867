"""Decide whether another version of a text can replace it. Pure: one objection is enough to refuse.

A model that repairs or refines an answer can also spoil it, and a judge would not always notice. So code
compares the findings, the evidence and the citations of the two versions. After a repair, it also checks that
every fact is still there.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import regex

from rag.evidence import statement_rules
from rag.evidence.decision import REFUSAL_THRESHOLD
from rag.language.scripts import dominant_script
from rag.language.units import missing, units
from rag.language.words import content_terms
from rag.reasons import Reason
from rag.runs.candidates import Candidate, rank_quality
from rag.values import Evidence

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_TOLERANCE = 0.02
_RELEVANCE_TOLERANCE = 0.1
_MIN_KEPT_WORDS = 0.6
_MAX_NEW_WORDS = 0.2
_MIN_WORD_SIMILARITY = 0.5


def patch_objection(before: Candidate, after: Candidate, language: str) -> Reason | None:
    """Return why a repaired text cannot replace the original, or None if it can.

    A repair changes only the form. So besides the conditions of `refinement_objection`, no fact can appear,
    disappear or move, no clause can change its negation, and nearly all words must stay in the same order,
    because the order alone can say who does what to whom.
    """
    old, new = before.draft.text, after.draft.text
    if reason := _find_changed_facts(old, new, language):
        return reason
    if statement_rules.count_denials(old) != statement_rules.count_denials(new):
        return Reason("refused-denies-elsewhere")
    old_order, new_order = content_terms(old, language), content_terms(new, language)
    old_words, new_words = set(old_order), set(new_order)
    if not _is_subsequence([word for word in new_order if word in old_words], old_order):
        return Reason("refused-other-order")
    if old_words and len(old_words & new_words) < _MIN_KEPT_WORDS * len(old_words):
        return Reason("refused-words-gone")
    if _is_word_exchanged(old_words - new_words, new_words - old_words):
        return Reason("refused-word-exchanged")
    is_much_new = len(new_words - old_words) > _MAX_NEW_WORDS * max(len(new_words), 1)
    if is_much_new or _new_function_words(old, new, language):
        return Reason("refused-says-else")
    if word := statement_rules.find_changed_rule(old, new, language):
        return Reason("refused-rule-changed", {"word": word})
    return refinement_objection(before, after, language)


def refinement_objection(before: Candidate, after: Candidate, language: str) -> Reason | None:
    """Return why a rewritten text cannot replace the original, or None if it can."""
    old, new = before.draft.text, after.draft.text
    passages = "\n\n".join(passage.text for passage in (*before.draft.passages, *after.draft.passages))
    if after.is_defective:
        return after.verdict.reason
    if set(after.flags) - set(before.flags):
        return Reason("refused-new-fault")
    if word := statement_rules.find_changed_rule(old, new, language, passages, statement_rules.HARD):
        return Reason("refused-rule-changed", {"word": word})
    kept = {citation.passage for citation in after.citations}
    if any(citation.passage not in kept for citation in before.citations):
        return Reason("refused-citation-gone")
    if before.verdict.source != "judge" and rank_quality(after.verdict.quality) < rank_quality(
        before.verdict.quality
    ):
        return Reason("refused-worse", {"reason": after.verdict.reason})
    return _find_weaker_evidence(before.evidence, after.evidence)


def _find_weaker_evidence(before: Evidence | None, after: Evidence | None) -> Reason | None:
    if before is None or after is None:
        return None if before is after else Reason("refused-not-comparable")
    if set(after.conflicts) - set(before.conflicts):
        return Reason("refused-states-new")
    if after.refusal >= REFUSAL_THRESHOLD > before.refusal:
        return Reason("refused-declines")
    for lost, allowed, reason in (
        (before.supported - after.supported, _TOLERANCE, Reason("refused-less-carried")),
        (
            before.supported_by_history - after.supported_by_history,
            _TOLERANCE,
            Reason("refused-less-said-before"),
        ),
        (before.relevance - after.relevance, _RELEVANCE_TOLERANCE, Reason("refused-less-to-the-point")),
    ):
        if lost > allowed:
            return reason
    return None


def _find_changed_facts(old: str, new: str, language: str) -> Reason | None:
    if missing(units(old, language), new) or missing(units(new, language), old):
        return Reason("refused-fact-changed")
    before = [(unit.kind, unit.normal) for unit in units(old, language, with_names=False)]
    after = [(unit.kind, unit.normal) for unit in units(new, language, with_names=False)]
    # A repeated sentence can be removed, but two figures cannot be swapped.
    return (
        None
        if _is_subsequence(after, before) and set(before) == set(after)
        else Reason("refused-number-changed")
    )


def _is_subsequence(some: Sequence[object], whole: Sequence[object]) -> bool:
    rest = iter(whole)
    return all(one in rest for one in some)


def _new_function_words(old: str, new: str, language: str) -> set[str]:
    """Return function words ("after", "all") that only the new text has; one is enough to change a rule."""
    added = set(_WORD.findall(new.casefold())) - set(_WORD.findall(old.casefold()))
    return {word for word in added if not content_terms(word, language)}


def _is_word_exchanged(gone: set[str], come: set[str]) -> bool:
    """Return whether a word was replaced by another one, and not by another spelling of itself.

    A repair may translate a stray word of another script, but it may not turn "mercury" into "iron".
    """
    for word in come:
        rivals = [other for other in gone if dominant_script(other) == dominant_script(word)]
        if rivals and not any(
            SequenceMatcher(None, word, other).ratio() >= _MIN_WORD_SIMILARITY for other in rivals
        ):
            return True
    return False
