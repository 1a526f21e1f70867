"""Whether another version of a text may take its place. Pure: one reason against it is enough.

A model that mends or refines an answer can spoil it as well, and a judge would not always see it. So code
compares the two versions: what the free checks, the evidence and the citations say of each, and, when
only small faults were to be mended, that every fact is still there.
"""

from __future__ import annotations

from collections.abc import Sequence
from difflib import SequenceMatcher

import regex

from rag.checks import disclaimers
from rag.language.scripts import dominant_script
from rag.language.units import missing, units
from rag.language.words import content_terms
from rag.loop import statement_rules
from rag.loop.candidates import Candidate, quality_rank
from rag.reasons import Reason
from rag.values import Evidence

DECLINES = 0.5
"""From here on a text is one that does not answer."""

_WORD = regex.compile(r"[\p{L}\p{M}]+")
_TOLERANCE = 0.02
_RELEVANCE_TOLERANCE = 0.1
_LEAST_KEPT_WORDS = 0.6
_MOST_NEW_WORDS = 0.2
_SAME_WORD = 0.5


def patch_objection(before: Candidate, after: Candidate, language: str) -> Reason | None:
    """Return why a repaired text must not replace the one it was made from, or None.

    A repair mends form. So beside what `refinement_objection` asks, no fact may come, go or change its
    place, no clause may turn into its opposite, and the words must be nearly the same, in the same order:
    who does what to whom is told by the order alone.

    Args:
        before: The text as it was evaluated.
        after: The repaired text, evaluated alike.
        language: ISO 639-1 code of the answer.
    """
    old, new = before.draft.text, after.draft.text
    if reason := _changed_facts(old, new, language):
        return reason
    if statement_rules.denials(old) != statement_rules.denials(new):
        return Reason("refused-denies-elsewhere")
    old_order, new_order = content_terms(old, language), content_terms(new, language)
    old_words, new_words = set(old_order), set(new_order)
    if not _is_contained([word for word in new_order if word in old_words], old_order):
        return Reason("refused-other-order")
    if old_words and len(old_words & new_words) < _LEAST_KEPT_WORDS * len(old_words):
        return Reason("refused-words-gone")
    if _is_exchanged(old_words - new_words, new_words - old_words):
        return Reason("refused-word-exchanged")
    is_much_new = len(new_words - old_words) > _MOST_NEW_WORDS * max(len(new_words), 1)
    if is_much_new or _new_function_words(old, new, language):
        return Reason("refused-says-else")
    if word := statement_rules.changed(old, new, language):
        return Reason("refused-rule-changed", {"word": word})
    return refinement_objection(before, after, language)


def refinement_objection(before: Candidate, after: Candidate, language: str) -> Reason | None:
    """Return why a rewritten text must not replace the one it was made from, or None.

    Args:
        before: The text as it was evaluated.
        after: The rewritten text, evaluated alike.
        language: ISO 639-1 code of the answer.
    """
    old, new = before.draft.text, after.draft.text
    passages = "\n\n".join(passage.text for passage in (*before.draft.passages, *after.draft.passages))
    if after.is_defective:
        return after.verdict.reason
    if set(after.flags) - set(before.flags):
        return Reason("refused-new-fault")
    if disclaimers.count(new, passages) > disclaimers.count(old, passages):
        return Reason("refused-disclaimer")
    if word := statement_rules.changed(old, new, language, passages, statement_rules.HARD):
        return Reason("refused-rule-changed", {"word": word})
    kept = {citation.passage for citation in after.citations}
    if any(citation.passage not in kept for citation in before.citations):
        return Reason("refused-citation-gone")
    if before.verdict.source != "judge" and quality_rank(after.verdict.quality) < quality_rank(
        before.verdict.quality
    ):
        return Reason("refused-worse", {"reason": after.verdict.reason})
    return _weaker(before.evidence, after.evidence)


def _weaker(before: Evidence | None, after: Evidence | None) -> Reason | None:
    if before is None or after is None:
        return None if before is after else Reason("refused-not-comparable")
    if set(after.conflicts) - set(before.conflicts):
        return Reason("refused-states-new")
    if after.refusal >= DECLINES > before.refusal:
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


def _changed_facts(old: str, new: str, language: str) -> Reason | None:
    if missing(units(old, language), new) or missing(units(new, language), old):
        return Reason("refused-fact-changed")
    before = [(unit.kind, unit.normal) for unit in units(old, language, with_names=False)]
    after = [(unit.kind, unit.normal) for unit in units(new, language, with_names=False)]
    # A sentence that stood there twice may go; two figures must not change places.
    return (
        None
        if _is_contained(after, before) and set(before) == set(after)
        else Reason("refused-number-changed")
    )


def _is_contained(some: Sequence[object], whole: Sequence[object]) -> bool:
    """Whether `some` is what is left of `whole` when parts of it go."""
    rest = iter(whole)
    return all(one in rest for one in some)


def _new_function_words(old: str, new: str, language: str) -> set[str]:
    """Words such as "after" and "all" that only the new text has: one of them is enough to change a rule."""
    added = set(_WORD.findall(new.casefold())) - set(_WORD.findall(old.casefold()))
    return {word for word in added if not content_terms(word, language)}


def _is_exchanged(gone: set[str], come: set[str]) -> bool:
    """Whether a word stands in the place of another one that it is no other spelling of.

    A stray word of another script may be translated; "mercury" that becomes "iron" is no repair.
    """
    for word in come:
        rivals = [other for other in gone if dominant_script(other) == dominant_script(word)]
        if rivals and not any(SequenceMatcher(None, word, other).ratio() >= _SAME_WORD for other in rivals):
            return True
    return False
